import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { describeArea } from './area/index.ts'
import { Created, DryRun, Key, Natural, oneOf, ref, Updated } from './common.ts'
import { catalog } from './errors.ts'
import { BatchFailure, batchIndex } from './failures.ts'

const Title = Type.String({
  'x-trimmed': true,
  maxLength: 255,
  pattern: '\\S',
  description: 'Trimmed, not empty.',
  examples: ['Buy milk'],
  'x-error-codes': { required: 'TODO-TITLE-REQUIRED', pattern: 'TODO-TITLE-REQUIRED' }
})

const IsCompleted = Type.Boolean({ description: 'Whether it is done.', examples: [false] })

export const Todo = Type.Object(
  {
    id: Key,
    title: Type.String({ description: 'What is to be done.' }),
    is_completed: Type.Boolean({ description: 'Whether it is done.' }),
    created_at: Created,
    updated_at: Updated
  },
  {
    $id: 'Todo',
    description: 'Something to be done.',
    examples: [
      {
        id: 1,
        title: 'Buy milk',
        is_completed: false,
        created_at: '2026-11-21T09:30:00.000Z',
        updated_at: '2026-11-21T09:30:00.000Z'
      }
    ]
  }
)
export type Todo = Static<typeof Todo>

export const NewTodo = Type.Object(
  { title: Title },
  { $id: 'NewTodo', description: 'A todo to create.', examples: [{ title: 'Buy milk' }] }
)
export type NewTodo = Static<typeof NewTodo>

const changeable = { title: Title, is_completed: Type.Optional(IsCompleted) }

export const TodoReplacement = Type.Object(changeable, {
  $id: 'TodoReplacement',
  description: 'The new state of a todo.',
  examples: [{ title: 'Buy oat milk', is_completed: true }]
})

export const TodoChange = Type.Partial(Type.Object(changeable), {
  $id: 'TodoChange',
  anyOf: Object.keys(changeable).map((name) => ({ required: [name] })),
  description: 'Fields of a todo to change, at least one.',
  examples: [{ is_completed: true }]
})
export type TodoChange = Static<typeof TodoChange>

/** The area, as its routes and its repository need it. */
export const todo = describeArea({
  kind: 'todo',
  description: 'To-do items of the signed-in user.',
  row: Todo,
  created: NewTodo,
  replaced: TodoReplacement,
  changed: TodoChange,
  filters: {
    is_completed: Type.Boolean({ description: 'Only those done, or not done.' })
  },
  texts: ['title']
})
export const { key: TodoKey } = todo

/** Names a todo in a body; the codes are those of `TodoKey`. */
export const TodoItemKey = Natural({
  description: 'Key of the todo, a number.',
  examples: [1],
  'x-error-codes': {
    required: 'TODO-ID-REQUIRED',
    type: 'TODO-ID-REQUIRED',
    minimum: 'TODO-ID-REQUIRED',
    maximum: 'TODO-NOT-FOUND'
  }
})

const changeOfOne = {
  id: TodoItemKey,
  title: Type.Optional(Title),
  is_completed: Type.Optional(IsCompleted)
}

export const TodoItemChange = Type.Object(changeOfOne, {
  $id: 'TodoItemChange',
  anyOf: Object.keys(changeable).map((name) => ({ required: [name] })),
  description: 'Fields of one todo to change, at least one.',
  examples: [{ id: 1, is_completed: true }]
})

/**
 * At most `max` items. The schema of an item is in `x-items`, for the document only: with `items`, the
 * validator would refuse the whole batch for one bad item. The handler validates each by itself.
 */
const itemsOf = (max: number, item: TSchema) =>
  Type.Array(Type.Unknown(), {
    maxItems: max,
    description: 'Done in this order.',
    'x-error-codes': { maxItems: 'BATCH-TOO-LARGE' },
    'x-items': item
  })

export const TodoBatch = (max: number) =>
  Type.Object(
    { items: itemsOf(max, ref(NewTodo)), dry_run: DryRun },
    {
      description: 'Todos to create.',
      examples: [{ items: [{ title: 'Buy milk' }, { title: 'Buy bread' }] }]
    }
  )

export const TodoBatchChange = (max: number) =>
  Type.Object(
    { items: itemsOf(max, ref(TodoItemChange)), dry_run: DryRun },
    {
      description: 'Changes of todos.',
      examples: [{ items: [{ id: 1, is_completed: true }] }]
    }
  )

export const TodoRemoval = (max: number) =>
  Type.Object(
    { ids: itemsOf(max, TodoItemKey), dry_run: DryRun },
    { description: 'Todos to delete.', examples: [{ ids: [1] }] }
  )

export const BatchItem = Type.Object(
  {
    index: batchIndex,
    status: oneOf(['success', 'failure'], { description: 'Whether it was done.' }),
    id: Type.Optional({
      ...Key,
      description: 'Of a deletion, and of what is asked for in short: the key of its todo.'
    }),
    todo: Type.Optional(ref(Todo)),
    ...Type.Partial(Type.Omit(BatchFailure, ['index', 'status'])).properties
  },
  {
    $id: 'BatchItem',
    description:
      'The result of one item. With `Prefer: return=minimal` or `dry_run` only the `id` of its todo, if it has one.'
  }
)

const errorCode = 'TODO-NOT-FOUND'

/** The examples in the document: an item that was done and one that was not. */
export const batchExamples = [
  { index: 0, status: 'success', todo: Todo.examples[0] },
  { index: 1, status: 'failure', errorCode, errorMessage: catalog[errorCode].message }
]
