import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isPostgres } from './statement.ts'
import type { Tables } from './types.ts'

declare module './types.ts' {
  interface Tables {
    /**
     * What each user has stored: one row for each user. Triggers of the counted tables keep it, so
     * it is right whatever writes to them.
     */
    user_usage: {
      user_id: number
      todos: number
      memos: number
      upload_bytes: number
      /** Bytes of the answers stored for idempotency keys, plus 512 for each key. */
      answer_bytes: number
      /** Of the recorded changes (`recordBytes`). What records them adds, a trigger subtracts. */
      activity_bytes: number
    }
  }
}

/** The user, what is counted, its maximum, and how much the new row adds. */
interface Room {
  of: 'todos' | 'memos' | 'upload_bytes'
  user_id: RawBuilder<number>
  more: RawBuilder<number>
  most: RawBuilder<number>
}

/**
 * Inserts a row if its user has room for it. On PostgreSQL the user's row stays locked until the end
 * of the transaction, so that two inserts at once cannot both take the last place. SQLite has only
 * one writer. `row` has the other columns.
 */
export function insertIfRoom<
  Table extends 'todos' | 'memos' | 'attachments',
  Column extends keyof Tables[Table] & string
>(
  db: Kysely<Tables>,
  table: Table,
  { of, user_id, more, most }: Room,
  row: Record<Column, RawBuilder<unknown>>
) {
  const values = Object.entries<RawBuilder<unknown>>(row)
  const columns = Object.keys(row) as Column[]
  const room = db
    .selectFrom('user_usage')
    .where('user_id', '=', user_id)
    .where((eb) => eb(eb(of, '+', more), '<=', most))
    .$if(isPostgres(db), (query) => query.forNoKeyUpdate())
    .select(['user_id', ...values.map(([name, value]) => value.as(name))])
  return db
    .insertInto(table)
    .columns(['user_id', ...columns])
    .expression(room)
}

/** What a recorded change counts: the row before and after as JSON, and 512 for the rest of it. */
export const recordBytes = (before: RawBuilder<unknown>, after: RawBuilder<unknown>) =>
  sql<number>`(512 + octet_length(coalesce(${before}, '')) + octet_length(coalesce(${after}, '')))`

/** Of the columns of a record. */
export const ownBytes = recordBytes(sql.ref('before'), sql.ref('after'))

/** How many records one removal looks at: on SQLite, reading all of a user would block the process. */
const removeMost = 1000

/**
 * Removes the oldest records of a user, so many that at most `most` bytes are left. The next removal
 * goes on if `removeMost` of them are not enough.
 */
export function removeOldest(
  db: Kysely<Tables>,
  { user_id, most }: Record<'user_id' | 'most', RawBuilder<number>>
) {
  const excess = sql`(select activity_bytes from user_usage where user_id = ${user_id}) - ${most}`
  return db
    .deleteFrom('changes')
    .where('user_id', '=', user_id)
    .where(
      sql<boolean>`id in (
        select id from (
          select id, ${ownBytes} as bytes, sum(${ownBytes}) over (order by id) as freed
          from (
            select * from changes where user_id = ${user_id} order by id limit ${sql.lit(removeMost)}
          ) as oldest
        ) as summed
        where freed - bytes < ${excess}
      )`
    )
}
