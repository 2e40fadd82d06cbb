import type { Field } from '../field.ts'
import type { Names } from '../names.ts'

/** `routes/bookmark.ts` */
export function routes({ one, many, One, Many, ONE, aOne }: Names, fields: Field[]) {
  const filters = ['id', ...fields.filter(({ isFilter }) => isFilter).map(({ name }) => name)]
  if (fields.some(({ characters }) => characters > 0)) filters.push('q')
  const answer = `200: success({ ${one}: ref(${One}) }, { name: '${One}' })`
  const item = `'/${one}/item/id_:id'`
  return `import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { absent, cleared } from '../db/statement.ts'
import { conflict, fail } from '../plugins/http/errors/index.ts'
import { IdempotencyKey, idempotent } from '../plugins/patterns/idempotency/index.ts'
import { ${One}, ${One}Change, ${One}Key, ${One}Query, max${Many}, New${One} } from '../schemas/${one}.ts'
import { DeletionQuery, deleted, NextCursor, newestFirst, ok, pageOf, paginate, ref, success, wasDeleted } from '../schemas/common.ts'

const allow = ['session', 'agent', 'jwt'] as const
const reads = { allow, scope: '${one}:read' } as const
const writes = { allow, scope: '${one}:write' } as const
const fails = ['${ONE}-NOT-FOUND'] as const
const noFields = absent(New${One})
const noValues = cleared(New${One})
const noChange = absent(${One}Change)

/** ${Many} of the signed-in user. Those of other users are not found. */
const ${one}: FastifyPluginAsyncTypebox = async (app) => {
  const { ${many} } = app.repos
  app.tag('${one}', '${Many} of the signed-in user.')
  const max = max${Many}
  app.activity.add('${one}', { allow, max, search: ${many}.search, newest: ${many}.newest })

  app.get(
    '/${one}/index',
    {
      config: reads,
      schema: {
        operationId: 'list${Many}',
        summary: 'List ${many}',
        description: 'Newest first.',
        querystring: ${One}Query,
        response: { 200: success({ ${many}: newestFirst(${One}), next_cursor: NextCursor }) }
      }
    },
    async ({ viewer, query }) => {
      const { ${[...filters, 'updated_since: since'].join(', ')} } = query
      const page = { user_id: viewer.user.id, ...pageOf(query) }
      const { rows, rest } = await ${many}.search({ ${['...page', ...filters, 'since'].join(', ')} })
      const { items, next_cursor } = paginate(rows, query, { rest })
      return ok({ ${many}: items, next_cursor })
    }
  )

  app.post(
    '/${one}/index',
    {
      config: { ...writes, fails: ['CONFLICT'] },
      schema: {
        operationId: 'create${One}',
        summary: 'Create ${aOne}',
        headers: IdempotencyKey,
        body: ref(New${One}),
        response: { ${answer} }
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const { body, repos, viewer, actor: by } = request
        const row = { ...noFields, ...body, user_id: viewer.user.id, by, max }
        return ok({ ${one}: (await repos.${many}.insert(row)) ?? conflict('quota') })
      })
  )

  app.get(
    ${item},
    {
      config: { ...reads, fails, mcp: false },
      schema: {
        operationId: 'get${One}',
        summary: 'Read ${aOne}',
        params: ${One}Key,
        response: { ${answer} }
      }
    },
    async ({ params: { id }, viewer }) => {
      const found = await ${many}.find({ id, user_id: viewer.user.id })
      return ok({ ${one}: found ?? fail('${ONE}-NOT-FOUND') })
    }
  )

  app.put(
    ${item},
    {
      config: { ...writes, fails, mcp: false },
      schema: {
        operationId: 'replace${One}',
        summary: 'Replace ${aOne}',
        description: 'A field that is left out is cleared.',
        params: ${One}Key,
        body: ref(New${One}),
        response: { ${answer} }
      }
    },
    async ({ params: { id }, body, repos, viewer, actor: by }) => {
      const row = { ...noValues, ...body, id, user_id: viewer.user.id, by }
      return ok({ ${one}: (await repos.${many}.update(row)) ?? fail('${ONE}-NOT-FOUND') })
    }
  )

  app.patch(
    ${item},
    {
      config: { ...writes, fails },
      schema: {
        operationId: 'change${One}',
        summary: 'Change ${aOne}',
        description: 'Changes the fields that are sent.',
        params: ${One}Key,
        body: ref(${One}Change),
        response: { ${answer} }
      }
    },
    async ({ params: { id }, body, repos, viewer, actor: by }) => {
      const row = { ...noChange, ...body, id, user_id: viewer.user.id, by }
      return ok({ ${one}: (await repos.${many}.update(row)) ?? fail('${ONE}-NOT-FOUND') })
    }
  )

  app.delete(
    ${item},
    {
      config: { ...writes, fails },
      schema: {
        operationId: 'delete${One}',
        summary: 'Delete ${aOne}',
        description: '\`POST /activity/undo\` restores it.',
        params: ${One}Key,
        querystring: DeletionQuery,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const removed = request.query.dry_run
        ? await ${many}.find(key)
        : await request.repos.${many}.remove({ ...key, by: request.actor })
      if (!removed) fail('${ONE}-NOT-FOUND')
      return wasDeleted(request)
    }
  )
}

export default ${one}
`
}
