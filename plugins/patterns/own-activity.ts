import { randomUUID } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Outcome, undoChanges, undoRun } from '../../db/actions/undo.ts'
import type { ChangeQuery, Kind, UndoRequest } from '../../schemas/activity.ts'
import { type PageQuery, pageOf, paginate } from '../../schemas/common.ts'
import { sinceOf } from '../../schemas/time.ts'
import { fail } from '../http/errors.ts'

/** Thrown to roll back a transaction that must change nothing; carries its outcome. */
class DryRun extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
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
  const { items, next_cursor } = paginate(rows, query, rest)
  const changes = items.map((row) => ({
    ...row,
    before: parse(row.before),
    after: parse(row.after)
  }))
  return { changes, next_cursor }
}

/** A page of the caller's runs that have changes of these kinds. */
export async function listRuns(request: FastifyRequest, query: Static<typeof PageQuery>) {
  const { server: app, viewer } = request
  const { rows, rest } = await app.repos.changes.runs({
    ...pageOf(query),
    user_id: viewer.user.id,
    since: rememberedSince(request),
    kinds: app.activity.readable(viewer)
  })
  const { items, next_cursor } = paginate(rows, query, rest)
  const runs = items.map(({ run, via, token_name, started_at, ended_at, recorded, undone }) => ({
    run,
    via,
    token_name,
    started_at,
    ended_at,
    changes: recorded,
    undone: undone === recorded
  }))
  return { runs, next_cursor }
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
    by: { ...request.actor, run: id },
    since: rememberedSince(request),
    room: (kind: Kind) => app.activity.room(viewer, kind),
    isHidden: (kind: Kind) =>
      !app.activity.readable(viewer).includes(kind) && app.activity.room(viewer, kind) === null
  }
  const { undone, conflicts, next_cursor } = await request
    .transaction(async (repos) => {
      const outcome = ids
        ? await undoChanges(repos, task, ids)
        : await undoRun(repos, task, run ?? '', cursor)
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
