import { NewTodo, Todo, TodoChange } from '../../schemas/todo.ts'
import { ownRepository } from '../own/index.ts'
import type { OwnRow } from '../own/reads.ts'

declare module '../types.ts' {
  interface UserUsage {
    todos: number
  }
  interface Tables {
    todos: OwnRow<Todo>
  }
}

/** Todos of one user. */
export const todos = ownRepository({
  kind: 'todo',
  table: 'todos',
  row: Todo,
  created: NewTodo,
  changed: TodoChange,
  texts: ['title'],
  filters: ['is_completed'],
  time: 'updated_at'
})
