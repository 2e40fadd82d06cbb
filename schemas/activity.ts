import { type Static, Type } from '@sinclair/typebox'
import { DryRun, Key, nullable, PageQuery, ref, Timestamp } from './common.ts'
import { failureFields } from './failures.ts'
import { type Kind, kinds } from './kinds.ts'
import { Todo } from './todo.ts'
import { credentials } from './user.ts'

/** The kind whose changes an operation records, by its scope; undefined if it records none. */
export const kindOf = (scope: string | undefined) => kinds.find((kind) => scope === `${kind}:write`)

const actions = ['create', 'update', 'delete'] as const
export type Action = (typeof actions)[number]

const KindOnly = Type.Unsafe<Kind>({ type: 'string', enum: kinds })
export const AnyKind = Type.Unsafe<Kind>({
  ...KindOnly,
  $id: 'Kind',
  description: 'Kind of the row.',
  examples: ['todo']
})
const Action = Type.Unsafe<Action>({
  type: 'string',
  enum: actions,
  $id: 'Action',
  description: 'What was done.',
  examples: ['create']
})
const Via = Type.String({
  enum: credentials,
  description: 'Kind of credential.',
  examples: ['session']
})

/** The name of a run. A run is all changes that are made for one purpose. */
export const RunId = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'Name of a run; the caller who makes the changes chooses it.',
  examples: ['tidy-up-7']
})

/** The component that shows a row of a kind: `Todo`. */
export const rowOf = (kind: Kind) => ({ $ref: `${kind[0]?.toUpperCase()}${kind.slice(1)}#` })

/** A row of any kind. Not checked by the serialiser: a record may be older than a field of its row. */
const Row = (description: string) => ({
  ...nullable(Type.Object({}, { additionalProperties: true }), description),
  'x-anyOf': [...kinds.map(rowOf), Type.Null()]
})

export const Change = Type.Object(
  {
    id: Key,
    at: { ...Timestamp, description: 'When, in UTC.' },
    via: Via,
    token_id: nullable(Type.Integer(), 'The access token that was used; null if there was none.'),
    run: nullable(Type.String(), 'The run that it belongs to; null without `X-Run-Id`.'),
    request_id: Type.String({ description: '`X-Request-Id` of the request.' }),
    kind: ref(AnyKind),
    key: Type.Integer({ description: 'Key of the row.' }),
    action: ref(Action),
    before: Row('The row as it was; null if it was created.'),
    after: Row('The row as the change left it; null if it was deleted.'),
    undone: Type.Boolean({ description: 'Whether it has been undone.' })
  },
  {
    $id: 'Change',
    description:
      'What was done to one row. `before` and `after` lack fields that are newer than the change.',
    examples: [
      {
        id: 7,
        at: '2026-11-21T09:30:00.000Z',
        via: 'agent',
        token_id: null,
        run: 'tidy-up-7',
        request_id: '855a4624',
        kind: 'todo',
        key: 1,
        action: 'create',
        before: null,
        after: Todo.examples[0],
        undone: false
      }
    ]
  }
)
export type Change = Static<typeof Change>

const After = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const ChangeQuery = Type.Composite([
  PageQuery,
  Type.Object({
    run: Type.Optional({ ...RunId, description: 'Only of this run.' }),
    kind: Type.Optional({ ...KindOnly, description: 'Only of this kind.' }),
    key: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only of the row with this key.'
      })
    ),
    since: Type.Optional({ ...Timestamp, description: 'Only from this time on.' }),
    after: Type.Optional({
      ...After,
      description:
        'Only those after the change with this id, oldest first, without `cursor`. Then go on with `next_after`.'
    })
  })
])

export const NextAfter = Type.Optional(
  Type.Integer({
    description: 'With `after`: where to go on, even if nothing is new.',
    examples: [7]
  })
)

export const StreamQuery = Type.Object({
  after: Type.Optional({
    ...After,
    description: 'Begins after the change with this id; without it, with the next change.'
  })
})

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      description: 'The same, and wins over `after`: browsers send it when they come back.',
      examples: ['7']
    })
  )
})

/** The answer of the stream. */
export const ChangeEvents = {
  description: 'The stream. It goes on until one side ends it.',
  headers: {
    'X-Accel-Buffering': {
      type: 'string',
      description: 'For proxies: pass on at once.',
      example: 'no'
    }
  },
  content: {
    'text/event-stream': {
      schema: { type: 'string', description: 'Events as in HTML, 9.2.' },
      example: 'event: change\nid: 7\ndata: {"id":7,"kind":"todo","key":1,"action":"create"}\n\n'
    }
  }
}

export const Run = Type.Object(
  {
    run: { ...RunId, description: 'Its name.' },
    via: { ...Via, description: 'Kind of credential of its first change.' },
    token_name: nullable(Type.String(), 'Name of the access token of its first change, if any.'),
    started_at: { ...Timestamp, description: 'When its first change was made, in UTC.' },
    ended_at: { ...Timestamp, description: 'When its last change was made, in UTC.' },
    changes: Type.Integer({ description: 'How many of its changes are recorded.' }),
    undone: Type.Boolean({ description: 'Whether all of them have been undone.' }),
    undoes: nullable(
      Type.Object({
        run: Type.Optional({ ...RunId, description: 'The run, if all of it was to be undone.' }),
        ids: Type.Optional(Type.Array(Type.Integer(), { description: 'The changes otherwise.' }))
      }),
      'What it undid, if it is an undo: a run, or changes by their ids.'
    )
  },
  {
    $id: 'Run',
    description: 'Changes made for one purpose, as far as your credential may read them.',
    examples: [
      {
        run: 'tidy-up-7',
        via: 'agent',
        token_name: null,
        started_at: '2026-11-21T09:30:00.000Z',
        ended_at: '2026-11-21T09:31:00.000Z',
        changes: 30,
        undone: false,
        undoes: null
      }
    ]
  }
)
export type Run = Static<typeof Run>

/** How many changes one request may name. */
const maxIds = 500

export const UndoRequest = Type.Object(
  {
    run: Type.Optional({ ...RunId, description: 'Undoes this run.' }),
    ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: maxIds,
        description: `Undoes these changes, at most ${maxIds}; instead of \`run\`.`,
        examples: [[7, 8]]
      })
    ),
    cursor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: '`next_cursor` of the previous answer, to continue.',
        examples: [7]
      })
    ),
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
const reasons = ['changed', 'cannot_return', 'undone', 'not_allowed', 'unknown'] as const
export type Reason = (typeof reasons)[number]

const ChangeId = Type.Integer({ description: 'Id of the change.', examples: [7] })

const UndoneWhole = Type.Object({ id: ChangeId, kind: ref(AnyKind), key: Key, action: ref(Action) })
const Undone = Type.Union([UndoneWhole, Type.Object({ id: ChangeId })], {
  $id: 'Undone',
  description: 'A change that was undone. With `Prefer: return=minimal` only its `id`.',
  examples: [{ id: 7, kind: 'todo', key: 1, action: 'create' }]
})
const Conflict = Type.Object(
  {
    id: ChangeId,
    kind: nullable(ref(AnyKind), 'Null if it is unknown.'),
    key: nullable(Type.Integer(), 'Null if it is unknown.'),
    reason: Type.Unsafe<Reason>({
      type: 'string',
      enum: reasons,
      description:
        '`changed`: the row has changed since. `cannot_return`: no room, key in use, or file gone. `undone`: already undone. `not_allowed`: this credential may not write this kind. `unknown`: no such change, or it is no longer recorded.'
    })
  },
  {
    $id: 'UndoConflict',
    description: 'A change that was not undone.',
    examples: [{ id: 8, kind: 'todo', key: 2, reason: 'changed' }]
  }
)
export type Undone = Static<typeof UndoneWhole>
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
export const undoOutcome = {
  undone: ref(UndoneList),
  conflicts: ref(Conflicts),
  run: ref(UndoRun),
  more: ref(More),
  next_cursor: ref(UndoNextCursor)
}

/** Fields of CONFLICT. If another request with the same key is running, only the first. */
export const undoRefusal = {
  ...failureFields.CONFLICT,
  ...Type.Partial(Type.Object(undoOutcome)).properties
}

/** The example in the document: an undo of which only a part succeeded. */
export const undoExample = {
  undone: Undone.examples,
  conflicts: Conflict.examples,
  run: UndoRun.examples?.[0],
  more: false,
  next_cursor: null
}
