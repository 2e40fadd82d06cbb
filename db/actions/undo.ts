import { setImmediate } from 'node:timers/promises'
import {
  type Conflict,
  type Kind,
  kinds,
  type Reason,
  type Undone
} from '../../schemas/activity.ts'
import type { Actor } from '../recorded.ts'
import { type Repositories, undoableOf } from '../repositories/index.ts'

/**
 * The most changes that one request undoes or reports as conflicts. It is one transaction, and on SQLite
 * other writes wait for it: 0.3 s for 1,000, 5 s for 8,000. PostgreSQL takes 0.9 s for 1,000 and 6 s
 * for 4,000.
 */
const mostChanges = 1000
/** How many changes of other runs it may mark in addition, if it undoes undos of undos. */
const mostMarks = 5000
/** How many changes are in memory at once; each can hold a memo of 40 kB. */
const pageSize = 100

interface Task {
  user_id: number
  /** Who undoes, as it is recorded. The changes of this run are counted once, at the end. */
  by: Actor & { run: string }
  /** Changes before this time are forgotten. */
  since: string
  /** The most that the user may have of a kind; null if the caller may not write it. */
  room(kind: Kind): number | null
  /** Kinds that the caller may neither read nor write: their changes do not exist for it. */
  isHidden(kind: Kind): boolean
}

type Change = NonNullable<Awaited<ReturnType<Repositories['changes']['find']>>>

export interface Outcome {
  undone: Undone[]
  conflicts: Conflict[]
  /** The id below which the run has further changes; null if it has none. */
  next_cursor: number | null
}

const emptyOutcome = (): Outcome => ({ undone: [], conflicts: [], next_cursor: null })

/** What has been marked as undone, or as in force again. */
class Tally {
  /** How many more changes of each run are undone now. */
  readonly runs = new Map<string, number>()
  marks = 0

  add(run: string | null, more: number) {
    this.marks++
    if (run !== null) this.runs.set(run, (this.runs.get(run) ?? 0) + more)
  }
}

/**
 * Updates the count of each run once, not for each change. PostgreSQL keeps every version of a row
 * that a transaction makes, so each further update of one row takes longer.
 */
async function countAll(repos: Repositories, { user_id, by }: Task, tallied: Tally, made: number) {
  // Sorted, so that two requests that undo the same runs cannot end in a deadlock.
  for (const [run, more] of [...tallied.runs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (more !== 0) await repos.changes.countUndone({ user_id, run, more })
  }
  const { at, via, token_id, run, most } = by
  if (made > 0) {
    await repos.changes.countRun({ user_id, run, via, token_id, at, recorded: made })
    await repos.changes.countBytes({ user_id, run })
    await repos.changes.removeBeyond({ user_id, most })
  }
}

/** Undoes the changes with these ids, newest first. Call it within a transaction. */
export async function undoChanges(
  repos: Repositories,
  task: Task,
  ids: readonly number[]
): Promise<Outcome> {
  const outcome = emptyOutcome()
  const tallied = new Tally()
  for (const id of [...new Set(ids)].sort((a, b) => b - a)) {
    const change = await repos.changes.find({ id, ...task })
    if (change && !task.isHidden(change.kind)) {
      await undoOne(repos, task, change, outcome, tallied)
    } else outcome.conflicts.push({ id, kind: null, key: null, reason: 'unknown' })
  }
  await countAll(repos, task, tallied, outcome.undone.length)
  return outcome
}

/**
 * Undoes a run, newest change first. Skips changes that are undone already, unless all of them are.
 * Starts below the id `cursor`: what conflicts stays as it is, so whoever always began at the newest
 * change would get no further than to the first conflicts. Call it within a transaction.
 * @returns Null if there is no such run.
 */
export async function undoRun(
  repos: Repositories,
  task: Task,
  run: string,
  cursor: number
): Promise<Outcome | null> {
  const { user_id, since } = task
  const shown = kinds.filter((kind) => !task.isHidden(kind))
  for (const undone of [false, true]) {
    const outcome = emptyOutcome()
    const tallied = new Tally()
    const looked = () => outcome.undone.length + outcome.conflicts.length
    let before = cursor
    while (outcome.next_cursor === null) {
      const page = { user_id, since, kinds: shown, run, undone, before, limit: pageSize }
      const rows = await repos.changes.ofRun(page)
      for (const change of rows) {
        if (looked() === mostChanges || tallied.marks >= mostMarks) {
          outcome.next_cursor = before
          break
        }
        await undoOne(repos, task, change, outcome, tallied)
        before = change.id
      }
      if (rows.length < pageSize) break
      // Let other requests run. On SQLite they can read meanwhile; their writes wait for this one.
      await setImmediate()
    }
    if (looked() > 0) {
      await countAll(repos, task, tallied, outcome.undone.length)
      return outcome
    }
  }
  return null
}

/** Undoes one change and adds the result to `outcome`. */
async function undoOne(
  repos: Repositories,
  task: Task,
  change: Change,
  outcome: Outcome,
  tallied: Tally
) {
  const { id, kind, key, action } = change
  const reason = await tryToUndo(repos, task, change, tallied)
  if (reason) outcome.conflicts.push({ id, kind, key, reason })
  else outcome.undone.push({ id, kind, key, action })
}

/** Returns null, or why not. Each step is one conditional statement: if two run at once, one succeeds. */
async function tryToUndo(
  repos: Repositories,
  { user_id, by, room }: Task,
  { id, run, kind, key, action, before, after, undoes }: Change,
  tallied: Tally
): Promise<Reason | null> {
  const most = room(kind)
  if (most === null) return 'not_allowed'
  if (!(await repos.changes.mark({ id, user_id, undone: true }))) return 'undone'
  const undoable = undoableOf(repos, kind)
  const undo = { create: undoable.takeAway, update: undoable.putBack, delete: undoable.bringBack }
  const done = await undo[action]({
    id: key,
    user_id,
    now: by.at,
    by: { ...by, undoes: id, isCounted: true },
    before: before ?? '',
    after: after ?? '',
    most
  })
  if (!done) {
    await repos.changes.mark({ id, user_id, undone: false })
    return action === 'delete' ? 'cannot_return' : 'changed'
  }
  tallied.add(run, 1)
  // If this change was itself an undo, the change that it undid is in force again; what that one had
  // undone is undone again, and so on.
  for (let [next, undone] = [undoes, false]; next !== null; undone = !undone) {
    const marked = await repos.changes.mark({ id: next, user_id, undone })
    if (!marked) break
    tallied.add(marked.run, undone ? 1 : -1)
    next = marked.undoes
  }
  return null
}
