import { type Static, Type } from '@sinclair/typebox'
import { Id, ref, Timestamp } from './common.ts'

const Title = Type.String({
  maxLength: 255,
  pattern: '\\S',
  description: 'Stored trimmed. White space alone is no title.',
  examples: ['Buy milk'],
  'x-error-codes': { required: 'TODO-TITLE-REQUIRED', pattern: 'TODO-TITLE-REQUIRED' }
})

const IsCompleted = Type.Boolean({ examples: [false] })

export const Todo = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    is_completed: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp
  },
  {
    $id: 'Todo',
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
  { $id: 'NewTodo', examples: [{ title: 'Buy milk' }] }
)

export const TodoReplacement = Type.Object(
  { title: Title, is_completed: Type.Optional(IsCompleted) },
  { $id: 'TodoReplacement', examples: [{ title: 'Buy oat milk', is_completed: true }] }
)

export const TodoChange = Type.Object(
  { title: Type.Optional(Title), is_completed: Type.Optional(IsCompleted) },
  {
    $id: 'TodoChange',
    anyOf: [{ required: ['title'] }, { required: ['is_completed'] }],
    description: 'Either field, or both.',
    examples: [{ is_completed: true }]
  }
)

export const TodoKey = Type.Object({
  id: Id({ required: 'TODO-ID-REQUIRED', absent: 'TODO-NOT-FOUND' })
})

/** At most `max` items; each is checked by itself, so that a bad one does not refuse the others. */
export const TodoBatch = (max: number) =>
  Type.Object(
    {
      items: Type.Array(Type.Unknown(), {
        maxItems: max,
        description: 'Each is a `NewTodo`.',
        'x-error-codes': { maxItems: 'BATCH-TOO-LARGE' },
        // Documented, not validated: the validator would refuse all for one.
        'x-items': { $ref: '#/components/schemas/NewTodo' }
      })
    },
    { examples: [{ items: [{ title: 'Buy milk' }, { title: 'Buy bread' }] }] }
  )

const index = Type.Integer({ description: 'Position in the request, from 0.', examples: [0] })

export const BatchItem = Type.Union(
  [
    Type.Object({ index, status: Type.Literal('success'), todo: ref(Todo) }),
    Type.Object({
      index,
      status: Type.Literal('failure'),
      errorCode: Type.String({ examples: ['TODO-TITLE-REQUIRED'] }),
      errorMessage: Type.String({ examples: ['TODO title is required.'] })
    })
  ],
  {
    $id: 'BatchItem',
    examples: [
      {
        index: 0,
        status: 'failure',
        errorCode: 'TODO-TITLE-REQUIRED',
        errorMessage: 'TODO title is required.'
      }
    ]
  }
)
export type BatchItem = Static<typeof BatchItem>
