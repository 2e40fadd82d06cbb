import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readsOf } from '../../../db/repositories/index.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import type { Kind } from '../../../schemas/kinds.ts'
import { lineOf } from './sentence.ts'

/** The name of a row, or its kind if it has none. */
export const nameOf = ({ activity }: FastifyInstance, kind: Kind, row: object) =>
  lineOf(String(Object(row)[activity.named(kind) ?? ''] ?? '')) || kind

/** A row as people tell it from others: `Soup · 12`, by name and id. */
export const labelOf = (app: FastifyInstance, kind: Kind, row: { id: number }) =>
  `${nameOf(app, kind, row)} · ${row.id}`

/** Labels of those of these rows that a user may read, by id. */
export async function labelsOf(
  app: FastifyInstance,
  kind: Kind,
  user_id: number,
  ids: readonly number[]
) {
  const own = readsOf(app.repos, areaOfKind(kind) ?? namesOf(kind))
  const rows = ids.length > 0 ? await own.among({ user_id, ids }) : []
  return new Map(rows.map((row) => [row.id, labelOf(app, kind, row)]))
}

type Row = Readonly<Record<string, unknown>> | null
interface Changed {
  kind: Kind
  key: number | null
  before: Row
  after: Row
}

/**
 * Makes of each of these changes the same one with labels where its rows refer to others by id, as far as the user may read
 * these. Of a row that is gone, the label is in the change that deletes it, if that is among them.
 */
export async function labeller<Change extends Changed>(
  { server: app, viewer }: FastifyRequest,
  changes: readonly Change[]
) {
  const labels = new Map<string, string>()
  const referred = new Map<Kind, Set<number>>()
  for (const { kind, key, before, after } of changes) {
    if (key !== null && before && !after)
      labels.set(`${kind} ${key}`, labelOf(app, kind, { ...before, id: key }))
    for (const { field, to } of areaOfKind(kind)?.refs ?? []) {
      const ids = referred.get(to) ?? new Set()
      referred.set(to, ids)
      for (const id of [before?.[field], after?.[field]]) if (typeof id === 'number') ids.add(id)
    }
  }
  for (const [kind, ids] of referred) {
    const found = await labelsOf(app, kind, viewer.user.id, [...ids])
    for (const [id, label] of found) labels.set(`${kind} ${id}`, label)
  }

  return (change: Change): Change => {
    const refs = areaOfKind(change.kind)?.refs ?? []
    const withLabels = (row: Row) => {
      const named = refs.flatMap(({ field, to }) => {
        const label = labels.get(`${to} ${row?.[field]}`)
        return label === undefined ? [] : [[field, label]]
      })
      return row && { ...row, ...Object.fromEntries(named) }
    }
    return { ...change, before: withLabels(change.before), after: withLabels(change.after) }
  }
}
