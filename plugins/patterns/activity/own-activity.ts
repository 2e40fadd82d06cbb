import { randomUUID } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type RecordedChange, undoChanges, undoRun } from '../../../db/actions/undo.ts'
import { searchMax } from '../../../db/query.ts'
import type { Outline, Told } from '../../../db/repositories/changes-after.ts'
import type { ReadRepositories, Repositories } from '../../../db/repositories/index.ts'
import { kindList } from '../../../db/repositories/runs.ts'
import type { Change, ChangeQuery } from '../../../schemas/activity.ts'
import { type PageQuery, pageBytes, pageOf, paginate } from '../../../schemas/common.ts'
import { type Kind, kinds } from '../../../schemas/kinds.ts'
import type { Conflict, UndoRequest } from '../../../schemas/undo.ts'
import { fail, invalid } from '../../http/errors/index.ts'
import { recordEvent } from '../../identity/audit.ts'
import { failScope } from '../../identity/auth.ts'
import { takeTurns } from '../../runtime/turns.ts'
import { rolledBack } from '../dry-run.ts'

const parse = (row: string | null): Record<string, unknown> | null =>
  row === null ? null : JSON.parse(row)

/** The beginning of what is remembered, as RFC 3339. */
export const rememberedSince = ({ activity }: FastifyInstance) =>
  new Date(activity.since()).toISOString()

/** A change as callers see it. */
export const shownChange = <Row extends { before: string | null; after: string | null }>(
  row: Row
) => ({ ...row, before: parse(row.before), after: parse(row.after) })

/** A page of the caller's changes, only of kinds that the caller may read. */
export async function listChanges(request: FastifyRequest, query: Static<typeof ChangeQuery>) {
  const { server: app, viewer } = request
  const { run, kind, key, token_id, since, wait = 0 } = query
  const readable = app.activity.readable(viewer)
  const kinds = readable.filter((one) => kind === undefined || one === kind)
  const user_id = viewer.user.id
  const wanted = { kinds, run, key, since, token_id }
  const from = query.after ?? (wait > 0 ? await app.repos.feed.newest({ user_id }) : undefined)
  if (from !== undefined) {
    if (query.cursor !== undefined) {
      const message = 'must not be given with after or wait'
      throw invalid({ in: 'query', field: 'cursor', message })
    }
    let page: Awaited<ReturnType<typeof listAfter>> = {
      changes: [],
      more: false,
      next_cursor: null,
      next_after: from
    }
    await app.waitUntil(request, wait, async () => {
      page = await listAfter(request, { ...wanted, after: page.next_after, limit: query.limit })
      return page.changes.length > 0
    })
    return page
  }
  // Read first: what is committed meanwhile comes after it too.
  const next_after = await app.repos.feed.newest({ user_id })
  const page = { ...pageOf(query), user_id, remembered: rememberedSince(app) }
  const found: { rows: Told[]; rest: number } = await (app.repos.feed.before?.({
    ...page,
    isWanted: wantedBy(wanted),
    bytes: pageBytes
  }) ?? app.repos.changes.list({ ...page, ...wanted }))
  const { rows, rest } = found
  const { items, next_cursor } = paginate(rows, query, { rest })
  const more = next_cursor !== null
  return { changes: items.map(shownChange), more, next_cursor, next_after }
}

interface Filters {
  kinds: readonly Kind[]
  run: string | undefined
  key: number | undefined
  since: string | undefined
  token_id: number | undefined
}

/** Whether a change passes these filters. */
const wantedBy =
  ({ kinds, run, key, since, token_id }: Filters) =>
  (change: Outline) =>
    kinds.includes(change.kind) &&
    (run === undefined || change.run === run) &&
    (key === undefined || change.key === key) &&
    (token_id === undefined || change.token_id === token_id) &&
    (since === undefined || change.at >= since)

/** Fails with CHANGES-GONE, and says why what comes after an id cannot be told. */
export async function failGone({ repos }: FastifyInstance, user_id: number, after: number) {
  const isAhead = after > (await repos.feed.newest({ user_id }))
  return fail('CHANGES-GONE', { data: { reason: isAhead ? 'ahead' : 'forgotten' } })
}

/** The same, oldest first. Fails with CHANGES-GONE if some are forgotten. */
async function listAfter(
  { server: app, viewer }: FastifyRequest,
  { after, limit = 100, ...filters }: Filters & { after: number; limit: number | undefined }
) {
  const ending = { next_cursor: null, next_after: after }
  if (!app.activity.isOn) return { changes: [], more: false, ...ending }
  const page = await app.repos.feed.list({
    user_id: viewer.user.id,
    after,
    remembered: rememberedSince(app),
    isWanted: wantedBy(filters),
    limit,
    bytes: pageBytes
  })
  if (!page) return failGone(app, viewer.user.id, after)
  const { rows, more, end } = page
  return { changes: rows.map(shownChange), more, ...ending, next_after: end }
}

/** A page of the caller's runs, as far as their changes are of kinds that the caller may read. */
export async function listRuns(request: FastifyRequest, query: Static<typeof PageQuery>) {
  const { server: app, viewer } = request
  const repo = app.repos.runs
  const visible = {
    user_id: viewer.user.id,
    since: rememberedSince(app),
    kinds: kindList(app.activity.readable(viewer))
  }
  const { rows, rest } = await repo.list({ ...pageOf(query), ...visible })
  const page = paginate(rows, query, { rest })
  const runs = []
  let counted = 0
  for (const last of page.items) {
    // The rest of the page waits for the next request: counting long runs takes time.
    if (counted > searchMax) return { runs, next_cursor: last.id + 1 }
    const run = last.run ?? ''
    const found = await repo.summary({ ...visible, run })
    if (!found) continue
    const { via, token_name, at: started_at, changes: count, in_force } = found
    const times = { started_at, ended_at: last.at }
    const undoes = await undoneBy(last)
    const undone = { undone: in_force === 0, undone_changes: count - in_force }
    runs.push({ run, via, token_name, ...times, changes: count, ...undone, undoes })
    counted += count
  }
  return { runs, next_cursor: page.next_cursor }

  async function undoneBy({ run, undoes, undoes_run }: (typeof rows)[number]) {
    if (undoes_run !== null) return { run: undoes_run }
    if (undoes === null) return null
    const rows = await repo.undoneBy({ ...visible, run: run ?? '' })
    return { ids: rows.map(({ undoes }) => undoes).filter((id) => id !== null) }
  }
}

const inTurn = takeTurns<number>()

/**
 * Undos of one user come one after the other: together they would keep others waiting, for the only
 * writer of SQLite or for a connection of PostgreSQL. Call it outside any transaction.
 */
export const oneAtATime = <T>({ viewer }: FastifyRequest, undo: () => Promise<T>) =>
  inTurn(viewer.user.id, undo)

/** Undoes a run, or single changes. A dry run changes nothing. Fails with RUN-NOT-FOUND if there is no such run. */
export async function undoOwn(
  request: FastifyRequest,
  { ids, run, cursor = Number.MAX_SAFE_INTEGER, dry_run = false }: Static<typeof UndoRequest>
) {
  const { server: app, viewer } = request
  const task = {
    user_id: viewer.user.id,
    // A run of its own, whatever else its request is part of: so it can be undone alone.
    by: { ...request.actor, run: `undo-${randomUUID()}`, undoes_run: run ?? null },
    since: rememberedSince(app),
    cursor,
    room: (kind: Kind) => app.activity.room(viewer, kind),
    isHidden: (kind: Kind) =>
      !app.activity.readable(viewer).includes(kind) &&
      app.activity.room(viewer, kind) === null &&
      // Of an area that is declared no longer, those who are bound to no scopes are told.
      (kinds.includes(kind) || viewer.token !== null),
    onUndone: (change: RecordedChange, repos: Repositories) =>
      recordTransition(request, change, repos)
  }
  async function undo(repos: Repositories) {
    const outcome = ids
      ? await undoChanges(repos, task, ids)
      : await undoRun(repos, task, run ?? '')
    return outcome ?? fail('RUN-NOT-FOUND')
  }
  const { undone, conflicts, next_cursor } = dry_run
    ? await rolledBack(request, undo)
    : await request.transaction(undo)
  const [first] = conflicts
  const isBeyond = conflicts.every(({ reason }) => reason === 'not_allowed')
  if (viewer.token && undone.length === 0 && first?.kind && isBeyond) {
    failScope(app, viewer, `${first.kind}:write`)
  }
  const isDone = undone.length > 0 && !dry_run
  const more = next_cursor !== null
  return { undone, conflicts, run: isDone ? task.by.run : null, more, next_cursor }
}

type Token = Awaited<ReturnType<ReadRepositories['accessTokens']['names']>>[number]
const gone = 'A deleted token'

/** Names a token on pages: a derived one after the token above it that the user knows, as a program has named it. */
export const tokenLabel = ({ name, parent_id, root_name }: Omit<Token, 'id'>) =>
  parent_id === null ? name : `${root_name ?? gone} (${name})`

/** Names on pages the author of a change or plan. */
export function whoOf(via: Change['via'], token: Omit<Token, 'id'> | undefined) {
  if (via === 'token') return token ? tokenLabel(token) : gone
  if (via === 'agent') return 'The agent'
  if (via === 'administrator') return 'An administrator'
  return via === 'jwt' ? 'A program with a JWT' : 'You'
}

/** The run that has undone what is to be undone, if that is why nothing can be. */
export async function undoneBy(
  { server: app, viewer }: FastifyRequest,
  conflicts: readonly Conflict[]
) {
  const [first] = conflicts
  if (!first || conflicts.some(({ reason }) => reason !== 'undone')) return null
  const ids = JSON.stringify([first.id])
  const [by] = await app.repos.changes.undoneBy({ user_id: viewer.user.id, ids })
  return by?.run ?? null
}

/** Undo restores a state that the workflow may refuse to go back to: the audit trail says so. */
async function recordTransition(
  request: FastifyRequest,
  { kind, key, before, after }: RecordedChange,
  repos: Repositories
) {
  const [restored, current] = [parse(before)?.state, parse(after)?.state]
  if (restored === undefined || current === undefined || restored === current) return
  const what = { subject: `${kind} ${key}`, detail: `${current} to ${restored}` }
  await recordEvent(repos, request, 'transition-undone', what)
}
