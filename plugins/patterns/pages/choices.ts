import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readsOf } from '../../../db/repositories/index.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import type { Kind } from '../../../schemas/kinds.ts'
import { invalid } from '../../http/errors/index.ts'
import { listOfNames } from '../activity/difference.ts'
import { labelOf, labelsOf, nameOf } from '../activity/labels.ts'
import type { Arguments } from '../operations/arguments.ts'

export type Row = Record<string, unknown>
type Caller = Pick<FastifyRequest, 'viewer'>

/** So many rows are offered; others are found by their name or id. */
const maxOffered = 200

const all = { before: Number.MAX_SAFE_INTEGER, limit: maxOffered }

/** Rows of a kind as people choose one: `Soup · 12`, by name and id. */
function choicesOf(app: FastifyInstance, kind: Kind) {
  const own = readsOf(app.repos, areaOfKind(kind) ?? namesOf(kind))
  return {
    /** The newest of a user. */
    async offered(user_id: number) {
      const { rows } = await own.search({ ...all, user_id })
      return rows.map((row) => labelOf(app, kind, row))
    },
    /** The id that a text ends with, or that of the only row with this name. */
    async idOf(user_id: number, text: string): Promise<number | undefined> {
      const [, id] = /(?:^| · )(\d{1,15})$/.exec(text) ?? []
      if (id !== undefined) return Number(id)
      const { rows } = await own.search({ ...all, user_id, q: text })
      const [found, ...others] = rows.filter((row) => nameOf(app, kind, row) === text)
      return others.length === 0 ? found?.id : undefined
    }
  }
}

/** What a text of JSON says. Fails with the field if it is none. */
function objectOf(field: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid({ in: 'body', field, message: 'must be JSON: { "note": "anything" }' })
  }
}

/** Login names as people write them: with commas between them, and one that has a comma itself in quotes. */
const namesIn = (text: string) =>
  [...text.matchAll(/[^\S\n]*(?:"((?:[^"]|"")*)"|([^,;\n]+))/g)]
    .map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((name) => name !== '')

/** The fields of a kind that its page shows and takes in another form than programs: rows by name, JSON and users as text. */
export function referencesOf(app: FastifyInstance, kind: Kind) {
  const refs = (areaOfKind(kind)?.refs ?? []).map((ref) => ({
    ...ref,
    choices: choicesOf(app, ref.to)
  }))
  /** The row that is meant, or why none is. */
  async function meant(
    { viewer }: Caller,
    { to, choices }: (typeof refs)[number],
    text: string
  ): Promise<{ id: number } | { message: string }> {
    const id = await choices.idOf(viewer.user.id, text.trim())
    const message = `is the name of no ${to}, or of several: choose one of the list`
    return id === undefined ? { message } : { id }
  }
  const area = areaOfKind(kind)
  /** How fields that are no line of text are read and written as one. */
  const texts = Object.entries(area?.fields ?? {}).flatMap(([field, { type }]) => {
    if (type === 'json')
      return [{ field, read: (text: string) => objectOf(field, text), write: JSON.stringify }]
    return type === 'users' ? [{ field, read: namesIn, write: listOfNames }] : []
  })
  return {
    fields: refs.map(({ field }) => field),

    /** The id of the row that a text names for a field, or why there is none. */
    async find(request: FastifyRequest, field: string, text: string) {
      const ref = refs.find((one) => one.field === field)
      return ref ? meant(request, ref, text) : { message: 'refers to nothing' }
    },

    /** What can be chosen for each field, as far as the caller may read it. */
    offered: ({ viewer }: Caller) =>
      Promise.all(
        refs.map(async ({ field, to, choices }) => {
          const isReadable = app.activity.readable(viewer).includes(to)
          return { field, labels: isReadable ? await choices.offered(viewer.user.id) : [] }
        })
      ),

    /** What a form sends, with the ids of the rows that were chosen, and what JSON says. Fails with the field. */
    async chosen(request: Caller, given: Arguments): Promise<Arguments> {
      const ids: Record<string, number> = {}
      for (const ref of refs) {
        const { field } = ref
        const text = given[field]
        if (typeof text !== 'string') continue
        const found = await meant(request, ref, text)
        if ('message' in found) throw invalid({ in: 'body', field, ...found })
        ids[field] = found.id
      }
      const values = texts
        .filter(({ field }) => typeof given[field] === 'string')
        .map(({ field, read }) => [field, read(String(given[field]))])
      return { ...given, ...ids, ...Object.fromEntries(values) }
    },

    /** Rows with the names of those that they refer to, instead of their ids, and JSON as text. */
    async withLabels(user_id: number, rows: readonly Row[]): Promise<Row[]> {
      const labels = await Promise.all(
        refs.map(async ({ field, to }) => {
          const ids = [...new Set(rows.map((row) => row[field]))].filter(
            (id) => typeof id === 'number'
          )
          return [field, await labelsOf(app, to, user_id, ids)] as const
        })
      )
      return rows.map((row) => ({
        ...row,
        ...Object.fromEntries(
          labels.map(([field, of]) => [field, of.get(Number(row[field])) ?? row[field]])
        ),
        ...Object.fromEntries(
          texts
            .filter(({ field }) => row[field] instanceof Object)
            .map(({ field, write }) => [field, write(row[field])])
        )
      }))
    }
  }
}
