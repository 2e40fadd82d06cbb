import type { Actor } from '../../db/own/record.ts'
import { absent } from '../../db/statement.ts'
import { NewTodo, Todo, TodoChange } from '../../schemas/todo.ts'

const now = '2026-11-21T09:30:00.000Z'

/** A user who changes rows without a request. */
export const by: Actor = {
  user_id: 1,
  at: now,
  via: 'session',
  token_id: null,
  run: null,
  request_id: 'test'
}

const empty = Object.fromEntries(Object.keys(Todo.properties).map((name) => [name, null])) as {
  [Name in keyof Todo]: null
}

/** The arguments with which the repository inserts a todo. */
export const newTodo = (user_id: number, title: string) => ({
  ...absent(NewTodo),
  user_id,
  by,
  title,
  max: 100
})

/** The row of a todo after it was inserted. What may be null is null. */
export const todoRow = (id: number, title: string): Todo => ({
  ...empty,
  id,
  title,
  is_completed: false,
  created_at: now,
  updated_at: now
})

/** A change of a todo that changes nothing. */
export const noChange = { ...absent(TodoChange), by }
