import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type Reference,
  type Referrer,
  referrersOf,
  tableOfKind
} from '../../schemas/area/index.ts'
import type { Kind } from '../../schemas/kinds.ts'
import { isListed } from '../query.ts'
import { isGiven, param } from '../statement.ts'
import type { Tables } from '../types.ts'

/** A row of a user, by the kinds that a declaration names. */
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

/** Whether the row that a field refers to is there, with the value that is given; a field that is not given is not looked at. */
export const isThere = ({ field, to }: Reference, self?: RawBuilder<unknown>) => {
  // A deleted file is kept for a while.
  const isKept = to === 'attachment' ? sql`and target.deleted_at is null` : sql``
  const value = sql`cast(${param(field)} as bigint)`
  const target = sql`select 1 from ${sql.table(tableOfKind(to))} as target
    where target.id = ${value} and target.user_id = ${param('user_id')} ${isKept}`
  const isSelf = self ? sql`or ${value} = ${self}` : sql``
  return sql<boolean>`(not ${isGiven(field)} or ${value} is null or exists (${target}) ${isSelf})`
}

/** The rows that refer with one field to some rows of a user. */
export const referring = (db: Kysely<Tables>, { area, field }: Referrer) => {
  const column = sql.ref(field)
  return sql<{
    id: number
    to: number
  }>`select id, ${column} as ${sql.ref('to')} from ${sql.table(area.table)}
    where user_id = ${param('user_id')} and ${isListed(db, field, param('ids'))}
    order by id limit ${sql.lit(most + 1)}`
}

/** A row that refers to one that is deleted. */
type Dependent = Named & { referrer: Referrer }

type Find = (referrer: Referrer, ids: readonly number[]) => Promise<{ id: number; to: number }[]>

/**
 * What happens to other rows of a user when one is deleted: those that lose a reference, and those that go too, each
 * before the rows that it refers to. @throws Referenced
 */
export async function releasedWith(start: Named, find: Find) {
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
        for (const { id, to } of await find(referrer, ids)) {
          const row = { kind: referrer.area.kind, id, referrer }
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
  if (first) throw new Referenced(first)

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
