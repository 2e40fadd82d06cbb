import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyOwn } from '../../../db/own/index.ts'
import type { Released } from '../../../db/own/references.ts'
import { ownOf } from '../../../db/repositories/index.ts'
import { absent, cleared } from '../../../db/statement.ts'
import { isShared } from '../../../schemas/area/access.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import { codesOf } from '../../../schemas/errors.ts'
import { loginKey } from '../../../schemas/names.ts'
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
  const { refs, users } = area
  const hasRights = isShared(area.access)
  const { absent: notFound } = codesOf(area.kind)
  const noFields = absent(area.created)
  const noChange = absent(area.changed)
  const noValues = { ...noChange, ...cleared(area.created) }

  function fault(field: string, message: string): never {
    throw invalid({ in: 'body', field, message })
  }

  function failMissing(field: string): never {
    const { to = '' } = refs.find((one) => one.field === field) ?? {}
    // Who reads a file of another does not hand it on.
    const which = to === 'attachment' ? 'of your own' : 'that you may read'
    return fault(field, `must be the id of ${namesOf(to).aOne} ${which}`)
  }

  /** The login names of users as they are kept. Fails if one is of nobody. */
  async function loginNames({ repos }: Caller, field: string, typed: readonly string[]) {
    const keys = typed.map(loginKey)
    const found = await repos.users.namesAmong({
      ...{ names: JSON.stringify(typed), keys: JSON.stringify(keys) }
    })
    const names = typed.map((name, index) => {
      const user =
        found.find(({ user_id }) => user_id === name) ??
        found.find(({ login_key }) => login_key === keys[index])
      return user?.user_id ?? fault(field, `has no user ${name}`)
    })
    return [...new Set(names)]
  }

  /** Fails if a row is to refer to what the caller does not read. What it refers to already may stay. */
  async function checkReadable({ repos, viewer }: Caller, fields: Values, id?: number) {
    const readable = refs.length > 0 ? activity.readable(viewer) : []
    const hidden = refs.filter(({ field, to }) => fields[field] != null && !readable.includes(to))
    if (hidden.length === 0) return
    const own = ownOf(repos, area)
    const current = id === undefined ? {} : await own.find({ id, user_id: viewer.user.id })
    const moved = hidden.find(({ field }) => current && fields[field] !== Object(current)[field])
    if (moved) failMissing(moved.field)
  }

  /** The values of a row, with users as they are named. */
  async function named<Of extends Values>(caller: Caller, row: Of): Promise<Of> {
    const given = users.filter((field) => Array.isArray(row[field]))
    const known = await Promise.all(
      given.map(async (field) => [field, await loginNames(caller, field, row[field] as string[])])
    )
    return { ...row, ...Object.fromEntries(known) }
  }

  /** Fails if a row cannot be written: what it refers to is not there, or another has what must differ. */
  async function checkRefused(own: AnyOwn, row: Parameters<AnyOwn['taken']>[0]) {
    const missing = await own.missing(row)
    if (missing !== undefined) failMissing(missing)
    if (!(await own.allows(row))) fail('FORBIDDEN')
    const taken = await own.taken(row)
    if (taken) failTaken(taken)
  }

  function failTaken(taken: readonly string[]): never {
    const [field = ''] = taken
    const message = `is taken by another row${taken.length > 1 ? `, together with ${taken.slice(1).join(', ')}` : ''}`
    conflict('taken', { data: { taken: field, details: [{ in: 'body', field, message }] } })
  }

  /** Whose row it is, where it can be another's. Fails if the caller may not do this with it. */
  async function ownerOf({ repos, viewer }: Caller, id: number, right: 'write' | 'manage') {
    const user_id = viewer.user.id
    if (!hasRights) return user_id
    const [found = fail(notFound)] = await ownOf(repos, area).rights({ user_id, ids: [id] })
    return found[right] ? found.user_id : fail('FORBIDDEN')
  }

  async function rowOf(
    caller: Caller,
    { id, version: ifVersion = null }: Target,
    right: 'write' | 'manage' = 'write'
  ) {
    const { viewer, actor: by } = caller
    const user_id = await ownerOf(caller, id, right)
    return { id, ifVersion, user_id, callerId: viewer.user.id, by }
  }
  type Row = Awaited<ReturnType<typeof rowOf>>

  /** Fails, as the row was not written: it is not there, or has another version. */
  async function checkVersion(own: AnyOwn, { id, ifVersion, callerId }: Row) {
    const found = (await own.find({ id, user_id: callerId })) ?? fail(notFound)
    if (found.version !== undefined && ifVersion !== null && found.version !== ifVersion)
      fail('PRECONDITION-FAILED', { data: { version: found.version } })
  }

  async function write(caller: Caller, target: Target, fields: Values) {
    const there = await rowOf(caller, target)
    await checkReadable(caller, fields, target.id)
    const row = await named(caller, { ...fields, ...there })
    const own = ownOf(caller.repos, area)
    const updated = await own.update(row)
    if (updated) return updated
    await checkVersion(own, row)
    await checkRefused(own, row)
    // Who may change the row, but not who else may.
    await ownerOf(caller, target.id, 'manage')
    return fail(notFound)
  }

  /** A new row, as it is written. */
  async function newRow(caller: Caller, fields: Values) {
    const { viewer, actor: by } = caller
    const user_id = viewer.user.id
    await checkReadable(caller, fields)
    return named(caller, { ...noFields, ...fields, user_id, callerId: user_id, by, max })
  }

  return {
    rowOf,
    async create(caller: Caller, fields: Values) {
      const row = await newRow(caller, fields)
      const own = ownOf(caller.repos, area)
      const made = await own.insert(row)
      if (!made) await checkRefused(own, row)
      return made ?? conflict('quota')
    },
    /** Judges rows that are to be made together: each fails that could not be, for what the database has or one before it. */
    async judging(caller: Caller) {
      const own = ownOf(caller.repos, area)
      const room = max - (await own.used({ user_id: caller.viewer.user.id }))
      const known = new Set<string>()
      let count = 0
      return async (fields: Values): Promise<undefined> => {
        if (++count > room) conflict('quota')
        const row: Values & Parameters<AnyOwn['taken']>[0] = await newRow(caller, fields)
        await checkRefused(own, row)
        for (const names of area.unique) {
          const values = names.map((name) => row[name])
          const key = JSON.stringify([names, values])
          if (known.has(key)) failTaken(names)
          if (values.every((value) => value != null)) known.add(key)
        }
        return undefined
      }
    },
    /** What is left out is cleared. */
    replace: (caller: Caller, target: Target, fields: Values) =>
      write(caller, target, { ...noValues, ...fields }),
    /** What is left out stays as it is. */
    change: (caller: Caller, target: Target, fields: Values) =>
      write(caller, target, { ...noChange, ...fields }),
    /** What has become of rows that refer to it. */
    async remove(caller: Caller, target: Target) {
      const own = ownOf(caller.repos, area)
      const row = await rowOf(caller, target, 'manage')
      let released: Released = { cleared: [], deleted: [] }
      const removed = await own.remove(row, (found) => {
        released = found
      })
      if (removed) return released
      await checkVersion(own, row)
      return fail(notFound)
    }
  }
}
