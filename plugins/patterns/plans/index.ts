import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { kindList } from '../../../db/repositories/runs.ts'
import { kindOf } from '../../../schemas/activity.ts'
import { pageOf, paginate } from '../../../schemas/common.ts'
import type { Config } from '../../../schemas/config.ts'
import { kinds as everyKind, type Kind } from '../../../schemas/kinds.ts'
import {
  maxBatches,
  maxPending,
  type NewPlan,
  type Plan,
  type PlannedChange,
  type PlanState,
  type PlanStep,
  planMs
} from '../../../schemas/plan.ts'
import { conflict, fail } from '../../http/errors/index.ts'
import { ownerOfToken } from '../../identity/access-token.ts'
import { recordEvent } from '../../identity/audit.ts'
import { admits, failScope } from '../../identity/auth.ts'
import type { Identity } from '../../identity/identity.ts'
import { takeTurns } from '../../runtime/turns.ts'
import { undoOwn } from '../activity/own-activity.ts'
import { rolledBack } from '../dry-run.ts'
import { isPlannable } from '../operations/index.ts'
import { isSame, type Playable, play, playableOf, StepFailed } from './play.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Changes that a program proposes and a person decides on. */
    plans: Plans
  }
}

interface Plans {
  /**
   * Tries a plan, and keeps it for its user to decide. Returns the answer that `answer` makes of it. Call it within
   * `idempotentEffect`. Without an `Idempotency-Key`, the same as one of the same access token that
   * waits is that one.
   */
  propose<Body>(
    request: FastifyRequest,
    plan: NewPlan,
    answer: (plan: Plan, isRepeated: boolean) => Body
  ): Promise<Body>
  /** A page of the caller's plans, without what they would change; `undoable`: the ids of those that can be undone. */
  list(
    request: FastifyRequest,
    query: { limit?: number; cursor?: number; state?: PlanState }
  ): Promise<{
    plans: Omit<Plan, 'changes'>[]
    undoable: Set<number>
    next_cursor: number | null
  }>
  /** Those that wait for the caller, newest first, as many as a page takes. */
  waiting(request: FastifyRequest, limit: number): Promise<Seen[]>
  /** Fails with PLAN-NOT-FOUND. */
  find(request: FastifyRequest, id: number): Promise<Seen>
  /** A plan once it is decided, or after so many seconds. Fails with PLAN-NOT-FOUND. */
  settled(request: FastifyRequest, id: number, seconds?: number): Promise<Plan>
  /** Does what a plan says. `version`: only if nothing has changed since it was seen. */
  apply(request: FastifyRequest, id: number, version?: number): Promise<Plan>
  refuse(request: FastifyRequest, id: number, reason?: string): Promise<Plan>
  /** Undoes what a plan has done, and nothing else of its run. Call it outside any transaction. */
  undo(
    request: FastifyRequest,
    id: number,
    how?: { cursor?: number; dry_run?: boolean }
  ): ReturnType<typeof undoOwn>
  /** How many wait for this user. */
  pending(user_id: number): Promise<number>
}

/** A plan, and how often it was tried. */
export interface Seen {
  plan: Plan
  version: number
  /** It waits, and its proposer may not do it any more: it can only be refused. */
  isOrphan: boolean
  /** It was applied, and some of its changes are not undone. */
  canUndo: boolean
}

const dayMs = 86_400_000
/** How long a plan is kept after its end. */
const keepMs = 30 * dayMs

/** The changes of a plan are not those that its user was shown. */
class OtherChanges extends Error {
  readonly changes: PlannedChange[]

  constructor(changes: PlannedChange[]) {
    super('the rows of the plan have changed')
    this.changes = changes
  }
}

const inTurn = takeTurns<number>()

/** How many items a step has: those of a batch count one by one. */
const itemsOf = ({ arguments: given }: PlanStep) =>
  Math.max(1, ...Object.values(given).map((value) => (Array.isArray(value) ? value.length : 1)))

/** Plans: what a program would do, for a person to decide (docs/patterns/plans.md). */
export default fp<Pick<Config, 'SVC_BATCH_MAX'>>(
  async (app, { SVC_BATCH_MAX }) => {
    const maximum = maxBatches * SVC_BATCH_MAX
    const playable = new Map<string, Playable>()
    app.addHook('onReady', function deriveSteps(done) {
      for (const operation of app.operations) {
        if (isPlannable(operation)) playable.set(operation.id, playableOf(operation))
      }
      done()
    })
    app.sweep.add('plans', (now) =>
      app.sweep.inSteps((limit) => app.db.repos.plans.removeOld({ before: now - keepMs, limit }))
    )

    /** The kinds of row that the caller may read or write. */
    const kindsOf = (identity: Identity) =>
      everyKind.filter(
        (kind) =>
          app.activity.readable(identity).includes(kind) ||
          app.activity.room(identity, kind) !== null
      )
    const visible = ({ viewer }: FastifyRequest) => ({
      user_id: viewer.user.id,
      kinds: kindList(kindsOf(viewer)),
      now: app.now()
    })

    /** Fails unless the caller may do every step. */
    function checkScopes(viewer: Identity, steps: readonly PlanStep[]) {
      for (const [index, { operation }] of steps.entries()) {
        const { config } = playable.get(operation)?.operation ?? {}
        if (!config || admits(config, viewer)) continue
        const { scope } = config
        if (!viewer.token || !scope || scope === 'any')
          throw new StepFailed(index, 'SESSION-CLOSED')
        failScope(app, viewer, scope)
      }
    }

    /** Runs work that may end with StepFailed: the plan is then refused as a whole. */
    async function tried<T>(work: () => Promise<T>) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StepFailed)) throw error
        const { step, failure } = error
        return fail('PLAN-INVALID', { data: { step, failure } })
      }
    }

    /** What a plan would change now. */
    const preview = (request: FastifyRequest, steps: readonly PlanStep[], identity: Identity) =>
      rolledBack(request, async (repos) => {
        const plan = { identity, steps, run: 'preview' }
        return (await play(request, playable, plan, repos)).planned
      })

    async function propose<Body>(
      request: FastifyRequest,
      { purpose, run, steps }: NewPlan,
      answer: (plan: Plan, isRepeated: boolean) => Body
    ) {
      const { viewer } = request
      const user_id = viewer.user.id
      const items = steps.reduce((sum, step) => sum + itemsOf(step), 0)
      if (items > maximum) fail('BATCH-TOO-LARGE', { data: { maximum } })
      const changes = await tried(async () => {
        checkScopes(viewer, steps)
        return inTurn(user_id, () => preview(request, steps, viewer))
      })
      const now = app.now()
      const kinds = kindsIn({ steps, changes })
      const row = {
        user_id,
        via: viewer.via,
        token_id: viewer.token?.id ?? null,
        purpose,
        run: run ?? null,
        kinds: kindList(kinds),
        steps: JSON.stringify(steps),
        changes: JSON.stringify(changes),
        created_at: new Date(now).toISOString(),
        expires_at: now + planMs,
        now,
        max: maxPending
      }
      let plan: Plan | undefined
      const body = await request.complete(async (repos) => {
        // Else two at once would both find none.
        await repos.users.hold({ id: user_id })
        const isKeyed = request.headers['idempotency-key'] !== undefined
        const { token_id } = row
        const first =
          token_id === null || isKeyed
            ? undefined
            : await repos.plans.same({ ...visible(request), ...row, token_id })
        if (first) return answer(shown(first), true)
        const inserted = (await repos.plans.insert(row)) ?? conflict('quota')
        await repos.plans.trim({ user_id, now })
        const kept = await repos.plans.find({ ...visible(request), id: inserted.id })
        plan = kept ? shown(kept) : fail('PLAN-NOT-FOUND')
        return answer(plan, false)
      })
      if (plan) tell(request, plan)
      return body
    }

    /** The kinds of row that a plan is about: those of its steps, and those that an undo changes. */
    const kindsIn = ({ steps, changes }: Pick<Plan, 'steps' | 'changes'>): Kind[] => {
      const scopes = steps.map(({ operation }) => playable.get(operation)?.operation.config.scope)
      const changed = new Set<string>(changes.map(({ kind }) => kind))
      return everyKind.filter(
        (kind) => changed.has(kind) || scopes.some((scope) => kindOf(scope) === kind)
      )
    }

    function tell({ viewer }: FastifyRequest, { id, state, purpose, ...plan }: Plan) {
      const event = { kinds: kindsIn(plan), plan: { id, state, purpose } }
      app.planEvents.tell({ ...event, user_id: viewer.user.id })
    }

    async function find(request: FastifyRequest, id: number): Promise<Seen> {
      const row = await app.repos.plans.find({ ...visible(request), id })
      return row ? seen(request, row) : fail('PLAN-NOT-FOUND')
    }

    async function seen(request: FastifyRequest, row: Row): Promise<Seen> {
      const [found] = await undoneOf(request, [row])
      return {
        plan: { ...shown(row), ...found?.undone },
        version: row.version,
        isOrphan: await isOrphaned(request, row),
        canUndo: found?.canUndo ?? false
      }
    }

    /** Whether a plan waits that its proposer may not do any more: its token has ended, or has lost a scope. */
    async function isOrphaned(request: FastifyRequest, row: Row) {
      if (row.state !== 'pending') return false
      try {
        checkProposer(await proposerOf(request, row.token_id, row.via), shown(row).steps)
        return false
      } catch (error) {
        if (error instanceof StepFailed) return true
        throw error
      }
    }

    async function settled(request: FastifyRequest, id: number, seconds = 0) {
      let { plan } = await find(request, id)
      if (seconds === 0 || plan.state !== 'pending') return plan
      await app.waitUntil(request, seconds, async () => {
        plan = (await find(request, id)).plan
        return plan.state !== 'pending'
      })
      return plan
    }

    const idsOf = ({ change_ids }: { change_ids: string | null }): number[] =>
      JSON.parse(change_ids ?? '[]')

    /** How much of each of these plans is undone, and whether more of it can be. */
    async function undoneOf(
      { viewer }: FastifyRequest,
      rows: readonly Pick<Row, 'state' | 'run' | 'change_ids'>[]
    ) {
      const user_id = viewer.user.id
      const ids = rows.flatMap(idsOf)
      const undone =
        ids.length > 0 ? await app.repos.changes.undone({ user_id, ids: JSON.stringify(ids) }) : []
      const ofRows = rows.map((row) => {
        const own = new Set(idsOf(row))
        const of = undone.filter(({ id }) => own.has(id))
        const isLeft = row.change_ids === null ? row.run === null : of.length < own.size
        return { of, canUndo: row.state === 'applied' && isLeft }
      })
      const newest = ofRows.flatMap(({ of: [first] }) => first?.id ?? [])
      const by =
        newest.length > 0
          ? await app.repos.changes.undoneBy({ user_id, ids: JSON.stringify(newest) })
          : []
      const undoOf = new Map(by.map(({ id, run, at }) => [id, run === null ? null : { run, at }]))
      return ofRows.map(({ of, canUndo }) => ({
        undone: { undone_by: undoOf.get(of[0]?.id ?? 0) ?? null, undone_changes: of.length },
        canUndo
      }))
    }

    async function undo(
      request: FastifyRequest,
      id: number,
      how: { cursor?: number; dry_run?: boolean } = {}
    ) {
      const row =
        (await app.repos.plans.find({ ...visible(request), id })) ?? fail('PLAN-NOT-FOUND')
      if (row.state !== 'applied') conflict('changed', { data: { state: row.state } })
      // Applied before the ids were kept: its changes are known only if its run is its own.
      if (row.change_ids === null) {
        return row.run === null
          ? undoOwn(request, { run: `plan-${id}`, ...how })
          : conflict('changed', { data: { state: row.state } })
      }
      const user_id = request.viewer.user.id
      const ids = idsOf(row)
      const undone = await request.repos.changes.undone({ user_id, ids: row.change_ids })
      const gone = new Set(undone.map(({ id }) => id))
      const left = ids.filter((id) => !gone.has(id))
      return undoOwn(request, { ids: left.length > 0 ? left : ids, ...how })
    }

    /** Who proposed it, as far as they may still act; fails with StepFailed if they may not. */
    async function proposerOf({ viewer }: FastifyRequest, token_id: number | null, via: string) {
      const { user } = viewer
      if (via !== 'token') {
        return { user, via: via as Identity['via'], expiresAt: null, token: null }
      }
      const owner = await ownerOfToken(app, { user, id: token_id ?? 0 })
      return owner ?? Promise.reject(new StepFailed(0, 'ACCESS-TOKEN-INVALID'))
    }

    /** Fails with StepFailed unless the proposer may still do every step. */
    function checkProposer(identity: Identity, steps: readonly PlanStep[]) {
      for (const [index, { operation }] of steps.entries()) {
        const { config } = playable.get(operation)?.operation ?? {}
        if (config && !admits(config, identity)) throw new StepFailed(index, 'SCOPE-INSUFFICIENT')
      }
    }

    async function apply(request: FastifyRequest, id: number, version?: number): Promise<Plan> {
      const { viewer } = request
      const user_id = viewer.user.id
      const row = await app.repos.plans.find({ ...visible(request), id })
      if (!row) return fail('PLAN-NOT-FOUND')
      const plan = shown(row)
      if (plan.state !== 'pending') fail('PLAN-DECIDED', { data: { state: plan.state } })
      const { steps } = plan
      await tried(async () => checkScopes(viewer, steps))
      try {
        const identity = await proposerOf(request, row.token_id, row.via)
        checkProposer(identity, steps)
        await inTurn(user_id, () =>
          app.db.transaction(async (repos) => {
            await decide(request, repos, { id, state: 'applied', reason: null, version })
            const done = await play(request, playable, { identity, steps, run: plan.run }, repos)
            const { changes, planned, ids, run } = done
            if (!isSame(planned, plan.changes)) throw new OtherChanges(planned)
            const kept = { changes: JSON.stringify(changes), change_ids: JSON.stringify(ids), run }
            await repos.plans.keepChanges({ id, user_id, ...kept })
            const what = { subject: `plan ${id}`, detail: run }
            await recordEvent(repos, request, 'plan-applied', what)
          })
        )
      } catch (error) {
        return refuseToApply(request, plan, error)
      }
      return decided(request, id)
    }

    /** What was to be applied has changed: it waits, with what it would change now. */
    async function refuseToApply(request: FastifyRequest, plan: Plan, error: unknown) {
      if (error instanceof OtherChanges) {
        const { changes } = error
        const key = { id: plan.id, user_id: request.viewer.user.id }
        await app.db.repos.plans.preview({ ...key, changes: JSON.stringify(changes) })
        const message = 'The rows have changed since the plan was last tried.'
        return conflict('changed', { data: { message, plan: { ...plan, changes } } })
      }
      if (!(error instanceof StepFailed)) throw error
      const message = 'The plan cannot be done any more: `failure` says why.'
      return conflict('changed', { data: { message, plan, failure: error.failure } })
    }

    async function refuse(request: FastifyRequest, id: number, reason?: string) {
      const { viewer } = request
      const row = await app.repos.plans.find({ ...visible(request), id })
      if (!row) return fail('PLAN-NOT-FOUND')
      const isOwn = row.via === viewer.via && row.token_id === (viewer.token?.id ?? null)
      // Who must ask may take back what it has asked for, and decides nothing else.
      if (viewer.token?.asks && !isOwn) fail('APPROVAL-NEEDED')
      await tried(async () => checkScopes(viewer, shown(row).steps))
      const state = isOwn ? 'withdrawn' : 'refused'
      await request.transaction(async (repos) => {
        await decide(request, repos, { id, state, reason: reason ?? null })
        const what = { subject: `plan ${id}`, ...(reason !== undefined && { detail: reason }) }
        await recordEvent(repos, request, `plan-${state}`, what)
      })
      return decided(request, id)
    }

    /** Fails with PLAN-DECIDED if it does not wait any more, and with CONFLICT if it is not what was seen. */
    async function decide(
      request: FastifyRequest,
      repos: Parameters<Parameters<FastifyRequest['transaction']>[0]>[0],
      what: {
        id: number
        state: 'applied' | 'refused' | 'withdrawn'
        reason: string | null
        version?: number | undefined
      }
    ) {
      const { id, version } = what
      const { user, via, token } = request.viewer
      const done = await repos.plans.decide({
        version,
        ...what,
        user_id: user.id,
        decided_via: via,
        decided_token_id: token?.id ?? null,
        now: app.now(),
        decided_at: app.now()
      })
      if (done) return
      const row = (await repos.plans.find({ ...visible(request), id })) ?? fail('PLAN-NOT-FOUND')
      if (row.state === 'pending') conflict('changed', { data: { plan: shown(row) } })
      fail('PLAN-DECIDED', { data: { state: row.state } })
    }

    async function decided(request: FastifyRequest, id: number) {
      const { plan } = await find(request, id)
      tell(request, plan)
      return plan
    }

    app.decorate('plans', {
      propose,
      find,
      settled,
      apply,
      refuse,
      undo,
      async list(request, { state, ...query }) {
        const rows = await app.repos.plans.list({ ...visible(request), ...pageOf(query), state })
        const { items, next_cursor } = paginate(rows, query)
        const found = await undoneOf(request, items)
        const undoable = new Set(items.filter((_, i) => found[i]?.canUndo).map(({ id }) => id))
        const plans = items.map((row, i) => ({ ...listed(row), ...found[i]?.undone }))
        return { plans, undoable, next_cursor }
      },
      async waiting(request, limit) {
        const rows = await app.repos.plans.waiting({ ...visible(request), limit })
        return Promise.all(rows.map((row) => seen(request, row)))
      },
      pending: (user_id) => app.repos.plans.pending({ user_id, now: app.now() })
    })
  },
  {
    name: 'plans',
    fastify: '5.x',
    dependencies: ['activity', 'idempotency', 'operations', 'plan-events', 'sweep', 'waiting']
  }
)

const nothingUndone: Pick<Plan, 'undone_by' | 'undone_changes'> = {
  undone_by: null,
  undone_changes: 0
}

type Row = NonNullable<Awaited<ReturnType<FastifyRequest['server']['repos']['plans']['find']>>>

function listed(row: Omit<Row, 'changes'>): Omit<Plan, 'changes'> {
  const { id, purpose, state, via, token_name, created_at, decided_at, reason } = row
  const { decided_via, decided_token_name } = row
  return {
    ...{ id, purpose, state, via, token_name, created_at, reason, ...nothingUndone },
    decided_at: decided_at === null ? null : new Date(decided_at).toISOString(),
    decided_by:
      decided_via === null
        ? null
        : { via: decided_via as Identity['via'], token_name: decided_token_name },
    run: row.run ?? `plan-${id}`,
    expires_at: new Date(row.expires_at).toISOString(),
    steps: JSON.parse(row.steps)
  }
}

const shown = (row: Row): Plan => ({ ...listed(row), changes: JSON.parse(row.changes) })
