import { randomUUID } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import {
  type RecordedChange,
  type UndoOutcome,
  undoChanges,
  undoRun
} from '../../db/actions/undo.ts'
import type { Repositories } from '../../db/repositories/index.ts'
import { searchMax } from '../../db/search.ts'
import { fail } from '../../plugins/http/errors.ts'
import type { ChangeQuery, UndoRequest } from '../../schemas/activity.ts'
import { type PageQuery, pageOf, paginate } from '../../schemas/common.ts'
import type { Kind } from '../../schemas/kinds.ts'
import { sinceOf } from '../../schemas/time.ts'
import { recordEvent } from '../identity/audit.ts'

/** Thrown to roll back a transaction that must change nothing; carries its outcome. */
class DryRun extends Error {
  readonly outcome: UndoOutcome
  constructor(outcome: UndoOutcome) {
    super('a dry run ends here')
    this.outcome = outcome
  }
}

const parse = (row: string | null): Record<string, unknown> | null =>
  row === null ? null : JSON.parse(row)

const rememberedSince = ({ server }: FastifyRequest) =>
  new Date(server.activity.since()).toISOString()

/** A page of the caller's changes, only of kinds that the caller may read. */
export async function listChanges(request: FastifyRequest, query: Static<typeof ChangeQuery>) {
  const { server: app, viewer } = request
  const { run, kind, key } = query
  const readable = app.activity.readable(viewer)
  const { rows, rest } = await app.repos.changes.list({
    ...pageOf(query),
    user_id: viewer.user.id,
    since: query.since && sinceOf(query.since),
    remembered: rememberedSince(request),
    kinds: readable.filter((one) => kind === undefined || one === kind),
    run,
    key
  })
  const { items, next_cursor } = paginate(rows, query, { rest })
  const changes = items.map((row) => ({
    ...row,
    before: parse(row.before),
    after: parse(row.after)
  }))
  return { changes, next_cursor }
}

/** A page of the caller's runs, as far as their changes are of kinds that the caller may read. */
export async function listRuns(request: FastifyRequest, query: Static<typeof PageQuery>) {
  const { server: app, viewer } = request
  const { changes } = app.repos
  const visible = {
    user_id: viewer.user.id,
    since: rememberedSince(request),
    kinds: app.activity.readable(viewer)
  }
  const { rows, rest } = await changes.runs({ ...pageOf(query), ...visible })
  const page = paginate(rows, query, { rest })
  const runs = []
  let counted = 0
  for (const last of page.items) {
    // The rest of the page waits for the next request: counting long runs takes time.
    if (counted > searchMax) return { runs, next_cursor: last.id + 1 }
    const run = last.run ?? ''
    const found = await changes.summary({ ...visible, run })
    if (!found) continue
    const { via, token_name, at: started_at, changes: count, in_force } = found
    const times = { started_at, ended_at: last.at }
    const undoes = await undoneBy(last)
    runs.push({ run, via, token_name, ...times, changes: count, undone: in_force === 0, undoes })
    counted += count
  }
  return { runs, next_cursor: page.next_cursor }

  async function undoneBy({ run, undoes, undoes_run }: (typeof rows)[number]) {
    if (undoes_run !== null) return { run: undoes_run }
    if (undoes === null) return null
    const rows = await changes.undoneBy({ ...visible, run: run ?? '' })
    return { ids: rows.map(({ undoes }) => undoes).filter((id) => id !== null) }
  }
}

/** The last undo of each user. */
const turns = new Map<number, Promise<unknown>>()

/**
 * Undos of one user come one after the other: together they would keep others waiting, for the only
 * writer of SQLite or for a connection of PostgreSQL. Call it outside any transaction.
 */
export async function oneAtATime<T>(
  { viewer }: FastifyRequest,
  undo: () => Promise<T>
): Promise<T> {
  const { id } = viewer.user
  const turn = (turns.get(id) ?? Promise.resolve()).then(undo, undo)
  turns.set(id, turn)
  try {
    return await turn
  } finally {
    if (turns.get(id) === turn) turns.delete(id)
  }
}

/** Undoes a run, or single changes. A dry run changes nothing. Fails with RUN-NOT-FOUND if there is no such run. */
export async function undoOwn(
  request: FastifyRequest,
  { ids, run, cursor = Number.MAX_SAFE_INTEGER, dry_run = false }: Static<typeof UndoRequest>
) {
  const { server: app, viewer } = request
  const id = `undo-${randomUUID()}`
  const task = {
    user_id: viewer.user.id,
    by: { ...request.actor, run: id, undoes_run: run ?? null },
    since: rememberedSince(request),
    cursor,
    room: (kind: Kind) => app.activity.room(viewer, kind),
    isHidden: (kind: Kind) =>
      !app.activity.readable(viewer).includes(kind) && app.activity.room(viewer, kind) === null,
    onUndone: (change: RecordedChange, repos: Repositories) =>
      recordTransition(request, change, repos)
  }
  const { undone, conflicts, next_cursor } = await request
    .transaction(async (repos) => {
      const outcome = ids
        ? await undoChanges(repos, task, ids)
        : await undoRun(repos, task, run ?? '')
      if (!outcome) fail('RUN-NOT-FOUND')
      if (dry_run) throw new DryRun(outcome)
      return outcome
    })
    .catch((error) => {
      if (error instanceof DryRun) return error.outcome
      throw error
    })
  const isDone = undone.length > 0 && !dry_run
  const more = next_cursor !== null
  return { undone, conflicts, run: isDone ? id : null, more, next_cursor }
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
