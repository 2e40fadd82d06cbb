import type { Connection } from '../statement.ts'
import { sessionRepository } from './sessions.ts'
import { todoRepository } from './todos.ts'
import { userRepository } from './users.ts'

/** All repositories over one connection: the shared one, or that of a transaction. */
export const createRepositories = (connection: Connection) => ({
  users: userRepository(connection),
  sessions: sessionRepository(connection),
  todos: todoRepository(connection)
})

export type Repositories = ReturnType<typeof createRepositories>
