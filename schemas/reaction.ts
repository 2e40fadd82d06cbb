import { type Static, Type } from '@sinclair/typebox'
import { Natural, oneOf, ref } from './common.ts'

/** The scopes of access tokens for reactions. */
export const reactionScopes = ['reaction:write'] as const

/** All types of reaction (contract REACTION-2). */
export const reactionTypes = ['like', 'heart', 'laugh', 'sad', 'wow'] as const
export type ReactionType = (typeof reactionTypes)[number]

const anyType = oneOf(reactionTypes, { description: 'Kind of the reaction.' })
const ReactionType = { ...anyType, $id: 'ReactionType' }

const target = {
  targetType: Type.String({
    pattern: '^[A-Za-z0-9_.\\-]{1,64}$',
    'x-must': 'be 1 to 64 letters, digits, `_`, `.` or `-`',
    description: 'Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.',
    examples: ['memo']
  }),
  targetId: Natural({
    description: 'Key of the target among those of its kind.',
    examples: [1]
  })
}

/** The target of a reaction. The service does not check that it exists. */
export const ReactionTarget = Type.Object(target)

export const ReactionKey = Type.Object({
  ...target,
  reactionType: {
    ...anyType,
    examples: ['like'],
    'x-error-codes': { enum: 'REACTION-TYPE-INVALID' }
  }
})

const Count = Type.Optional(Type.Integer({ minimum: 1, description: 'How many.' }))
const ReactionCounts = Type.Object(
  { like: Count, heart: Count, laugh: Count, sad: Count, wow: Count },
  {
    $id: 'ReactionCounts',
    description: 'Types with at least one reaction.',
    examples: [{ like: 2, wow: 1 }]
  }
)

export const ReactionSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'Reactions of every type.', examples: [3] }),
    by_type: ref(ReactionCounts),
    user_reactions: Type.Array(ref(ReactionType), {
      description: "The caller's own reactions; empty without a credential."
    })
  },
  {
    $id: 'ReactionSummary',
    description: "How many reactions a target has, and which are the caller's.",
    examples: [{ total: 3, by_type: { like: 2, wow: 1 }, user_reactions: ['like'] }]
  }
)
export type ReactionSummary = Static<typeof ReactionSummary>
