import { type Static, Type } from '@sinclair/typebox'
import { areaOfKind, isSharedKind } from './area/index.ts'
import { Key, Natural, oneOf, orNull, PageQuery, ref, Timestamp } from './common.ts'
import { type Kind, kinds } from './kinds.ts'
import { Todo } from './todo.ts'
import { credentials } from './user.ts'

/** The kind whose changes an operation records, by its scope; undefined if it records none. */
export const kindOf = (scope: string | undefined) => kinds.find((kind) => scope === `${kind}:write`)

/** Whether a field is content of a row: nothing that the service keeps, and nothing that follows from other fields. */
export const isContent = (kind: string, name: string) =>
  name !== 'created_at' &&
  name !== 'updated_at' &&
  !(name === 'version' && areaOfKind(kind)?.versions) &&
  !(name === 'sha256' && kind === 'attachment') &&
  !(name === 'owner' && isSharedKind(kind))

export const actions = ['create', 'update', 'delete'] as const

export const AnyKind = oneOf(kinds, {
  $id: 'Kind',
  description: 'Kind of the row.',
  examples: ['todo']
})
export type Action = (typeof actions)[number]
/** What readers are told: also that a row which others share is out of their sight from then on. */
export const Action = Type.Unsafe<Action>(
  oneOf([...actions, 'hidden'] as const, {
    $id: 'Action',
    description: 'What was done; `hidden`: you may no longer read it.',
    examples: ['create']
  })
)
/** Changes are the user's own, but for those that administrators make of the user's rows. */
export const Via = Type.String({
  $id: 'Via',
  enum: [...credentials, 'administrator'],
  description: 'Kind of credential; `administrator`: not by the user.',
  examples: ['session']
})
/** The name of a run. A run is all changes that are made for one purpose. */
export const RunId = Type.String({
  pattern: '^[A-Za-z0-9._\\-]{1,64}$',
  'x-must': 'be 1 to 64 letters, digits, `.`, `_` or `-`',
  description: 'Name of a run, as the caller chose it.',
  examples: ['tidy-up-7']
})

/** The component that shows a row of a kind: `Todo`. */
export const rowOf = (kind: Kind) => ({ $ref: `${kind[0]?.toUpperCase()}${kind.slice(1)}#` })

/** A row of the change's kind. Not checked by the serialiser: a record may be older than a field of its row. */
const Row = (description: string) => ({
  ...orNull(Type.Object({}, { additionalProperties: true }), description),
  'x-row': true
})

const WholeChange = Type.Object({
  id: Key,
  at: { ...Timestamp, description: 'When.' },
  via: ref(Via),
  token_id: orNull(Type.Integer(), 'Its access token, if any.'),
  token_name: orNull(Type.String(), 'Its name.'),
  run: orNull(Type.String(), 'Its run, if any.'),
  request_id: Type.String({ description: '`X-Request-Id`.' }),
  kind: ref(AnyKind),
  key: Type.Integer({ description: 'Key of the row.' }),
  action: Type.Unsafe<Action | 'hidden'>(ref(Action)),
  before: Row('The row before; null if created.'),
  after: Row('The row after; null if deleted.'),
  undone: Type.Boolean({ description: 'Whether it is undone.' })
})
export type Change = Static<typeof WholeChange>

const By = Type.Optional(
  Type.String({
    description: 'Login name of its author, if shared.',
    'x-no-example': true
  })
)
const { via, token_id, token_name, request_id, before, after } =
  Type.Partial(WholeChange).properties
/** One schema with and without `Prefer: return=minimal`: many languages have no type that is one of two. */
export const Change = Type.Object(
  {
    ...WholeChange.properties,
    ...{ via, token_id, token_name, request_id, before, after },
    by: By
  },
  {
    $id: 'Change',
    description:
      'A change of one row. `before` and `after` lack newer fields; `Prefer: return=minimal` leaves them out, and who did it.',
    examples: [
      {
        id: 7,
        at: '2026-11-21T09:30:00.000Z',
        via: 'agent',
        token_id: null,
        token_name: null,
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

/** The most seconds that a request waits for something to happen. */
export const maxWait = 30

export const ChangeQuery = Type.Object({
  ...PageQuery.properties,
  run: Type.Optional({ ...RunId, description: 'Only of this run.' }),
  kind: Type.Optional(oneOf(kinds, { description: 'Only of this kind.' })),
  key: Type.Optional(Natural({ description: 'Only of this row.' })),
  token_id: Type.Optional(Natural({ description: 'Only of this access token.' })),
  since: Type.Optional({ ...Timestamp, 'x-utc': true, description: 'From this time on.' }),
  after: Type.Optional(
    Natural({
      description:
        'Only after this id, oldest first, without `cursor`. While `more`, go on with `next_after`.'
    })
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxWait,
      description: 'Seconds to wait for a change.'
    })
  )
})

export const NextAfter = Type.Integer({
  description:
    'Send it as `after` to get what comes next: after this page, or without `after` from now on.',
  examples: [7]
})

export const More = Type.Boolean({
  description: 'Whether more follow: from `next_cursor` or, with `after`, from `next_after`.',
  examples: [false]
})

/** The header of a list of rows whose changes are recorded. */
export const NextAfterHeader = {
  type: 'integer',
  description:
    'Send it as `after` to `GET /activity/stream`, and no change of these rows is missed: it is read before they are. Of several pages the first one counts.',
  example: 7
}

export const Run = Type.Object(
  {
    run: { ...RunId, description: 'Its name.' },
    via: { ...ref(Via), description: 'That of its first change.' },
    token_name: orNull(Type.String(), 'Name of the access token of that change, if any.'),
    started_at: { ...Timestamp, description: 'When its first change was made.' },
    ended_at: { ...Timestamp, description: 'When its last change was made.' },
    changes: Type.Integer({
      description: 'How many of its changes are recorded.',
      examples: [30]
    }),
    undone: Type.Boolean({
      description: 'Whether all of them have been undone.',
      examples: [false]
    }),
    undone_changes: Type.Integer({
      description: 'How many of them have been undone.',
      examples: [0]
    }),
    undoes: orNull(
      Type.Object({
        run: Type.Optional({ ...RunId, description: 'The run, if all of it was to be undone.' }),
        ids: Type.Optional(Type.Array(Type.Integer(), { description: 'The changes otherwise.' }))
      }),
      'What it undid, if it is an undo: a run, or changes by their ids.'
    )
  },
  {
    $id: 'Run',
    description: 'Changes made for one purpose, as far as your credential may read them.'
  }
)
export type Run = Static<typeof Run>
