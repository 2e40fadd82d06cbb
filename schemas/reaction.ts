import { type Static, Type } from '@sinclair/typebox'

/** The reactions there are (contract: Reaction). */
export const reactionTypes = ['like', 'heart', 'laugh', 'sad', 'wow'] as const
export type ReactionType = (typeof reactionTypes)[number]

const ReactionType = Type.Unsafe<ReactionType>({ type: 'string', enum: reactionTypes })

const target = {
  targetType: Type.String({
    pattern: '^[A-Za-z0-9_.-]{1,64}$',
    description: 'Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.',
    examples: ['memo']
  }),
  targetId: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Key of the target among those of its kind.',
    examples: [1]
  })
}

/** What is reacted to. The service does not ask whether there is such a thing. */
export const ReactionTarget = Type.Object(target)

export const ReactionKey = Type.Object({
  ...target,
  reactionType: {
    ...ReactionType,
    examples: ['like'],
    'x-error-codes': { enum: 'REACTION-TYPE-INVALID' }
  }
})

const Count = Type.Optional(Type.Integer({ minimum: 1 }))

export const ReactionSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'Reactions of every type.' }),
    by_type: Type.Object(
      { like: Count, heart: Count, laugh: Count, sad: Count, wow: Count },
      { description: 'Only types that somebody reacted with.' }
    ),
    user_reactions: Type.Array(ReactionType, {
      description: "The caller's own; empty for a caller who is not signed in."
    })
  },
  {
    $id: 'ReactionSummary',
    examples: [{ total: 3, by_type: { like: 2, wow: 1 }, user_reactions: ['like'] }]
  }
)
export type ReactionSummary = Static<typeof ReactionSummary>
