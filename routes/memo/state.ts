import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fail } from '../../plugins/http/errors/index.ts'
import { etag, IfMatch, versionToReplace } from '../../plugins/patterns/conditional.ts'
import { type Transitions, workflow } from '../../plugins/patterns/workflow.ts'
import { ETag, ok, ref, success } from '../../schemas/common.ts'
import { AllowedNext, Memo, MemoKey, type MemoState, MemoTransition } from '../../schemas/memo.ts'

const example = {
  memo: { ...Memo.examples[0], state: 'published', version: 2 },
  allowed_next: ['archived', 'draft']
}

const transitions: Transitions<MemoState> = {
  draft: ['published'],
  published: ['archived', 'draft'],
  archived: []
}

/** The workflow of memos (contract MEMO-2). */
export const flow = workflow(transitions)

/** The operation that moves a memo. */
const memoState: FastifyPluginAsyncTypebox = async (app) => {
  const headers = { ETag }

  app.put(
    '/memo/state/id_:id',
    {
      config: {
        scope: 'memo:write',
        fails: ['MEMO-NOT-FOUND', 'INVALID-TRANSITION', 'PRECONDITION-FAILED']
      },
      schema: {
        operationId: 'moveMemo',
        summary: 'Move a memo to another state',
        description: 'From draft to published, from published to archived or back to draft.',
        params: MemoKey,
        headers: IfMatch,
        body: ref(MemoTransition),
        response: {
          200: success({ memo: ref(Memo), allowed_next: AllowedNext }, { headers, example })
        }
      }
    },
    async (request, reply) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      for (;;) {
        const current = (await request.repos.memos.find(key)) ?? fail('MEMO-NOT-FOUND')
        const version = versionToReplace(request, current, { required: false })
        const from = current.state
        const to = flow.next(from, request.body.to_state)
        const moved = await request.repos.memos.transition({
          ...key,
          by: request.actor,
          version,
          from,
          to
        })
        // Another request has changed the memo meanwhile: read it and decide again.
        if (!moved) continue
        reply.header('etag', etag(moved.version))
        return ok({ memo: moved, allowed_next: [...flow.allowedNext(moved.state)] })
      }
    }
  )
}

export default memoState
