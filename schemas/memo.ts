import { type Static, Type } from '@sinclair/typebox'
import { Created, Id, Key, OnlyId, oneOf, PageQuery, SearchText, Since, Updated } from './common.ts'

const memoStates = ['draft', 'published', 'archived'] as const
export type MemoState = (typeof memoStates)[number]

const State = oneOf(memoStates, {
  description: 'Draft, published or archived.',
  examples: ['draft']
})

const Body = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'Its text.',
  examples: ['Call the plumber']
})

export const Memo = Type.Object(
  {
    id: Key,
    body: Type.String({ description: 'Its text.' }),
    state: State,
    version: Type.Integer({ description: 'Grows by one with every change; the `ETag` names it.' }),
    created_at: Created,
    updated_at: Updated
  },
  {
    $id: 'Memo',
    description: 'A note that has versions and a state.',
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

export const MemoQuery = Type.Object({
  ...PageQuery.properties,
  id: OnlyId,
  q: Type.Optional(SearchText),
  updated_since: Type.Optional(Since('Only those changed at this time or later.'))
})

export const MemoContent = Type.Object(
  { body: Body },
  {
    $id: 'MemoContent',
    description: 'The text of a memo.',
    examples: [{ body: 'Call the plumber' }]
  }
)
export type MemoContent = Static<typeof MemoContent>

export const MemoTransition = Type.Object(
  { to_state: oneOf(memoStates, { description: 'The new state.', examples: ['published'] }) },
  {
    $id: 'MemoTransition',
    description: 'The new state of a memo.',
    examples: [{ to_state: 'published' }]
  }
)

export const AllowedNext = Type.Array(State, {
  description: 'States that the memo can be moved to now.',
  examples: [['archived', 'draft']]
})

export const MemoKey = Type.Object({
  id: Id({ required: 'MEMO-ID-REQUIRED', absent: 'MEMO-NOT-FOUND' })
})
