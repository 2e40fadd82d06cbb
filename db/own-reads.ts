import type { Static, TObject } from '@sinclair/typebox'
import { type Generated, type RawBuilder, sql } from 'kysely'
import { isOwn, limit, newestOf, type OwnKey, type Page } from './query.ts'
import {
  beginningOfTime,
  boundedSearch,
  byFilters,
  contains,
  type Found,
  type From,
  ifGiven,
  searchEnd,
  searchMax
} from './search.ts'
import { columnsOf, type Param, param, type Reader, type Statements } from './statement.ts'
import type { Tables } from './types.ts'

/** The columns of a table whose rows belong to users, if callers see `Row` of them. */
export type OwnRow<Row> = Omit<Row, 'id'> & { id: Generated<number>; user_id: number }

/** The tables that have these columns. */
type OwnTable<Row> = {
  [Name in keyof Tables]: Tables[Name] extends OwnRow<Row> ? Name : never
}[keyof Tables]

interface Own<Row extends TObject, Filter> {
  table: OwnTable<Static<Row>>
  row: Row
  /** The columns in which a text is looked for. */
  texts: readonly string[]
  /** In how many rows at most; fewer if the texts are long. */
  textMax?: number
  /** The columns by whose value a list can be filtered, and the time by which it can. */
  filters?: readonly Filter[]
  time: 'created_at' | 'updated_at'
  /** The columns that can hold more than a line (`Statements.all`). */
  long?: readonly string[]
  /** Rows for which this does not hold are not found. */
  visible?: RawBuilder<boolean>
}

type Range = { user_id: number; before: number }
type Wanted = Page & From & { user_id: number; q: string | undefined; since: string }

/** Reads the rows of one user. Those of other users are not found. */
export function ownReads<Row extends TObject, Filter extends keyof Static<Row> & string = never>(
  { all, first }: Statements<Reader>,
  own: Own<Row, Filter>
) {
  const { table, row, texts, textMax = searchMax, filters = [], time, long, visible } = own
  const columns = columnsOf(row).map((name) => sql.ref(name).as(name))
  function rows(db: Reader) {
    const all = db.selectFrom(sql<{ id: number }>`${sql.table(table)}`.as('own'))
    return visible ? all.where(visible) : all
  }
  // `OwnTable` has made sure that the table has these columns.
  const whole = (db: Reader) => rows(db).select(columns).$castTo<Static<Row>>()

  const list = all(
    (db, p: Param<Page & { user_id: number }>) => newestOf(whole(db), p).limit(limit(p('limit'))),
    long
  )
  const searchOf = byFilters(filters, (given) => {
    const isAmong = given.map((name) => sql<boolean>`${sql.ref(name)} = ${param(name)}`)
    return boundedSearch(
      first((db, p: Param<Range & { most: number }>) =>
        searchEnd(newestOf(rows(db).select('id'), p), p('most')).where((eb) => eb.and(isAmong))
      ),
      all((db, p: Param<Wanted>) => {
        const isFound = texts.map((name) => contains(db, name, p('q')))
        return newestOf(whole(db), p)
          .where((eb) => eb.and(isAmong))
          .where('id', '>=', p('from'))
          .where(sql<boolean>`${sql.ref(time)} >= ${p('since')}`)
          .where((eb) => ifGiven('q', eb.or(isFound)))
          .limit(limit(p('limit')))
      }, long)
    )
  })

  return {
    /** Newest first, from the id before `before`. */
    list,

    /** The same, filtered. An undefined filter matches all. */
    async search(
      asked: Page & { user_id: number; q?: string | undefined; since?: string | undefined } & {
        [Name in Filter]?: Static<Row>[Name] | undefined
      }
    ): Promise<Found<Static<Row>>> {
      const { q, since = beginningOfTime } = asked
      const isFiltered = filters.some((name) => asked[name] !== undefined)
      const looksAtRows = (q ?? asked.since) !== undefined
      if (!looksAtRows && !isFiltered) return { rows: await list(asked), rest: 0 }
      const most = q === undefined ? searchMax : textMax
      return searchOf(asked)({ ...asked, q, since, most }, looksAtRows)
    },

    find: first((db, p: Param<OwnKey>) => whole(db).where(isOwn(p)))
  }
}
