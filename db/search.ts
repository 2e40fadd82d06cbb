import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isPostgres, limit } from './query.ts'
import { isGiven, type Reader } from './statement.ts'

/**
 * Whether a column contains a text. Both databases ignore the case of A to Z only. No character of
 * the text is special. Every column contains the empty text.
 */
export function contains(db: Reader, column: string, text: RawBuilder<string | null>) {
  // In SQLite, `lower` changes ASCII letters only; in PostgreSQL it does so with the collation "C".
  return isPostgres(db)
    ? sql<boolean>`strpos(lower(${sql.ref(column)} collate "C"), lower(cast(${text} as text) collate "C")) > 0`
    : sql<boolean>`instr(lower(${sql.ref(column)}), lower(${text})) > 0`
}

/** A condition of a list that counts only if its value is given. */
export const ifGiven = (name: string, condition: Expression<unknown>) =>
  sql<boolean>`(not ${isGiven(name)} or ${condition})`

/** A time before every row: as a filter, it matches all. */
export const beginningOfTime = '0001-01-01T00:00:00.000Z'

/** A search looks at no more rows than this, because SQLite blocks the process meanwhile. */
export const searchMax = 10_000

/**
 * Makes one statement for each set of these filters, so that each uses its index. What it returns finds the one
 * for the filters that are given.
 */
export function byFilters<Filter extends string, Statement>(
  filters: readonly Filter[],
  make: (given: readonly Filter[]) => Statement
) {
  const made = new Map<string, Statement>()
  function statementOf(given: readonly Filter[]) {
    const statement = made.get(given.join()) ?? make(given)
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
