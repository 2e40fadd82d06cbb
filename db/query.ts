import {
  type Expression,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql
} from 'kysely'
import type { Param, Reader } from './statement.ts'
import type { Tables } from './types.ts'

type Db = Pick<Reader, 'getExecutor'>

/** Names a number that is given when the statement runs, in a part that several statements share. */
export type Numbers<Name> = (name: Name) => RawBuilder<number>

/** Whether queries are built for PostgreSQL, not SQLite. */
export const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter

export type OwnKey = { id: number; user_id: number }

/** Whether it is the row `id` of a user. Rows of other users are not found. */
export const isOwn = (p: Numbers<keyof OwnKey>) =>
  sql<boolean>`id = ${p('id')} and user_id = ${p('user_id')}`

/** A part of a list, newest first: at most `limit` rows with ids below `before`. */
export type Page = { before: number; limit: number }

/** A user's rows before an id, newest first. */
export const newestOf = <Sources, Source extends keyof Sources, Row>(
  rows: SelectQueryBuilder<Sources, Source, Row>,
  p: Numbers<'user_id' | 'before'>
) =>
  rows
    .where(sql<boolean>`user_id = ${p('user_id')} and id < ${p('before')}`)
    .orderBy(sql`id`, 'desc')

/**
 * A LIMIT that is given at run time. SQLite prepares a statement again each time a bare `LIMIT ?`
 * is bound; an expression around it avoids that.
 */
export const limit = (count: RawBuilder<number>) => sql<number>`cast(${count} as integer)`

/**
 * Removes rows whose `by` is before a time. Looks at the first `limit` rows in the order of this column,
 * which has an index. Returns the keys of those that it has removed.
 */
export const removeOldest =
  <Time extends number | string = number>(table: keyof Tables, key: string, by: string) =>
  (db: Kysely<Tables>, p: Param<{ before: Time; limit: number }>) =>
    db
      .deleteFrom(table)
      .where(sql<boolean>`${sql.ref(by)} < ${p('before')}`)
      .where(
        sql<boolean>`${sql.ref(key)} in (
          select ${sql.ref(key)} from ${sql.table(table)}
          order by ${sql.ref(by)} limit ${limit(p('limit'))})`
      )
      .returning(sql.ref(key).as('key'))

/** Inserts a row with these values for each row of a query. */
export const insertFrom = <
  Table extends keyof Tables,
  Column extends keyof Tables[Table] & string,
  Sources,
  Source extends keyof Sources
>(
  db: Kysely<Tables>,
  table: Table,
  query: SelectQueryBuilder<Sources, Source, object>,
  row: Record<Column, Expression<unknown>>
) => {
  const columns = Object.keys(row) as Column[]
  return db
    .insertInto(table)
    .columns(columns)
    .expression(query.select(columns.map((name) => sql`${row[name]}`.as(name))))
}

/** What a row gets that is there already: these columns of the one that was to be inserted. */
export const excluded = <Column extends string>(...columns: Column[]) =>
  Object.fromEntries(columns.map((name) => [name, sql.ref(`excluded.${name}`)])) as {
    [Name in Column]: RawBuilder<never>
  }

/** The numbers of a JSON array as rows with the column `value`. */
export const listed = (db: Db, array: RawBuilder<string>) =>
  isPostgres(db)
    ? sql<{
        value: number
      }>`(select value::bigint as value from json_array_elements_text(cast(${array} as json)))`
    : sql<{ value: number }>`(select value from json_each(${array}))`

/** Whether a column has one of the numbers of a JSON array. */
export const isListed = (db: Db, column: string, array: RawBuilder<string>) =>
  sql<boolean>`${sql.ref(column)} in ${listed(db, array)}`
