import { sql } from 'kysely'
import { type Todo, todo } from '../../schemas/todo.ts'
import { ownRepository } from '../own/index.ts'
import type { OwnRow } from '../own/reads.ts'
import { recordedRepository } from '../own/record.ts'
import type { Param } from '../statement.ts'

declare module '../types.ts' {
  interface UserUsage {
    todos: number
  }
  interface Tables {
    todos: OwnRow<Todo>
  }
}

const own = ownRepository(todo)

/** Todos of one user. */
export const todos = recordedRepository({
  ...own,
  reads: (statements) => ({
    ...own.reads(statements),
    /** How many are not done. */
    countOpen: statements.first((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('todos')
        .select((eb) => eb.fn.countAll<number>().as('open'))
        .where('user_id', '=', p('user_id'))
        .where('is_completed', '=', sql<boolean>`false`)
    )
  })
})
