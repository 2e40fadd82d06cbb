import { setImmediate } from 'node:timers/promises'
import { isShared } from '../../schemas/area/access.ts'
import { areaOfKind } from '../../schemas/area/index.ts'
import { type Kind, kinds } from '../../schemas/kinds.ts'
import type { Conflict, Reason, Undone } from '../../schemas/undo.ts'
import type { Actor } from '../own/record.ts'
import { ownOf, type Repositories, undoableOf } from '../repositories/index.ts'
import { kindList } from '../repositories/runs.ts'

/**
 * The most that one request undoes or reports as conflicts. It is one transaction, and on SQLite other
 * writes wait for it.
 */
const max = {
  changes: 1000,
  /** Bytes of the rows before and after. */
  bytes: 4 * 1024 ** 2,
  /** Changes that are marked as undone or in force again: several for each undo of an undo. */
  marks: 2000
}
/** How many changes are in memory at once. */
const pageSize = 25
/** After this time other requests run. On SQLite they can read meanwhile; their writes wait. */
const stepMs = 10

interface Task {
  user_id: number
  /** Who undoes, as it is recorded. */
  by: Actor
  /** Changes before this time are forgotten. */
  since: string
  /** Undoes only changes below this id. */
  cursor: number
  /** The most that the user may have of a kind; null if the caller may not write it. */
  room(kind: Kind): number | null
  /** Kinds that the caller may neither read nor write: their changes do not exist for it. */
  isHidden(kind: Kind): boolean
  /** Called for each change that was undone, in its transaction. */
  onUndone(change: RecordedChange, repos: Repositories): Promise<unknown>
}

export type RecordedChange = NonNullable<Awaited<ReturnType<Repositories['changes']['find']>>>

interface UndoOutcome {
  undone: Undone[]
  conflicts: Conflict[]
  /** The id below which there are further changes; null if there are none. */
  next_cursor: number | null
}

/** Undoes the changes with these ids, newest first. Call it within a transaction. */
export async function undoChanges(repos: Repositories, task: Task, ids: readonly number[]) {
  const undo = new Undo(repos, task)
  for (const id of [...new Set(ids)].sort((a, b) => b - a)) {
    if (id >= task.cursor) continue
    if (undo.isFull()) return undo.end(true)
    const change = await repos.changes.find({ id, ...task })
    if (change && !task.isHidden(change.kind)) await undo.add(change)
    else await undo.addOther(id)
  }
  return undo.end(false)
}

/**
 * Undoes a run, newest change first. Skips changes that are undone already, unless all of them are.
 * Starts below the id `cursor`: conflicts stay as they are, so a caller who always began at the newest
 * change would get no further than to the first conflicts. Call it within a transaction.
 * @returns Null if there is no such run.
 */
export async function undoRun(repos: Repositories, task: Task, run: string) {
  const { user_id, since } = task
  const visible = kinds.filter((kind) => !task.isHidden(kind))
  const page = { user_id, since, kinds: kindList(visible), run, limit: pageSize }
  for (const undone of [false, true]) {
    const undo = new Undo(repos, task)
    for (;;) {
      const changes = await repos.runs.changes({ ...page, undone, before: undo.before })
      for (const change of changes) {
        if (undo.isFull()) return undo.end(true)
        await undo.add(change)
      }
      if (changes.length < pageSize) break
    }
    if (!undo.isEmpty()) return undo.end(false)
  }
  const undo = new Undo(repos, task)
  for (const change of await repos.runs.undeclared({ user_id, since, run, limit: pageSize })) {
    if (!task.isHidden(change.kind)) await undo.add(change)
  }
  return undo.isEmpty() ? null : undo.end(false)
}

const nameOf = ({ kind, key, request_id }: Pick<RecordedChange, 'kind' | 'key' | 'request_id'>) =>
  `${kind} ${key} ${request_id}`

/** One request's undo, as far as it has got. */
class Undo {
  /** The id of the last change that it looked at. */
  before: number
  readonly #repos: Repositories
  readonly #task: Task
  readonly #undone: Undone[] = []
  readonly #conflicts: Conflict[] = []
  /** The rows that it has brought back, each with the request that had deleted it. */
  readonly #returned = new Set<string>()
  #marks = 0
  #bytes = 0
  #stepBegan = performance.now()

  constructor(repos: Repositories, task: Task) {
    this.#repos = repos
    this.#task = task
    this.before = task.cursor
  }

  get #size() {
    return this.#undone.length + this.#conflicts.length
  }

  isEmpty = () => this.#size === 0

  isFull = () => this.#size >= max.changes || this.#bytes >= max.bytes || this.#marks >= max.marks

  end(isCut: boolean): UndoOutcome {
    const next_cursor = isCut ? this.before : null
    return { undone: this.#undone, conflicts: this.#conflicts, next_cursor }
  }

  /** One that is not the user's to undo: who is told of it learns that. */
  async addOther(id: number) {
    this.before = id
    const { user_id, since, isHidden } = this.#task
    const seen = await this.#repos.feed.find({ id, user_id })
    const isTold = seen && seen.at >= since && !isHidden(seen.kind)
    this.#conflicts.push(
      isTold
        ? { id, kind: seen.kind, key: seen.key, reason: 'of_another' }
        : { id, kind: null, key: null, reason: 'unknown' }
    )
  }

  /** Undoes one change. */
  async add(change: RecordedChange) {
    const { id, kind, key, action } = change
    this.before = id
    this.#bytes += (change.before?.length ?? 0) + (change.after?.length ?? 0)
    const reason = await this.#tryToUndo(change)
    if (reason) this.#conflicts.push({ id, kind, key, reason })
    else {
      this.#undone.push({ id, kind, key, action })
      await this.#task.onUndone(change, this.#repos)
    }
    if (performance.now() - this.#stepBegan < stepMs) return
    await setImmediate()
    this.#stepBegan = performance.now()
  }

  /** Returns null, or why not. Each step is one conditional statement: if two run at once, one succeeds. */
  async #tryToUndo(change: RecordedChange) {
    const { id, user_id, kind, key, action, before, after, undoes } = change
    const { by, room } = this.#task
    if (!kinds.includes(kind)) return 'undeclared'
    const max = room(kind)
    if (max === null) return 'not_allowed'
    if (!(await this.#mark(change, true))) return 'undone'
    const { insert, update, remove } = undoableOf(this.#repos, kind)
    const write = { create: remove, update, delete: insert }[action]
    const step = {
      ...{ id: key, user_id, max },
      by: { ...by, undoes: id },
      before: await this.#namingThose(change, before),
      after: await this.#namingThose(change, after)
    }
    // Who deletes a row needs no right to those that it takes along: they come back with it by the rights of their owners.
    const done =
      (await write(step)) ??
      (this.#wentAlong(change) &&
        (await write({ ...step, by: { ...step.by, rights_of: user_id } })))
    if (!done) {
      await this.#mark(change, false)
      if (!(await this.#mayUndo(change, step.before))) return 'not_allowed'
      return (action === 'delete' ? 'cannot_return' : 'changed') satisfies Reason
    }
    if (action === 'delete') this.#returned.add(nameOf(change))
    // If this change was itself an undo, the change that it undid is in force again; what that one had
    // undone is undone again, and so on.
    for (let [next, undone] = [undoes, false]; next !== null; undone = !undone) {
      const marked = await this.#mark({ id: next, user_id }, undone)
      if (!marked) break
      next = marked.undoes
    }
    return null
  }

  /**
   * A recorded row without the users who have been removed since: their names are in the row itself no more, and can be
   * those of others now.
   */
  async #namingThose({ kind, at }: RecordedChange, kept: string | null) {
    const { users = [] } = areaOfKind(kind) ?? {}
    if (kept === null || users.length === 0) return kept ?? ''
    const row: Record<string, string[] | null> = JSON.parse(kept)
    const names = JSON.stringify(users.flatMap((field) => row[field] ?? []))
    const found = await this.#repos.users.namesSince({ names, at })
    const known = new Set(found.map(({ user_id }) => user_id))
    const named = users.flatMap((field) => {
      const list = row[field]
      return list ? [[field, list.filter((name) => known.has(name))]] : []
    })
    return JSON.stringify({ ...row, ...Object.fromEntries(named) })
  }

  /** Whether a row was deleted or cleared with one to which it referred, and which this undo has brought back. */
  #wentAlong({ kind, action, before, request_id }: RecordedChange) {
    if (action === 'create' || before === null) return false
    const row = JSON.parse(before)
    return (areaOfKind(kind)?.refs ?? []).some(({ field, to }) =>
      this.#returned.has(nameOf({ kind: to, key: row[field], request_id }))
    )
  }

  /** False of a row that another shares, and lets the user change no more, or make again. */
  async #mayUndo({ user_id, kind, key, action }: RecordedChange, before: string) {
    const area = areaOfKind(kind)
    if (!area || !isShared(area.access)) return true
    const own = ownOf(this.#repos, area)
    if (action === 'delete') {
      const { id: _, ...row } = JSON.parse(before)
      return own.allows({ ...row, user_id, callerId: this.#task.user_id })
    }
    const asked = { user_id: this.#task.user_id, ids: [key] }
    const [rights] = await own.rights(asked)
    return rights === undefined || (action === 'create' ? rights.manage : rights.write)
  }

  #mark({ id, user_id }: Pick<RecordedChange, 'id' | 'user_id'>, undone: boolean) {
    this.#marks++
    return this.#repos.changes.mark({ id, user_id, undone })
  }
}
