import { type RawBuilder, sql } from 'kysely'
import {
  type Access,
  type Grant,
  isShared,
  nobody,
  ownerAlone,
  type Right
} from '../../schemas/area/access.ts'
import { usersTable } from '../../schemas/area/declared.ts'
import { areaOfKind, referrersOf, tableOfKind } from '../../schemas/area/index.ts'
import { type Db, limit, listed } from '../query.ts'
import { param } from '../statement.ts'

/** A table of rows, and who may do what with them. */
export interface Guarded {
  table: string
  access?: Access
}

type Caller = RawBuilder<number>

/** A row that is judged, wherever its values are. */
export interface Judged {
  owner: RawBuilder<unknown>
  field(name: string): RawBuilder<unknown>
  /** Whether a field of users names the caller. */
  names(field: string, caller: Caller): RawBuilder<boolean>
}

/** A row of a table, which a statement calls `alias`. */
export const rowOf = (table: string, alias: string): Judged => ({
  owner: sql.ref(`${alias}.user_id`),
  field: (name) => sql.ref(`${alias}.${name}`),
  names: (field, caller) => sql`exists (select 1 from ${sql.table(usersTable(table))} as named
    where named.field = ${sql.lit(field)} and named.row_id = ${sql.ref(`${alias}.id`)} and named.user_id = ${caller})`
})

/** A row that is yet to be made, of these values: of a user who makes it, or who gets it back by an undo of another. */
const newRow = (db: Db, caller: Caller): Judged => ({
  owner: sql`cast(${param('user_id')} as bigint)`,
  field: (name) => sql`cast(${param(name)} as bigint)`,
  names: (field) => sql`${loginOf(caller)} in ${listed(db, param(field), 'text')}`
})

/** The login name of a user. */
export const loginOf = (user: RawBuilder<unknown>) =>
  sql<string>`(select users.user_id from users where users.id = ${user})`

const isAdministrator = (caller: Caller) =>
  sql<boolean>`exists (select 1 from users where users.id = ${caller} and users.role = 'admin')`
/** Nobody has this id. */
const isSignedIn = (caller: Caller) => sql<boolean>`${caller} > 0`

/** The table of a kind, and who may do what with its rows. */
export const guardedOf = (kind: string): Guarded => {
  const { access = ownerAlone } = areaOfKind(kind) ?? {}
  return { table: tableOfKind(kind), access }
}

/** Whether a caller may do something with one row. The only place, with `readable`, that decides it. */
export function mayDo(
  right: Right,
  { access = ownerAlone }: Guarded,
  row: Judged,
  caller: Caller
): RawBuilder<boolean> {
  const groundOf = (grant: Grant): RawBuilder<boolean> => {
    switch (grant.by) {
      case 'anyone':
        return sql<boolean>`true`
      case 'users':
        return isSignedIn(caller)
      case 'admins':
        return isAdministrator(caller)
      case 'owner':
        return sql<boolean>`${row.owner} = ${caller}`
      case 'named':
        return row.names(grant.field, caller)
      case 'referred': {
        const target = guardedOf(grant.to)
        const alias = `of_${grant.to}`
        const may = mayDo(right, target, rowOf(target.table, alias), caller)
        return sql<boolean>`exists (select 1 from ${sql.table(target.table)} as ${sql.ref(alias)}
          where ${sql.ref(`${alias}.id`)} = ${row.field(grant.field)} and ${may})`
      }
    }
  }
  const grounds = access[right].map(groundOf)
  return grounds.length > 0
    ? sql<boolean>`(${sql.join(grounds, sql` or `)})`
    : sql<boolean>`(1 = 0)`
}

/** Whether a caller may read a row that refers to the one of a kind with this id. */
export function isReferredTo(
  kind: string,
  id: RawBuilder<unknown>,
  caller: Caller
): RawBuilder<boolean> {
  const alias = 'referring'
  const rows = referrersOf(kind).map(({ area, field }) => {
    const may = mayDo('read', area, rowOf(area.table, alias), caller)
    return sql`exists (select 1 from ${sql.table(area.table)} as ${sql.ref(alias)}
      where ${sql.ref(`${alias}.${field}`)} = ${id} and ${may})`
  })
  return rows.length > 0 ? sql`(${sql.join(rows, sql` or `)})` : sql`(1 = 0)`
}

/** A page of a list, newest first: no more ids are needed of any ground to read. */
type Newest = { before: RawBuilder<number>; limit: RawBuilder<number> }

/** The same for reading, as the ids of all rows, so that indexes find them; null if no ids are needed. */
function idsOf(
  { table, access = ownerAlone }: Guarded,
  caller: Caller,
  newest?: Newest
): RawBuilder<unknown> | null {
  if (access.read.some(({ by }) => by === 'anyone' || by === 'users')) return null
  const of = sql.table(table)
  /** What an index has in the order of the ids. */
  const inOrder = (id: string, from: RawBuilder<unknown>) => {
    const column = sql.ref(id)
    const page =
      newest &&
      sql`and ${column} < ${newest.before} order by ${column} desc limit ${limit(newest.limit)}`
    return sql`select ${column} from (select ${column} from ${from} ${page ?? sql``}) as part`
  }
  const idsBy = (grant: Grant): RawBuilder<unknown> => {
    switch (grant.by) {
      case 'named':
        return inOrder(
          'row_id',
          sql`${sql.table(usersTable(table))} where user_id = ${caller} and field = ${sql.lit(grant.field)}`
        )
      case 'referred': {
        const target = guardedOf(grant.to)
        const ids = idsOf(target, caller) ?? sql`select id from ${sql.table(target.table)}`
        return sql`select id from ${of} where ${sql.ref(grant.field)} in (${ids})`
      }
      case 'owner':
        return inOrder('id', sql`${of} where user_id = ${caller}`)
      default:
        return sql`select id from ${of} where ${isAdministrator(caller)}`
    }
  }
  return sql.join(access.read.map(idsBy), sql` union all `)
}

/** Which rows of a list a caller may read; the statement calls them `alias`. */
export function readable(
  guarded: Guarded,
  alias: string,
  caller: Caller = param('user_id'),
  newest?: Newest
): RawBuilder<boolean> {
  const { access = ownerAlone } = guarded
  if (!isShared(access)) return sql`${sql.ref(`${alias}.user_id`)} = ${caller}`
  if (access.read.some(({ by }) => by === 'anyone')) return sql`true`
  const ids = idsOf(guarded, caller, newest)
  return ids ? sql`${sql.ref(`${alias}.id`)} in (${ids})` : isSignedIn(caller)
}

/** Readers of a row who need not be named, as numbers that no user has. */
const anyReader = { anyone: nobody, users: -1, admins: -2 }
/** The numbers by which a caller can be a reader. */
export const readerNumbers = (caller: Caller) => [
  caller,
  ...Object.values(anyReader).map((number) => sql.lit(number))
]

/** Who may read the rows with these ids, one `reader` a row: users, and `anyReader`. */
export function readersOf(guarded: Guarded, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  const partsOf = (
    { table, access = ownerAlone }: Guarded,
    ids: RawBuilder<unknown>
  ): RawBuilder<unknown>[] => {
    const of = (column: RawBuilder<unknown>) =>
      sql`select ${column} as reader from ${sql.table(table)} where id in (${ids})`
    return access.read.flatMap((grant) => {
      switch (grant.by) {
        case 'named':
          return sql`select user_id as reader from ${sql.table(usersTable(table))}
            where field = ${sql.lit(grant.field)} and row_id in (${ids})`
        case 'referred':
          return partsOf(
            guardedOf(grant.to),
            sql`select ${sql.ref(grant.field)} from ${sql.table(table)} where id in (${ids})`
          )
        case 'owner':
          return of(sql.ref('user_id'))
        default:
          return of(sql`cast(${sql.lit(anyReader[grant.by])} as bigint)`)
      }
    })
  }
  return sql.join(partsOf(guarded, ids), sql` union `)
}

/** Whether a caller is one of these readers, and was a user at that time. */
export const isReader = (
  reader: RawBuilder<unknown>,
  caller: Caller,
  at: RawBuilder<unknown>
) => sql<boolean>`(${reader} in (${caller}, ${sql.lit(anyReader.anyone)})
  or (${reader} = ${sql.lit(anyReader.users)}
    and exists (select 1 from users where users.id = ${caller} and users.created_at <= ${at}))
  or (${reader} = ${sql.lit(anyReader.admins)} and ${isAdministrator(caller)}))`

/** Whether a caller may make a row of these values. Rows that nobody shares are made by their owner alone. */
export const mayMake = (db: Db, guarded: Guarded, caller: Caller) =>
  isShared(guarded.access ?? ownerAlone)
    ? mayDo('write', guarded, newRow(db, caller), caller)
    : sql<boolean>`true`

/** The columns of a row as callers see them. Rows that others read name their owner. */
export const shownOf = (
  { access = ownerAlone }: Guarded,
  columns: readonly string[],
  alias: string
) =>
  columns.map((name) =>
    name === 'owner' && isShared(access)
      ? loginOf(sql.ref(`${alias}.user_id`)).as(name)
      : sql.ref(name).as(name)
  )
