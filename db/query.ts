import {
  type Expression,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql
} from 'kysely'
import { isGiven, type Param, type Reader } from './statement.ts'
import type { Tables } from './types.ts'

export type Db = Pick<Reader, 'getExecutor'>

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

/** The values of a JSON array, whole numbers unless a type is named, as rows with the column `value`. */
export const listed = (db: Db, array: RawBuilder<string>, type = 'bigint') =>
  isPostgres(db)
    ? sql<{
        value: number
      }>`(select value::${sql.raw(type)} as value from json_array_elements_text(cast(${array} as json)))`
    : sql<{ value: number }>`(select value from json_each(${array}))`

/** Whether a column has one of the values of a JSON array. */
export const isListed = (db: Db, column: string, array: RawBuilder<string>, type?: string) =>
  sql<boolean>`${sql.ref(column)} in ${listed(db, array, type)}`

interface Room {
  /** The column of `user_usage` that counts it. */
  of: string
  /** How much the new row adds. */
  more?: RawBuilder<number>
  /** What must hold besides. */
  where?: RawBuilder<boolean>
}

/**
 * Selects a user and these values, if with a new row the user has no more than `max`. On PostgreSQL the user's
 * row stays locked until the end of the transaction, so that two inserts at once cannot both take the last
 * place. SQLite has only one writer.
 */
export const ifRoom = (
  db: Kysely<Tables>,
  p: Numbers<'user_id' | 'max'>,
  { of, more = sql.lit(1), where = sql<boolean>`true` }: Room,
  values: RawBuilder<unknown>[]
) => sql`select ${sql.join([sql.ref('user_id'), ...values])} from user_usage
  where user_id = ${p('user_id')} and ${sql.ref(of)} + ${more} <= ${p('max')} and ${where}
  ${isPostgres(db) ? sql`for no key update` : sql``}`

/** A condition of a list that counts only if its value is given. */
export const ifGiven = (name: string, condition: Expression<unknown>) =>
  sql<boolean>`(not ${isGiven(name)} or ${condition})`

/** A time before every row: as a filter, it matches all. */
export const beginningOfTime = '0001-01-01T00:00:00.000Z'

/** A search looks at no more rows than this, because SQLite blocks the process meanwhile. */
export const searchMax = 10_000
/** Nor at more characters of texts. */
export const searchCharacters = 10_000_000

/** So many filters have a statement for each set of them. More would have too many sets. */
const exactFilters = 3

/** A filter as a condition of a statement. */
type When = (name: string, condition: RawBuilder<boolean>) => RawBuilder<boolean>
const always: When = (_name, condition) => condition

/**
 * Makes one statement for each set of these filters, so that each uses its index; of many filters, one for each and one
 * for several. What it returns finds the one for the filters that are given.
 */
export function byFilters<Filter extends string, Statement>(
  filters: readonly Filter[],
  make: (given: readonly Filter[], when: When) => Statement
) {
  const made = new Map<string, Statement>()
  const several = filters.length > exactFilters ? make(filters, ifGiven) : undefined
  function statementOf(given: readonly Filter[]) {
    if (several !== undefined && given.length > 1) return several
    const statement = made.get(given.join()) ?? make(given, always)
    made.set(given.join(), statement)
    return statement
  }
  // A mistake in one of these stops the start; those with some of many filters are made when they are needed.
  for (const given of [[], ...filters.map((filter) => [filter]), filters]) statementOf(given)
  return (wanted: { [Name in Filter]?: unknown }) =>
    statementOf(filters.filter((name) => wanted[name] !== undefined))
}

/** The last row of a list that a search may look at, if the list is that long. */
export const searchEnd = <Tables, Table extends keyof Tables, Row>(
  list: SelectQueryBuilder<Tables, Table, Row>,
  max: RawBuilder<number> = sql.lit(searchMax)
) => list.limit(sql.lit(1)).offset(limit(sql`${max} - 1`))

/** Rows that were found, and the key below which the search did not look; 0 if it saw the whole list. */
export type Found<Row> = { rows: Row[]; rest: number }

/** The lowest key that a search looks at. */
export type From = { from: number }

/**
 * Searches a list, but looks at a limited number of rows: `findEnd` finds the `searchEnd` of the list,
 * and `findRows` looks at the rows from there on. A filter that an index answers needs no limit.
 */
export const boundedSearch =
  <Range, Wanted, Row>(
    findEnd: (range: Range) => Promise<{ id: number } | undefined>,
    findRows: (wanted: Wanted & From) => Promise<Row[]>
  ) =>
  async (args: Range & Wanted, isBounded = true): Promise<Found<Row>> => {
    const rest = isBounded ? ((await findEnd(args))?.id ?? 0) : 0
    return { rows: await findRows({ ...args, from: rest }), rest }
  }
