import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import { removeReaction, toggleReaction } from '../db/actions/reactions.ts'
import type { Reaction } from '../db/repositories/reactions.ts'
import { conflict, fail } from '../plugins/http/errors/index.ts'
import { rowsPart } from '../plugins/patterns/data-export.ts'
import { ok, oneOf, ref, success } from '../schemas/common.ts'
import type { Config } from '../schemas/config.ts'
import { ReactionKey, ReactionSummary, ReactionTarget } from '../schemas/reaction.ts'

const allow = ['session', 'agent', 'jwt'] as const
/** How many an export reads at once. */
const pageSize = 500
type Place = Omit<Reaction, 'user_id'>
/** Before the first. */
const start: Place = { target_id: -1, target_type: '', reaction_type: 'like' }
const writes = { allow, scope: 'reaction:write' } as const

/** Reactions to anything that has a kind and a key (contract REACTION-2). */
const reaction: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_USER_REACTIONS_MAX'>> = async (
  app,
  { SVC_USER_REACTIONS_MAX: max }
) => {
  app.tag('reaction', 'Reactions, such as a like, to anything that has a kind and a key.')
  app.dataExport.add(
    rowsPart('reactions.json', 'Your reactions.', async function* ({ viewer }) {
      for (let after: Place | undefined = start; after; ) {
        const page = { ...after, user_id: viewer.user.id, limit: pageSize }
        const rows: Awaited<ReturnType<typeof app.repos.reactions.after>> =
          await app.repos.reactions.after(page)
        yield rows
        after = rows.at(-1)
      }
    })
  )

  app.put(
    '/reaction/toggle/type_:targetType/id_:targetId/reaction_:reactionType',
    {
      config: {
        ...writes,
        fails: ['VALIDATION-FAILED', 'CONFLICT'],
        mcp: false
      },
      schema: {
        operationId: 'toggleReaction',
        summary: 'Add or remove a reaction',
        description: '`action` says which of the two happened.',
        params: ReactionKey,
        response: {
          200: success({
            action: oneOf(['added', 'removed'], { description: 'What was done.' }),
            summary: ref(ReactionSummary)
          })
        }
      }
    },
    async (request) => {
      const toggled = { ...row(request.params, request.viewer.user.id), now: app.timestamp(), max }
      const outcome = await request.transaction((repos) => toggleReaction(repos, toggled))
      return ok(outcome ?? conflict('quota'))
    }
  )

  app.delete(
    '/reaction/item/type_:targetType/id_:targetId/reaction_:reactionType',
    {
      config: { ...writes, fails: ['REACTION-NOT-FOUND', 'VALIDATION-FAILED'], mcp: false },
      schema: {
        operationId: 'removeReaction',
        summary: 'Remove a reaction',
        description: 'Returns the remaining counts.',
        params: ReactionKey,
        response: { 200: success({ summary: ref(ReactionSummary) }) }
      }
    },
    async (request) => {
      const removed = row(request.params, request.viewer.user.id)
      const summary = await request.transaction(async (repos) =>
        (await removeReaction(repos, removed)) ? repos.reactions.summary(removed) : undefined
      )
      return ok({ summary: summary ?? fail('REACTION-NOT-FOUND') })
    }
  )

  app.get(
    '/reaction/summary/type_:targetType/id_:targetId',
    {
      config: {
        allow: [...allow, 'anyone'],
        scope: 'any',
        fails: ['VALIDATION-FAILED'],
        mcp: false
      },
      schema: {
        operationId: 'getReactionSummary',
        summary: 'Count the reactions to a target',
        description: 'The target need not exist.',
        params: ReactionTarget,
        response: { 200: success(ReactionSummary.properties) }
      }
    },
    async (request) => {
      const { targetId: target_id, targetType: target_type } = request.params
      const user_id = request.identity?.user.id ?? null
      return ok(await app.repos.reactions.summary({ target_id, target_type, user_id }))
    }
  )
}

/** The columns of a reaction, from the path and the caller. */
const row = (
  { targetId, targetType, reactionType }: Static<typeof ReactionKey>,
  user_id: number
) => ({ target_id: targetId, target_type: targetType, reaction_type: reactionType, user_id })

export default reaction
