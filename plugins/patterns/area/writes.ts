import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyOwn } from '../../../db/own/index.ts'
import { ownOf } from '../../../db/repositories/index.ts'
import { absent, cleared } from '../../../db/statement.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import { codesOf } from '../../../schemas/errors.ts'
import { conflict, fail, invalid } from '../../http/errors/index.ts'

type Caller = Pick<FastifyRequest, 'repos' | 'viewer' | 'actor'>
/** Who may read which kinds. */
type Readers = { activity: Pick<FastifyInstance['activity'], 'readable'> }
type Values = Readonly<Record<string, unknown>>
/** Which row is written. */
interface Target {
  id: number
  /** The version that it must have, if it has versions; null for any. */
  version?: number | null | undefined
}

/**
 * Writes rows of an area in the name of a caller, as its routes and its batches do; `max`: how many a user may have.
 * Each write fails with what the caller is told.
 */
export function writesOf({ activity }: Readers, area: Area, max: number) {
  const { refs } = area
  const { absent: notFound } = codesOf(area.kind)
  const noFields = absent(area.created)
  const noChange = absent(area.changed)
  const noValues = { ...noChange, ...cleared(area.created) }

  function failMissing(field: string): never {
    const { to = '' } = refs.find((one) => one.field === field) ?? {}
    throw invalid({
      in: 'body',
      field,
      message: `must be the id of ${namesOf(to).aOne} that you may read`
    })
  }

  /** Fails if the caller refers to rows that it may not read. */
  function checkReadable({ viewer }: Caller, row: Values) {
    const readable = refs.length > 0 ? activity.readable(viewer) : []
    const hidden = refs.find(({ field, to }) => row[field] != null && !readable.includes(to))
    if (hidden) failMissing(hidden.field)
  }

  /** Fails if that is why a row was not written: what it refers to is not there, or another has what must differ. */
  async function checkRefused(own: AnyOwn, row: Parameters<AnyOwn['taken']>[0]) {
    const missing = await own.missing(row)
    if (missing !== undefined) failMissing(missing)
    const taken = await own.taken(row)
    if (!taken) return
    const [field = ''] = taken
    const message = `is taken by another row${taken.length > 1 ? `, together with ${taken.slice(1).join(', ')}` : ''}`
    conflict('taken', { data: { taken: field, details: [{ in: 'body', field, message }] } })
  }

  const rowOf = ({ viewer, actor: by }: Caller, { id, version = null }: Target) => ({
    ...{ id, version, user_id: viewer.user.id, by }
  })

  /** Fails, as the row was not written: it is not there, or has another version. */
  async function checkVersion(own: AnyOwn, row: ReturnType<typeof rowOf>) {
    const { version } = (await own.find(row)) ?? fail(notFound)
    if (version !== undefined && row.version !== null && version !== row.version)
      fail('PRECONDITION-FAILED', { data: { version } })
  }

  async function write(caller: Caller, target: Target, fields: Values) {
    const row = { ...fields, ...rowOf(caller, target) }
    checkReadable(caller, row)
    const own = ownOf(caller.repos, area)
    const updated = await own.update(row)
    if (updated) return updated
    await checkVersion(own, row)
    await checkRefused(own, row)
    return fail(notFound)
  }

  return {
    async create(caller: Caller, fields: Values) {
      const { repos, viewer, actor: by } = caller
      const row = { ...noFields, ...fields, user_id: viewer.user.id, by, max }
      checkReadable(caller, row)
      const own = ownOf(repos, area)
      const made = await own.insert(row)
      if (!made) await checkRefused(own, row)
      return made ?? conflict('quota')
    },
    /** What is left out is cleared. */
    replace: (caller: Caller, target: Target, fields: Values) =>
      write(caller, target, { ...noValues, ...fields }),
    /** What is left out stays as it is. */
    change: (caller: Caller, target: Target, fields: Values) =>
      write(caller, target, { ...noChange, ...fields }),
    async remove(caller: Caller, target: Target) {
      const own = ownOf(caller.repos, area)
      const row = rowOf(caller, target)
      const removed = await own.remove(row)
      if (!removed) await checkVersion(own, row)
      return removed ?? fail(notFound)
    }
  }
}
