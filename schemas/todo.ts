import { type Static, Type } from '@sinclair/typebox'
import { describeArea } from './area/index.ts'
import { Created, Key, Updated } from './common.ts'

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
