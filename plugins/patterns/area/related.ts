import type { FastifyRequest } from 'fastify'
import { readsOf } from '../../../db/repositories/index.ts'
import { areaOfKind, type Reference } from '../../../schemas/area/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import type { Path } from '../../../schemas/area/with.ts'
import { mayFollow, readerOf } from './public.ts'

type Row = Readonly<Record<string, unknown>>

/** The rows that rows of a list refer to, by the paths that are asked for (`recipe`, `recipe.cook`); each once. */
export async function related(
  request: FastifyRequest,
  rows: readonly Row[],
  paths: readonly Path[],
  asked: string
) {
  const { server: app } = request
  const known = new Map<string, Promise<Row[]>>()

  async function read(rows: readonly Row[], { field, to }: Reference): Promise<Row[]> {
    const ids = [...new Set(rows.map((row) => row[field]))].filter((id) => typeof id === 'number')
    if (ids.length === 0 || !mayFollow(request, to)) return []
    const own = readsOf(app.repos, areaOfKind(to) ?? namesOf(to))
    const found = await own.among({ user_id: readerOf(request), ids })
    if (to !== 'attachment') return found
    return found.map((file) => ({
      ...file,
      url: app.signedUrl.sign(`/attachment/download/id_${file.id}`).url
    }))
  }
  function readFirst(first: Reference) {
    const found = known.get(first.field) ?? read(rows, first)
    known.set(first.field, found)
    return found
  }

  const wanted = new Set(asked.split(','))
  const found = paths
    .filter(({ name }) => wanted.has(name))
    .map(async ({ name, first, second }) => {
      const of = await readFirst(first)
      return [name, second ? await read(of, second) : of]
    })
  return Object.fromEntries(await Promise.all(found))
}
