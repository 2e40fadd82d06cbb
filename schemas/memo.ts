import { type Static, Type } from '@sinclair/typebox'
import { Id, Timestamp } from './common.ts'

export const memoStates = ['draft', 'published', 'archived'] as const
export type MemoState = (typeof memoStates)[number]

const State = Type.Unsafe<MemoState>({
  type: 'string',
  enum: memoStates,
  examples: ['draft'],
  'x-error-codes': { enum: 'INVALID-TRANSITION' }
})

const Body = Type.String({ minLength: 1, maxLength: 10_000, examples: ['Call the plumber'] })

export const Memo = Type.Object(
  {
    id: Type.Integer(),
    body: Type.String(),
    state: State,
    version: Type.Integer({ description: 'Grows by one with every change; the `ETag` names it.' }),
    created_at: Timestamp,
    updated_at: Timestamp
  },
  {
    $id: 'Memo',
    examples: [
      {
        id: 1,
        body: 'Call the plumber',
        state: 'draft',
        version: 1,
        created_at: '2026-11-21T09:30:00.000Z',
        updated_at: '2026-11-21T09:30:00.000Z'
      }
    ]
  }
)
export type Memo = Static<typeof Memo>

export const MemoContent = Type.Object(
  { body: Body },
  { $id: 'MemoContent', examples: [{ body: 'Call the plumber' }] }
)

export const MemoTransition = Type.Object(
  { to_state: State },
  { $id: 'MemoTransition', examples: [{ to_state: 'published' }] }
)

export const AllowedNext = Type.Array(State, {
  description: 'States that the memo can go to from here.',
  examples: [['archived', 'draft']]
})

export const MemoKey = Type.Object({
  id: Id({ required: 'MEMO-ID-REQUIRED', absent: 'MEMO-NOT-FOUND' })
})
