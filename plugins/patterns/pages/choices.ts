import type { FastifyInstance } from 'fastify'
import { readsOf } from '../../../db/repositories/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import type { Kind } from '../../../schemas/kinds.ts'
import { lineOf } from '../activity/sentence.ts'

/** So many rows are offered; others are found by their name or id. */
const maxOffered = 200

const all = { before: Number.MAX_SAFE_INTEGER, limit: maxOffered }

/** Rows of a kind as people choose one: `Soup · 12`, by name and id. */
export function choicesOf({ repos, activity }: FastifyInstance, kind: Kind) {
  const own = readsOf(repos, namesOf(kind))
  const nameOf = (row: object) => {
    const named = activity.named(kind)
    return named === undefined ? kind : lineOf(String(Object(row)[named]))
  }
  const labelOf = (row: { id: number }) => `${nameOf(row)} · ${row.id}`
  return {
    /** The newest of a user. */
    async offered(user_id: number) {
      const { rows } = await own.search({ ...all, user_id })
      return rows.map(labelOf)
    },
    /** Those with these ids, by id. */
    async labels(user_id: number, ids: readonly number[]) {
      const rows = ids.length > 0 ? await own.among({ user_id, ids }) : []
      return new Map(rows.map((row) => [row.id, labelOf(row)]))
    },
    /** The id that a text ends with, or that of the only row with this name. */
    async idOf(user_id: number, text: string): Promise<number | undefined> {
      const [, id] = /(?:^| · )(\d{1,15})$/.exec(text) ?? []
      if (id !== undefined) return Number(id)
      const { rows } = await own.search({ ...all, user_id, q: text })
      const [found, ...others] = rows.filter((row) => nameOf(row) === text)
      return others.length === 0 ? found?.id : undefined
    }
  }
}
