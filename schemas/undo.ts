import { type Static, Type } from '@sinclair/typebox'
import { Action, AnyKind, RunId } from './activity.ts'
import { DryRun, Key, Natural, oneOf, orNull, ref, WasDryRun } from './common.ts'
import { failureFields } from './failures.ts'
import { kinds } from './kinds.ts'

/** How many changes one request may name. */
const maxIds = 500

export const UndoCursor = Type.Optional(
  Natural({
    description: '`next_cursor` of the previous answer, while its `more` is true.',
    examples: [7]
  })
)

export const UndoRequest = Type.Object(
  {
    run: Type.Optional({ ...RunId, description: 'Undoes this run.' }),
    ids: Type.Optional(
      Type.Array(Natural(), {
        minItems: 1,
        maxItems: maxIds,
        description: 'Undoes these changes; instead of `run`.',
        examples: [[7, 8]]
      })
    ),
    cursor: UndoCursor,
    dry_run: DryRun
  },
  {
    $id: 'UndoRequest',
    oneOf: [{ required: ['run'] }, { required: ['ids'] }],
    description: 'What to undo: a run, or changes by their ids.',
    examples: [{ run: 'tidy-up-7' }]
  }
)

/** Why a change is not undone. */
export const reasons = [
  'changed',
  'cannot_return',
  'undone',
  'not_allowed',
  'of_another',
  'undeclared',
  'unknown'
] as const
export type Reason = (typeof reasons)[number]

const ChangeId = Type.Integer({ description: 'Id of the change.', examples: [7] })

const WholeUndone = Type.Object({ id: ChangeId, kind: ref(AnyKind), key: Key, action: ref(Action) })
const Undone = Type.Object(
  { ...Type.Partial(WholeUndone).properties, id: ChangeId },
  {
    $id: 'Undone',
    description: 'A change that was undone. With `Prefer: return=minimal` only its `id`.',
    examples: [{ id: 7, kind: 'todo', key: 1, action: 'create' }]
  }
)
const Conflict = Type.Object(
  {
    id: ChangeId,
    kind: orNull(oneOf(kinds), 'Null if unknown.'),
    key: orNull(Type.Integer(), 'Null if unknown.'),
    reason: oneOf(reasons, {
      description:
        '`changed`: the row has changed since. `cannot_return`: no room, key in use, or file gone. `undone`: already undone. `not_allowed`: this credential may not write this kind, or its user this row. `of_another`: made by another, in a row of another. `undeclared`: its area is declared no longer. `unknown`: no such change is recorded.'
    })
  },
  {
    $id: 'UndoConflict',
    description: 'A change that was not undone.',
    examples: [{ id: 8, kind: 'todo', key: 2, reason: 'changed' }]
  }
)
export type Undone = Static<typeof WholeUndone>
export type Conflict = Static<typeof Conflict>

const UndoneList = Type.Array(ref(Undone), {
  $id: 'UndoneChanges',
  description: 'Newest first.'
})
const Conflicts = Type.Array(ref(Conflict), {
  $id: 'UndoConflicts',
  description: 'What was not undone, and why.'
})
const UndoRun = Type.Union([Type.String(), Type.Null()], {
  $id: 'UndoRun',
  description:
    'Name of the undo itself as a run: undo that to revert it. Null if nothing was undone.',
  examples: ['undo-0a1b2c3d']
})
const More = Type.Boolean({
  $id: 'UndoMore',
  description:
    'Whether there are more changes than one request looks at. If so, whatever the status, send it again with `next_cursor` as `cursor`.',
  examples: [false]
})
const UndoNextCursor = Type.Union([Type.Integer(), Type.Null()], {
  $id: 'UndoNextCursor',
  description: 'Send it as `cursor` to go on with older changes; null if `more` is false.',
  examples: [null]
})

/** What happened to each change, in the order in which they were undone. */
const undoOutcome = {
  undone: ref(UndoneList),
  conflicts: ref(Conflicts),
  run: ref(UndoRun),
  more: ref(More),
  next_cursor: ref(UndoNextCursor)
}
export const undoAnswer = { ...undoOutcome, dry_run: WasDryRun }

/** Fields of CONFLICT. If another request with the same key is running, only the first. */
export const undoRefusal = {
  ...failureFields.CONFLICT,
  undone_by: Type.Optional(
    Type.String({
      description: 'With `reason` `undone`: the run that undid it.',
      examples: UndoRun.examples ?? []
    })
  ),
  ...Type.Partial(Type.Object(undoOutcome)).properties
}

const some = {
  undone: Undone.examples,
  conflicts: Conflict.examples,
  run: UndoRun.examples?.[0],
  more: false,
  next_cursor: null
}

/** In the document: an undo of all, and one of which only a part succeeded. */
export const undoExamples = { whole: { ...some, conflicts: [] }, some }
