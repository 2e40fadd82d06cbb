import type { Kysely, RawBuilder } from 'kysely'
import { isPostgres } from './statement.ts'
import type { Tables } from './types.ts'

/**
 * What each user has stored: one row for each user. Triggers of the counted tables keep it, so it is right
 * whatever writes to them. Each counted table adds its column here.
 */
export interface UserUsage {
  user_id: number
}

declare module './types.ts' {
  interface Tables {
    user_usage: UserUsage
  }
}

/** The tables whose rows belong to a user. */
type Owned = {
  [Table in keyof Tables]: Tables[Table] extends { user_id: number } ? Table : never
}[keyof Tables]

/** The user, what is counted, its maximum, and how much the new row adds. */
interface Room {
  of: Exclude<keyof UserUsage, 'user_id'>
  user_id: RawBuilder<number>
  more: RawBuilder<number>
  max: RawBuilder<number>
}

/**
 * Inserts a row if its user has room for it. On PostgreSQL the user's row stays locked until the end
 * of the transaction, so that two inserts at once cannot both take the last place. SQLite has only
 * one writer. `row` has the other columns.
 */
export function insertIfRoom<Table extends Owned, Column extends keyof Tables[Table] & string>(
  db: Kysely<Tables>,
  table: Table,
  { of, user_id, more, max }: Room,
  row: Record<Column, RawBuilder<unknown>>
) {
  const values = Object.entries<RawBuilder<unknown>>(row)
  const columns = Object.keys(row) as Column[]
  const room = db
    .selectFrom('user_usage')
    .where('user_id', '=', user_id)
    .where((eb) => eb(eb(of, '+', more), '<=', max))
    .$if(isPostgres(db), (query) => query.forNoKeyUpdate())
    .select(['user_id', ...values.map(([name, value]) => value.as(name))])
  return db
    .insertInto(table)
    .columns(['user_id', ...columns])
    .expression(room)
}
