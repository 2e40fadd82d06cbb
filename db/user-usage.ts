import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isPostgres, type Numbers } from './query.ts'
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

export type Counted = Exclude<keyof UserUsage, 'user_id'>

interface Room {
  /** What is counted. */
  of: Counted
  /** How much the new row adds. */
  more?: RawBuilder<number>
}

/**
 * Selects a user and these values, if with a new row the user has no more than `max`. On PostgreSQL the user's
 * row stays locked until the end of the transaction, so that two inserts at once cannot both take the last
 * place. SQLite has only one writer.
 */
export const ifRoom = (
  db: Kysely<Tables>,
  p: Numbers<'user_id' | 'max'>,
  { of, more = sql.lit(1) }: Room,
  values: RawBuilder<unknown>[]
) => sql`select ${sql.join([sql.ref('user_id'), ...values])} from user_usage
  where user_id = ${p('user_id')} and ${sql.ref(of)} + ${more} <= ${p('max')}
  ${isPostgres(db) ? sql`for no key update` : sql``}`
