import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { type Generated, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { decides, isShared, ownerAlone, type Right } from '../../schemas/area/access.ts'
import { type Reference, referrersOf } from '../../schemas/area/index.ts'
import type { Unique } from '../../schemas/area/unique.ts'
import { componentOf, maxJsonBytes } from '../../schemas/common.ts'
import { contains, folded } from '../folded.ts'
import {
  beginningOfTime,
  boundedSearch,
  byFilters,
  type Found,
  type From,
  ifGiven,
  isListed,
  isOwn,
  limit,
  type Numbers,
  type OwnKey,
  type Page,
  searchCharacters,
  searchEnd,
  searchMax
} from '../query.ts'
import { columnsOf, type Param, param, type Reader, type Statements } from '../statement.ts'
import type { Tables } from '../types.ts'
import { type Guarded, isReferredTo, mayDo, mayMake, readable, rowOf, shownOf } from './access.ts'
import { ownLists } from './lists.ts'
import { isThere } from './references.ts'
import { stored } from './stored.ts'
import { isTaken } from './unique.ts'

/** The columns of a table whose rows belong to users, if callers see `Row` of them. */
export type OwnRow<Row> = Omit<Row, 'id'> & { id: Generated<number>; user_id: number }

/** How the rows of a table are read. */
export interface OwnReads<Row extends TObject, Filter> extends Guarded {
  kind: string
  row: Row
  /** What users send: it limits the texts of a row. */
  created?: TObject
  /** The columns in which a text is looked for; each has a folded one beside it (db/folded.ts). */
  texts: readonly string[]
  /** The columns by whose value a list can be filtered, and the time by which it can. */
  filters?: readonly Filter[]
  /** Lists of columns that together differ in any two rows of a user. */
  unique?: Unique
  /** The columns that refer to rows. */
  refs?: readonly Reference[]
  time: 'created_at' | 'updated_at'
  /** Whoever may read a row that refers to one of these may read that one too; it is in no list of theirs. */
  isReadByReference?: boolean
  /** Rows for which this does not hold are not found. */
  visible?: RawBuilder<boolean>
}

/** Characters that count as a line. */
const line = 255

/** The characters at which a search counts a text without a limit. */
const unlimited = 10_000

/** The most characters of a field; 0 if it is no text, a time or one of some words. */
function charactersOf(field: Partial<TSchema>): number {
  const { type, anyOf, maxLength, format = '', enum: values, ...own } = componentOf(field) ?? field
  if (own['x-json']) return maxJsonBytes
  if (anyOf) return Math.max(...anyOf.map(charactersOf))
  const isText = type === 'string' && !values && !format.startsWith('date')
  return isText ? (maxLength ?? unlimited) : 0
}

/** Values of a row; `id` if it is there already, and keeps those that are not given. */
type Taken = { user_id: number; callerId: number; id?: number | undefined }
type Range = { user_id: number; before: number }
type Wanted = Page & From & { user_id: number; q: string | undefined; fromTime: string }

/** Reads the rows that a user may read: its own, if they are not shared. Others are not found. */
export function ownReads<Row extends TObject, Filter extends keyof Static<Row> & string = never>(
  statements: Statements<Reader>,
  own: OwnReads<Row, Filter>
) {
  const { all, first } = statements
  const { table, row, created, texts, filters = [], time, visible, access = ownerAlone } = own
  const { kind, unique = [], refs = [], isReadByReference = false } = own
  const sizeOf = (name: string) =>
    charactersOf(created?.properties[name] ?? row.properties[name] ?? {})
  const long = columnsOf(row).filter((name) => sizeOf(name) > line)
  const characters = texts.reduce((sum, name) => sum + sizeOf(name), 1)
  const textMax = Math.min(searchMax, Math.ceil(searchCharacters / characters))
  const columns = shownOf(own, columnsOf(row), 'own')
  function rows(db: Reader) {
    const all = db.selectFrom(sql<{ id: number }>`${sql.table(table)}`.as('own'))
    return visible ? all.where(visible) : all
  }
  const isReadable = readable(own, 'own')
  const may = (right: Right) => mayDo(right, own, rowOf(table, 'own'), param('user_id'))
  const mayFind = isReadByReference
    ? sql<boolean>`(${may('read')} or ${isReferredTo(kind, sql.ref('own.id'), param('user_id'))})`
    : may('read')
  const newestOf = <Found>(
    query: SelectQueryBuilder<Tables, never, Found>,
    p: Numbers<'before'>,
    which = isReadable
  ) => query.where(sql<boolean>`${which} and id < ${p('before')}`).orderBy(sql`id`, 'desc')
  const whole = (db: Reader) => rows(db).select(columns).$castTo<Static<Row>>()

  const list = all((db, p: Param<Page & { user_id: number }>) => {
    const page = { before: p('before'), limit: p('limit') }
    const which = readable(own, 'own', p('user_id'), page)
    return newestOf(whole(db), p, which).limit(limit(p('limit')))
  }, long)
  const searchOf = byFilters(filters, (given, when) => {
    const isAmong = given.map((name) => when(name, sql<boolean>`${sql.ref(name)} = ${param(name)}`))
    return boundedSearch(
      first((db, p: Param<Range & { maxRows: number }>) =>
        searchEnd(newestOf(rows(db).select(sql<number>`own.id`.as('id')), p), p('maxRows')).where(
          (eb) => eb.and(isAmong)
        )
      ),
      all((db, p: Param<Wanted>) => {
        const isFound = texts.map((name) => contains(db, name, p('q')))
        return newestOf(whole(db), p)
          .where((eb) => eb.and(isAmong))
          .where(sql<boolean>`id >= ${p('from')}`)
          .where(sql<boolean>`${sql.ref(time)} >= ${p('fromTime')}`)
          .where((eb) => ifGiven('q', eb.or(isFound)))
          .limit(limit(p('limit')))
      }, long)
    )
  })

  /** Which of these cases is so. */
  function firstOf(db: Reader, cases: readonly RawBuilder<unknown>[]) {
    const one = sql<{ one: number }>`(select 1 as one)`.as('one')
    return db
      .selectFrom(one)
      .select(sql<number | null>`case ${sql.join(cases, sql` `)} end`.as('at'))
  }
  /** What a column of the row has now. */
  const ofRow = (name: string) =>
    sql`(select ${sql.ref(name)} from ${sql.table(table)} where ${isOwn(param)})`
  function firstTaken(db: Reader, _p: Param<Taken>) {
    const cases = unique.map(
      (names, at) => sql`when ${isTaken(own, names, ofRow)} then ${sql.lit(at)}`
    )
    return firstOf(db, cases)
  }
  const takenAt = unique.length > 0 ? first(firstTaken) : null

  function firstMissing(db: Reader, _p: Param<Taken>) {
    const cases = refs.map(
      (one, at) => sql`when not ${isThere(one, { current: ofRow(one.field) })} then ${sql.lit(at)}`
    )
    return firstOf(db, cases)
  }
  const missingAt = refs.length > 0 ? first(firstMissing) : null

  const deciding = refs.filter(({ field }) => decides(access, field))
  const areMine = deciding.map((one) => isThere(one, { current: ofRow(one.field), right: 'write' }))
  const allowing = (of: (db: Reader) => RawBuilder<boolean>[]) =>
    first((db, _p: Param<Taken>) =>
      firstOf(db, [sql`when ${sql.join([sql`true`, ...of(db)], sql` and `)} then 1`])
    )
  const allowed = isShared(access) && {
    toMake: allowing((db) => [mayMake(db, own, param('callerId')), ...areMine]),
    toChange: allowing(() => areMine)
  }

  const isHeld = referrersOf(kind).map(
    ({ area, field }) => sql`exists (select 1 from ${sql.table(area.table)} as other
      where ${sql.ref(`other.${field}`)} = own.id and other.user_id <> own.user_id)`
  )
  const held =
    isShared(access) && isHeld.length > 0
      ? all((db, p: Param<{ user_id: number; after: number; limit: number }>) =>
          rows(db)
            .select(sql.ref<number>('own.id').as('id'))
            .where(
              sql<boolean>`own.user_id = ${p('user_id')} and own.id > ${p('after')} and (${sql.join(isHeld, sql` or `)})`
            )
            .orderBy(sql`own.id`)
            .limit(limit(p('limit')))
        )
      : null

  const among = all(
    (db, p: Param<{ user_id: number; ids: string }>) =>
      whole(db)
        .where(sql<boolean>`${isListed(db, 'id', p('ids'))} and ${mayFind}`)
        .orderBy(sql`id`, 'desc'),
    long
  )

  const rights = all((db, p: Param<{ user_id: number; ids: string }>) =>
    rows(db)
      .where(sql<boolean>`${isListed(db, 'id', p('ids'))} and ${may('read')}`)
      .select([
        sql.ref<number>('own.id').as('id'),
        sql.ref<number>('user_id').as('user_id'),
        may('write').as('write'),
        may('manage').as('manage')
      ])
  )

  // Of files, their bytes are counted.
  const used =
    created &&
    first((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('user_usage')
        .select(sql.ref<number>(table).as('used'))
        .where('user_id', '=', p('user_id'))
    )

  const ofAll = (db: Reader, p: Numbers<'before'>) =>
    rows(db)
      .where(sql<boolean>`id < ${p('before')}`)
      .orderBy(sql`id`, 'desc')
  const newest = boundedSearch(
    first((db, p: Param<{ before: number; maxRows: number }>) =>
      searchEnd(ofAll(db, p).select('id'), p('maxRows'))
    ),
    all((db, p: Param<Page & From & { q: string }>) => {
      const isFound = texts.map((name) => contains(db, name, p('q')))
      return ofAll(db, p)
        .select([...columns, sql.ref<number>('user_id').as('user_id')])
        .where('id', '>=', p('from'))
        .where((eb) => eb.or(isFound))
        .limit(limit(p('limit')))
        .$castTo<Static<Row> & { user_id: number }>()
    }, long)
  )

  return {
    ...ownLists(statements, { ...own, whole }),

    /** Newest first, from the id before `before`. */
    list,

    /** The same, filtered. An undefined filter matches all. */
    async search(
      asked: Page & { user_id: number; q?: string | undefined; fromTime?: string | undefined } & {
        [Name in Filter]?: Static<Row>[Name] | undefined
      }
    ): Promise<Found<Static<Row>>> {
      const { q, fromTime = beginningOfTime } = asked
      const isFiltered = filters.some((name) => asked[name] !== undefined)
      const looksAtRows = (q ?? asked.fromTime) !== undefined
      if (!looksAtRows && !isFiltered) return { rows: await list(asked), rest: 0 }
      const maxRows = q === undefined ? searchMax : textMax
      return searchOf(asked)(
        { ...asked, q: q === undefined ? q : folded(q), fromTime, maxRows },
        looksAtRows
      )
    },

    /** Rows of all users that contain `q`, newest first: for administrators. */
    newest: (wanted: Page & { q: string }): Promise<Found<Static<Row> & { user_id: number }>> =>
      newest({ ...wanted, q: folded(wanted.q), maxRows: textMax }, wanted.q !== ''),

    find: first((db, p: Param<OwnKey>) =>
      whole(db).where(sql<boolean>`id = ${p('id')} and ${mayFind}`)
    ),

    /** How many of its user there are. */
    used: async (of: { user_id: number }) => (await used?.(of))?.used ?? 0,

    /** Those of a user that rows of others refer to, oldest first, from the id after `after`. */
    held: async (asked: { user_id: number; after: number; limit: number }) =>
      held ? held(asked) : [],

    /** Oldest first, from the id after `after`. */
    after: all((db, p: Param<{ user_id: number; after: number; limit: number }>) =>
      whole(db)
        .where(sql<boolean>`${isReadable} and id > ${p('after')}`)
        .orderBy(sql`id`)
        .limit(limit(p('limit')))
    ),

    /** Who owns those of these rows that a user may read, and what else that user may do with them. */
    rights: async ({ user_id, ids }: { user_id: number; ids: readonly number[] }) =>
      (await rights({ user_id, ids: JSON.stringify(ids) })).map(({ write, manage, ...row }) => ({
        ...row,
        // SQLite has no booleans.
        write: Boolean(write),
        manage: Boolean(manage)
      })),

    /** Those of these rows that are there, newest first, as many as fill a page. */
    among: ({ user_id, ids }: { user_id: number; ids: readonly number[] }) =>
      among({ user_id, ids: JSON.stringify(ids) }),

    /** Which field of a row with these values refers to no row of the user; undefined if none. */
    async missing(row: Taken): Promise<string | undefined> {
      const found = await missingAt?.(row)
      return refs[found?.at ?? -1]?.field
    },

    /** Whether a user may give a row these values, or make one of them. */
    async allows(row: Taken): Promise<boolean> {
      if (!allowed) return true
      const { toMake, toChange } = allowed
      const found = (row.id === undefined ? toMake : toChange)({ ...row, ...stored(row) })
      return (await found)?.at === 1
    },

    /** Which list of `unique` another row of the user has, of a row with these values; undefined if none. */
    async taken(row: Taken): Promise<Unique[number] | undefined> {
      const found = await takenAt?.(row)
      return unique[found?.at ?? -1]
    }
  }
}
