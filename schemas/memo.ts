import type { Static } from '@sinclair/typebox'
import { areaOf } from './area/index.ts'

/** Notes that have versions and a state (contract MEMO-1, MEMO-2). */
export const memo = areaOf({
  name: 'memo',
  description: 'A note that has versions and a state.',
  fields: {
    body: {
      type: 'text',
      max: 10_000,
      trim: false,
      description: 'Its text',
      examples: ['Call the plumber', 'Call the electrician']
    }
  },
  versions: true,
  states: { draft: ['published'], published: ['archived', 'draft'], archived: [] }
})
export const { row: Memo, created: NewMemo, key: MemoKey } = memo
export type Memo = Static<typeof Memo>
