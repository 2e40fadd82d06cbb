import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { etag, isNotModified, versionToReplace } from '../plugins/conditional.ts'
import { fail } from '../plugins/errors.ts'
import { type Transitions, workflow } from '../plugins/workflow.ts'
import { NextCursor, ok, PageQuery, pageOf, paginate, ref, success } from '../schemas/common.ts'
import {
  AllowedNext,
  Memo,
  MemoContent,
  MemoKey,
  type MemoState,
  MemoTransition
} from '../schemas/memo.ts'

const tags = ['memo']

const transitions: Transitions<MemoState> = {
  draft: ['published'],
  published: ['archived', 'draft'],
  archived: []
}

const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: '`ETag` of the version to replace, or `*`.', examples: ['"v1"'] })
  )
})
const IfNoneMatch = Type.Object({
  'if-none-match': Type.Optional(Type.String({ examples: ['"v1"'] }))
})
const etagHeader = {
  headers: { ETag: { type: 'string', description: 'Names the version.', example: '"v1"' } }
}

/** Memos of the signed-in user: conditional writes and a workflow (contract: Memo, Versioning). */
const memo: FastifyPluginAsyncTypebox = async (app) => {
  const { memos } = app.repos
  const flow = workflow(transitions)

  app.get(
    '/memo/index',
    {
      schema: {
        operationId: 'listMemos',
        tags,
        summary: 'List memos',
        description: 'Newest first.',
        querystring: PageQuery,
        response: { 200: success({ memos: Type.Array(ref(Memo)), next_cursor: NextCursor }) }
      }
    },
    async (request) => {
      const rows = await memos.list({ user_id: request.viewer.user.id, ...pageOf(request.query) })
      const { items, next_cursor } = paginate(rows, request.query)
      return ok({ memos: items, next_cursor })
    }
  )

  app.post(
    '/memo/index',
    {
      config: { idempotent: true },
      schema: {
        operationId: 'createMemo',
        tags,
        summary: 'Create a memo',
        body: ref(MemoContent),
        response: { 200: success({ memo: ref(Memo) }, etagHeader) }
      }
    },
    async (request, reply) => {
      const created = await request.repos.memos.insert({
        user_id: request.viewer.user.id,
        body: request.body.body,
        now: app.timestamp()
      })
      return answer(reply, created)
    }
  )

  app.get(
    '/memo/item/id_:id',
    {
      config: { fails: ['MEMO-NOT-FOUND'] },
      schema: {
        operationId: 'getMemo',
        tags,
        summary: 'Read a memo',
        params: MemoKey,
        headers: IfNoneMatch,
        response: {
          200: success({ memo: ref(Memo) }, etagHeader),
          304: Type.Unsafe<void>({
            type: 'null',
            description: 'The caller has this version already.'
          })
        }
      }
    },
    async (request, reply) => {
      const found = await findOwn(request.params.id, request.viewer.user.id)
      // May be kept, but not used without asking again.
      reply.header('cache-control', 'private, no-cache')
      if (isNotModified(request, reply, etag(found.version))) return reply.code(304).send()
      return ok({ memo: found })
    }
  )

  app.put(
    '/memo/item/id_:id',
    {
      config: { fails: ['MEMO-NOT-FOUND', 'PRECONDITION-REQUIRED', 'PRECONDITION-FAILED'] },
      schema: {
        operationId: 'replaceMemo',
        tags,
        summary: 'Replace a memo',
        params: MemoKey,
        headers: IfMatch,
        body: ref(MemoContent),
        response: { 200: success({ memo: ref(Memo) }, etagHeader) }
      }
    },
    async (request, reply) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const current = await findOwn(key.id, key.user_id)
      const version = versionToReplace(request, current)
      const { body } = request.body
      const changed = await memos.update({ ...key, version, body, now: app.timestamp() })
      return answer(reply, changed ?? fail('PRECONDITION-FAILED'))
    }
  )

  app.delete(
    '/memo/item/id_:id',
    {
      config: { fails: ['MEMO-NOT-FOUND', 'PRECONDITION-REQUIRED', 'PRECONDITION-FAILED'] },
      schema: {
        operationId: 'deleteMemo',
        tags,
        summary: 'Delete a memo',
        params: MemoKey,
        headers: IfMatch,
        response: { 200: success({ id: Type.Integer({ examples: [1] }) }) }
      }
    },
    async (request) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const version = versionToReplace(request, await findOwn(key.id, key.user_id))
      if (!(await memos.remove({ ...key, version }))) fail('PRECONDITION-FAILED')
      return ok({ id: key.id })
    }
  )

  app.put(
    '/memo/state/id_:id',
    {
      config: { fails: ['MEMO-NOT-FOUND', 'INVALID-TRANSITION', 'PRECONDITION-FAILED'] },
      schema: {
        operationId: 'moveMemo',
        tags,
        summary: 'Move a memo to another state',
        description: 'draft → published → archived, and published → draft.',
        params: MemoKey,
        headers: IfMatch,
        body: ref(MemoTransition),
        response: { 200: success({ memo: ref(Memo), allowed_next: AllowedNext }, etagHeader) }
      }
    },
    async (request, reply) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const current = await findOwn(key.id, key.user_id)
      const version = versionToReplace(request, current, { required: false })
      const [from, to] = [current.state, request.body.to_state]
      flow.check(from, to)
      const moved = await memos.transition({ ...key, version, from, to, now: app.timestamp() })
      if (!moved) return version === null ? flow.refuse(from) : fail('PRECONDITION-FAILED')
      reply.header('etag', etag(moved.version))
      return ok({ memo: moved, allowed_next: [...flow.allowedNext(moved.state)] })
    }
  )

  async function findOwn(id: number, user_id: number): Promise<Memo> {
    return (await memos.find({ id, user_id })) ?? fail('MEMO-NOT-FOUND')
  }

  function answer(reply: FastifyReply, changed: Memo) {
    reply.header('etag', etag(changed.version))
    return ok({ memo: changed })
  }
}

export default memo
