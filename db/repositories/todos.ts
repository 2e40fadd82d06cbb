import { NewTodo, Todo, TodoChange } from '../../schemas/todo.ts'
import { type OwnRow, ownReads } from '../own-reads.ts'
import { type Changing, type Making, ownWrites } from '../own-writes.ts'
import { recordedRepository } from '../recorded.ts'

declare module '../user-usage.ts' {
  interface UserUsage {
    todos: number
  }
}

declare module '../types.ts' {
  interface Tables {
    todos: OwnRow<Todo>
  }
}

const own = {
  kind: 'todo',
  table: 'todos',
  row: Todo,
  created: NewTodo,
  changed: TodoChange,
  texts: ['title'],
  filters: ['is_completed'],
  time: 'updated_at'
} as const

/** Todos of one user. */
export const todos = recordedRepository({
  reads: (statements) => ownReads(statements, own),
  writes: (_statements, record) =>
    ownWrites<Todo, Making<NewTodo>, Changing<TodoChange>>(record, own)
})
