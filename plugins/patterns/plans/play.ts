import type { FastifyRequest } from 'fastify'
import type { Repositories } from '../../../db/repositories/index.ts'
import { isContent } from '../../../schemas/activity.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { pageBytes } from '../../../schemas/common.ts'
import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import type { Detail, StepFailure } from '../../../schemas/failures.ts'
import { maxBatches, type PlannedChange, type PlanStep } from '../../../schemas/plan.ts'
import { invalid, maxDetails } from '../../http/errors/index.ts'
import type { Identity } from '../../identity/identity.ts'
import { shownChange } from '../activity/own-activity.ts'
import { type Form, fill, formOf } from '../operations/arguments.ts'
import { type Answered, callOperation } from '../operations/call.ts'
import type { Operation } from '../operations/index.ts'
import { type NamedRows, resolve } from './references.ts'

/** A step that cannot be done. */
export class StepFailed extends Error {
  readonly step: number
  readonly failure: StepFailure

  /** `data`: what the failure says besides code and message. */
  constructor(step: number, code: ErrorCode, data: object = {}) {
    super(`step ${step}: ${code}`)
    this.step = step
    this.failure = { errorCode: code, errorMessage: catalog[code].message, ...data }
  }
}

/** An operation as a step, with the arguments that it takes there. */
export interface Playable {
  operation: Operation
  form: Form
}

/** Arguments of a request that a plan decides for all its steps, or that would do nothing. */
const notOfSteps = ['idempotency_key', 'run', 'dry_run']

export function playableOf(operation: Operation): Playable {
  const { path, places } = formOf(operation)
  // What an undo is to undo is a run too.
  const isOwn = (name: string) =>
    !notOfSteps.includes(name) || (name === 'run' && places.get(name)?.place === 'body')
  const own = [...places].filter(([name]) => isOwn(name))
  return { operation, form: { path, places: new Map(own) } }
}

/** A plan that is played: by whom, and as part of which run. */
export interface Played {
  identity: Identity
  steps: readonly PlanStep[]
  run: string
}

/** The items in the answer of a batch. */
const itemsOf = ({ items }: Answered) => (Array.isArray(items) ? (items as Answered[]) : [])

type Row = Record<string, unknown> & { id: number }
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'id' in value

/** The single row in the answer of an operation. */
function rowIn(data: Answered) {
  const items = itemsOf(data)
  const rows = (items.length > 0 ? items : [data])
    .flatMap((one) => Object.values(one))
    .filter(isRow)
  return rows.length === 1 ? rows[0] : undefined
}

/**
 * Does the steps of a plan in a transaction, each through the route of its operation, as its own request would be
 * done. Returns what has changed, in order, as it is and as a plan that waits shows it, the ids of these changes, and
 * their run. Fails with StepFailed.
 */
export async function play(
  request: FastifyRequest,
  playable: ReadonlyMap<string, Playable>,
  { identity, steps, run }: Played,
  repos: Repositories
): Promise<{ changes: PlannedChange[]; planned: PlannedChange[]; ids: number[]; run: string }> {
  const user_id = identity.user.id
  const after = await repos.changesAfter.newest({ user_id })
  const rows = new Map<string, Row | undefined>()
  /** The run of the plan, and those of its undos. */
  const runs = new Set([run])
  for (const [index, step] of steps.entries()) {
    const answer = await playStep(request, playable, { identity, run, repos, index, step, rows })
    if (step.as !== undefined) rows.set(step.as, rowIn(answer))
    const { undoes } = playable.get(step.operation)?.operation.config ?? {}
    if (undoes && typeof answer.run === 'string') runs.add(answer.run)
  }
  const page = await repos.changesAfter.list({
    user_id,
    after,
    remembered: '',
    isWanted: undefined,
    limit: maxBatches * 1000,
    bytes: pageBytes
  })
  if (page?.more) {
    const message = 'change more than 1 MiB of rows: make several plans'
    throw invalid({ in: 'body', field: 'steps', message })
  }
  const found = [...(page?.rows ?? [])]
  for (const run of runs) {
    found.push(...(await repos.changesAfter.ofOthers({ user_id, run, after })))
  }
  const own = found
    .filter(({ request_id }) => request_id === request.id)
    .toSorted((one, other) => one.id - other.id)
  const changes = own
    .map(shownChange)
    .map(({ kind, key, action, before, after }) => ({ kind, key, action, before, after }))
  const ids = own.map(({ id }) => id)
  const undoing = await repos.changes.undoing({ ids: JSON.stringify(ids) })
  const back = new Set(undoing.map(({ id }) => id))
  // An undo brings rows back under their keys, and no step makes an attachment: it restores one.
  const isNew = (index: number) =>
    changes[index]?.kind !== 'attachment' && !back.has(ids[index] ?? 0)
  // One that does nothing else than to undo is of the run of its undo.
  const [only = run, ...others] = new Set(own.map((change) => change.run ?? run))
  const planned = asPlanned(changes, isNew)
  return { changes, planned, ids, run: others.length > 0 ? run : only }
}

interface StepPlayed extends Pick<Played, 'identity' | 'run'> {
  repos: Repositories
  index: number
  step: PlanStep
  rows: NamedRows
}

async function playStep(
  request: FastifyRequest,
  playable: ReadonlyMap<string, Playable>,
  { identity, run, repos, index, step, rows }: StepPlayed
): Promise<Answered> {
  const details: Detail[] = []
  const refuse = (field: string, message: string) => {
    if (details.length < maxDetails) details.push({ in: 'body', field, message })
  }
  const known = playable.get(step.operation)
  if (!known) {
    const names = [...playable.keys()].join(', ')
    refuse('operation', `must be one of ${names}`)
    throw new StepFailed(index, 'VALIDATION-FAILED', { details })
  }
  const { operation, form } = known
  const { url, headers, body } = fill(form, resolve(step.arguments, rows, refuse), 'step', refuse)
  if (details.length > 0) throw new StepFailed(index, 'VALIDATION-FAILED', { details })

  headers['x-run-id'] = run
  const data = await callOperation(request, operation, { url, headers, body }, { identity, repos })
  // Of a batch, the first item that cannot be done. All or nothing, items too.
  const items = itemsOf(data).filter(({ status }) => status === 'failure')
  const { status, errorCode, errorMessage, ...more } = items[0] ?? data
  const { conflicts } = data
  const isPart = operation.config.undoes && Array.isArray(conflicts) && conflicts.length > 0
  if (status !== 'failure' && isPart) {
    // A plan is done as a whole: this would leave out some of it.
    const message = 'Some of these changes cannot be undone, and a plan is done as a whole.'
    throw new StepFailed(index, 'CONFLICT', { reason: 'changed', message, conflicts })
  }
  if (status !== 'failure') return data
  const all = items.length > 0 && { items }
  throw new StepFailed(index, errorCode ?? 'INTERNAL-ERROR', { ...more, ...all })
}

/** Changes as a plan that waits shows them: a row that it would make has no key yet. `isNewAt`: whether a create makes one. */
function asPlanned(
  changes: readonly PlannedChange[],
  isNewAt: (index: number) => boolean
): PlannedChange[] {
  /** Where rows are made, by their names. */
  const made = new Map<string, number>()
  return changes.map((change, index) => {
    const { kind, key, action, before, after } = change
    const name = `${kind} ${key}`
    if (action === 'create' && isNewAt(index)) made.set(name, index)
    const origin = made.get(name)
    const isNew = origin !== undefined
    const newIn = (row: object | null) =>
      (areaOfKind(kind)?.refs ?? []).flatMap(({ field, to }) => {
        const place = made.get(`${to} ${Object(row)[field]}`)
        return place === undefined ? [] : [[field, place] as const]
      })
    /** A row without keys that there are not yet: its own, and of rows that it refers to. */
    function withoutKeys(row: object | null) {
      const names = [...(isNew ? ['id'] : []), ...newIn(row).map(([field]) => field)]
      return row && { ...row, ...Object.fromEntries(names.map((name) => [name, null])) }
    }
    const rows = { before: withoutKeys(before), after: withoutKeys(after) }
    const own = isNew && origin !== index ? [['id', origin] as const] : []
    const toNew = [...own, ...newIn(after)]
    return {
      ...{ kind, key: isNew ? null : key, action, ...rows },
      ...(toNew.length > 0 && { refers_to: Object.fromEntries(toNew) })
    }
  })
}

/** Whether two plays of a plan changed the same content (docs/patterns/activity.md). */
export function isSame(one: readonly PlannedChange[], other: readonly PlannedChange[]) {
  const contentOf = ({ kind, before, after, ...change }: PlannedChange) => {
    const content = (row: object | null) =>
      row && Object.entries(row).filter(([name]) => isContent(kind, name))
    return { ...change, kind, before: content(before), after: content(after) }
  }
  return JSON.stringify(one.map(contentOf)) === JSON.stringify(other.map(contentOf))
}
