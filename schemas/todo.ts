import type { Static } from '@sinclair/typebox'
import { areaOf } from './area/index.ts'

/** To-do items. */
export const todo = areaOf({
  name: 'todo',
  description: 'Something to be done.',
  fields: {
    title: {
      type: 'text',
      description: 'What is to be done',
      examples: ['Buy milk', 'Buy oat milk'],
      codes: { required: 'TODO-TITLE-REQUIRED', pattern: 'TODO-TITLE-REQUIRED' }
    },
    is_completed: {
      type: 'boolean',
      description: 'Whether it is done',
      examples: [false, true],
      later: true
    }
  }
})
export const { row: Todo, created: NewTodo, changed: TodoChange, key: TodoKey } = todo
export type Todo = Static<typeof Todo>
