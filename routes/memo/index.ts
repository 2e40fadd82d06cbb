import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { absent } from '../../db/statement.ts'
import { conflict, fail } from '../../plugins/http/errors/index.ts'
import { removalOf } from '../../plugins/patterns/area/removal.ts'
import {
  etag,
  IfMatch,
  IfNoneMatch,
  isNotModified,
  versionToReplace
} from '../../plugins/patterns/conditional.ts'
import { doneUnlessDry } from '../../plugins/patterns/dry-run.ts'
import { IdempotencyKey, idempotent } from '../../plugins/patterns/idempotency/index.ts'
import {
  DeletionQuery,
  deleted,
  ETag,
  NextCursor,
  newestFirst,
  notModified,
  ok,
  pageOf,
  paginate,
  ref,
  success,
  wasDeleted
} from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import { Memo, MemoContent, MemoKey, MemoQuery } from '../../schemas/memo.ts'
import state from './state.ts'

const headers = { ETag }
const noFields = absent(MemoContent)

/** Memos of the signed-in user: conditional writes and a workflow (contract MEMO-1, MEMO-2). */
const memo: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_USER_MEMOS_MAX'>> = async (
  app,
  { SVC_USER_MEMOS_MAX: max }
) => {
  const { memos } = app.repos
  app.tag(
    'memo',
    'Memos of the signed-in user. A write names the version that it replaces; a workflow moves memos from draft to published to archived.',
    {
      createMemo: 'write a memo',
      replaceMemo: 'change it',
      moveMemo: 'draft to published, then archived or draft'
    }
  )
  app.activity.add('memo', {
    max,
    search: memos.search,
    newest: memos.newest,
    named: 'body',
    hasPage: true
  })

  app.get(
    '/memo/index',
    {
      config: { scope: 'memo:read' },
      schema: {
        operationId: 'listMemos',
        summary: 'List memos',
        description: 'Newest first.',
        querystring: MemoQuery,
        response: {
          200: success({
            memos: newestFirst(Memo),
            next_cursor: NextCursor
          })
        }
      }
    },
    async ({ viewer, query }) => {
      const { id, q, updated_since: since } = query
      const page = { user_id: viewer.user.id, ...pageOf(query) }
      const { rows, rest } = await memos.search({ ...page, id, q, since })
      const { items, next_cursor } = paginate(rows, query, { rest })
      return ok({ memos: items, next_cursor })
    }
  )

  app.post(
    '/memo/index',
    {
      config: { scope: 'memo:write', fails: ['CONFLICT'] },
      schema: {
        operationId: 'createMemo',
        summary: 'Create a memo',
        description: 'It is a draft at first.',
        headers: IdempotencyKey,
        body: ref(MemoContent),
        response: { 200: success({ memo: ref(Memo) }, { name: 'Memo', headers }) }
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const created = await request.repos.memos.insert({
          ...noFields,
          ...request.body,
          user_id: request.viewer.user.id,
          by: request.actor,
          max
        })
        return answer(reply, created ?? conflict('quota'))
      })
  )

  app.get(
    '/memo/item/id_:id',
    {
      config: {
        scope: 'memo:read',
        fails: ['MEMO-NOT-FOUND'],
        mcp: false
      },
      schema: {
        operationId: 'getMemo',
        summary: 'Read a memo',
        description: 'A write needs its `ETag` as `If-Match`.',
        params: MemoKey,
        headers: IfNoneMatch,
        response: {
          200: success({ memo: ref(Memo) }, { name: 'Memo', headers }),
          304: notModified
        }
      }
    },
    async (request, reply) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const found = (await memos.find(key)) ?? fail('MEMO-NOT-FOUND')
      const isKnown = isNotModified(request, reply, etag(found.version))
      // A browser may keep it, but must ask before it uses it again.
      reply.header('cache-control', 'private, no-cache')
      return isKnown ? reply.code(304).send() : ok({ memo: found })
    }
  )

  app.put(
    '/memo/item/id_:id',
    {
      config: {
        scope: 'memo:write',
        fails: ['MEMO-NOT-FOUND', 'PRECONDITION-REQUIRED', 'PRECONDITION-FAILED'],
        mcp: { name: 'change_memo' }
      },
      schema: {
        operationId: 'replaceMemo',
        summary: 'Replace a memo',
        description: 'Replaces the text of the version that `If-Match` names.',
        params: MemoKey,
        headers: IfMatch,
        body: ref(MemoContent),
        response: { 200: success({ memo: ref(Memo) }, { name: 'Memo', headers }) }
      }
    },
    async (request, reply) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const current = (await request.repos.memos.find(key)) ?? fail('MEMO-NOT-FOUND')
      const version = versionToReplace(request, current)
      const changed = await request.repos.memos.update({
        ...noFields,
        ...request.body,
        ...key,
        by: request.actor,
        version
      })
      return answer(reply, changed ?? fail('PRECONDITION-FAILED'))
    }
  )

  app.delete(
    '/memo/item/id_:id',
    {
      config: {
        scope: 'memo:write',
        ...removalOf('memo', ['MEMO-NOT-FOUND', 'PRECONDITION-REQUIRED', 'PRECONDITION-FAILED'])
      },
      schema: {
        operationId: 'deleteMemo',
        summary: 'Delete a memo',
        description: 'Deletes the version that `If-Match` names.',
        params: MemoKey,
        querystring: DeletionQuery,
        headers: IfMatch,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const current = (await request.repos.memos.find(key)) ?? fail('MEMO-NOT-FOUND')
      const version = versionToReplace(request, current)
      const by = request.actor
      const removed = await doneUnlessDry(request, ({ memos }) =>
        memos.remove({ ...key, by, version })
      )
      if (!removed) fail('PRECONDITION-FAILED')
      return wasDeleted(request)
    }
  )

  await app.register(state)

  function answer(reply: FastifyReply, changed: Memo) {
    reply.header('etag', etag(changed.version))
    return ok({ memo: changed })
  }
}

export default memo
