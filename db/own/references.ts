import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isShared, ownerAlone, type Right } from '../../schemas/area/access.ts'
import { type Reference, type Referrer, referrersOf } from '../../schemas/area/index.ts'
import type { Kind } from '../../schemas/kinds.ts'
import { type Db, isListed, isPostgres } from '../query.ts'
import { isGiven, param } from '../statement.ts'
import type { Tables } from '../types.ts'
import { guardedOf, mayDo, readable, rowOf } from './access.ts'

/** A row, by the kinds that a declaration names. */
export interface Named {
  kind: Kind
  id: number
}

/** A row cannot be deleted, because this one refers to it, or because too many do. Nothing has been changed. */
export class Referenced extends Error {
  override readonly name = 'Referenced'
  readonly by: Named

  constructor({ kind, id }: Named) {
    super(`${kind} ${id} refers to it`)
    this.by = { kind, id }
  }
}

/** So many rows can go, or lose their reference, with one that is deleted. */
const most = 1000

interface Wanted {
  /** The row that has the field, to which it may refer. */
  self?: RawBuilder<unknown> | undefined
  /** Null: it need only be there. */
  right?: Right | null
  /** What the row refers to now: that may stay, whatever it is. */
  current?: RawBuilder<unknown> | undefined
  /** The database of a write: what it refers to stays until that is committed. */
  keptBy?: Db
}

/**
 * Whether a caller may read the row that a field refers to, or do more with it, with the value that is given; a field
 * that is not given is not looked at.
 */
export const isThere = (
  { field, to }: Reference,
  { self, current, right = 'read', keptBy }: Wanted = {}
) => {
  // A deleted file is kept for a while.
  const isKept = to === 'attachment' ? sql`and target.deleted_at is null` : sql``
  const value = sql`cast(${param(field)} as bigint)`
  const guarded = guardedOf(to)
  const row = rowOf(guarded.table, 'target')
  const may = right ? sql`and ${mayDo(right, guarded, row, param('callerId'))}` : sql``
  // On PostgreSQL, one of another user could be deleted meanwhile.
  const isLocked = keptBy && isPostgres(keptBy) && isShared(guarded.access ?? ownerAlone)
  const lock = isLocked ? sql`for key share of target` : sql``
  const target = sql`select 1 from ${sql.table(guarded.table)} as target
    where target.id = ${value} ${may} ${isKept} ${lock}`
  const isSelf = self ? sql`or ${value} = ${self}` : sql``
  const stays = current ? sql`or ${value} is not distinct from ${current}` : sql``
  return sql<boolean>`(not ${isGiven(field)} or ${value} is null ${stays} or exists (${target}) ${isSelf})`
}

/** On PostgreSQL, nobody else makes a row that refers to these until the end of the transaction. SQLite has one writer. */
export const forUpdate = (db: Db, alias: string) =>
  isPostgres(db) ? sql`for update of ${sql.ref(alias)}` : sql``

/** The rows that refer with one field to some rows, as far as the caller may read them: others stay, and refer to none. */
export const referring = (
  db: Kysely<Tables>,
  { area, field }: Referrer,
  { isLocked }: { isLocked: boolean }
) => {
  const column = sql.ref(field)
  return sql<{
    id: number
    user_id: number
    to: number
  }>`select id, user_id, ${column} as ${sql.ref('to')} from ${sql.table(area.table)} as own
    where ${readable(area, 'own', param('callerId'))} and ${isListed(db, field, param('ids'))}
    order by id limit ${sql.lit(most + 1)} ${isLocked ? forUpdate(db, 'own') : sql``}`
}

/** A row that refers to one that is deleted, and who owns it. */
type Dependent = Named & { user_id: number; referrer: Referrer }

export type Referring = { id: number; user_id: number; to: number }
/** What a deletion has done to other rows, each by its kind. */
export type Released = Record<'cleared' | 'deleted', readonly Pick<Named, 'kind'>[]>

type Find = (referrer: Referrer, ids: readonly number[]) => Promise<Referring[]>

/**
 * What happens to other rows when one is deleted: those that lose a reference, and those that go too, each
 * before the rows that it refers to. `isForced`: what refuses the deletion is left alone. @throws Referenced
 */
export async function releasedWith(start: Named, find: Find, { isForced = false } = {}) {
  const nameOf = ({ kind, id }: Named) => `${kind} ${id}`
  const gone = new Set([nameOf(start)])
  /** The rows that go with a row. */
  const below = new Map<string, Dependent[]>()
  const refusing: Dependent[] = []
  const cleared: Dependent[] = []
  for (let level: Named[] = [start]; level.length > 0; ) {
    const next: Named[] = []
    for (const [kind, rows] of Map.groupBy(level, ({ kind }) => kind)) {
      for (const referrer of referrersOf(kind)) {
        const ids = rows.map(({ id }) => id)
        for (const { id, user_id, to } of await find(referrer, ids)) {
          const row = { kind: referrer.area.kind, id, user_id, referrer }
          if (gone.size + cleared.length > most) throw new Referenced(row)
          if (referrer.on_delete === 'refuse') refusing.push(row)
          else if (referrer.on_delete === 'clear') cleared.push(row)
          else {
            const name = nameOf({ kind, id: to })
            below.set(name, [...(below.get(name) ?? []), row])
            if (gone.has(nameOf(row))) continue
            gone.add(nameOf(row))
            next.push(row)
          }
        }
      }
    }
    level = next
  }
  const isLeft = (row: Named) => !gone.has(nameOf(row))
  const [first] = refusing.filter(isLeft)
  if (first && !isForced) throw new Referenced(first)

  const deleted: Dependent[] = []
  const seen = new Set([nameOf(start)])
  function addBelow(row: Named) {
    for (const one of below.get(nameOf(row)) ?? []) {
      if (seen.has(nameOf(one))) continue
      seen.add(nameOf(one))
      addBelow(one)
      deleted.push(one)
    }
  }
  addBelow(start)
  return { cleared: cleared.filter(isLeft), deleted }
}
