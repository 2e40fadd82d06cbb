import { randomUUID } from 'node:crypto'
import type { Database } from '../../../db/database.ts'
import type { DeliveryState } from '../../../db/repositories/due-subscriptions.ts'
import type { Repositories } from '../../../db/repositories/index.ts'
import { type Answer, answerMs, isDone } from './delivery.ts'

/** Seconds until a failed change is sent again, by its failures before (Standard Webhooks). */
export const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** A wait is longer by up to this part: those who failed together must not come back together. */
const jitter = 0.2
/** So long without a success, and a subscription is switched off. */
const patienceMs = 5 * 86_400_000
/** Longer than an attempt and its mail can take. After it, others go on for a process that was killed. */
const leaseMs = 4 * answerMs
/** How many changes are looked through for one of the wanted kinds. */
const lookAhead = 500
/** How many attempts of a subscription are remembered. */
const attemptsKept = 500

/** A subscription whose lease is held. */
export type Taken = NonNullable<Awaited<ReturnType<Repositories['dueSubscriptions']['take']>>>
export type TakenChange = NonNullable<Awaited<ReturnType<Repositories['feed']['find']>>>

/** What is next: the next change, or a ping or a change again, for which somebody has asked. */
export interface Next {
  change: TakenChange | null
  /** The row of what somebody has asked for. */
  asked: { id: number; change_id: number | null } | null
}

interface Options {
  db: Database
  /** As `waits`. */
  waits: readonly number[]
  now(): number
  /** Sends it. `wait`: not sent after all, and not before so many milliseconds. */
  send(taken: Taken, next: Next): Promise<Answer | { wait: number }>
  /** Tells the owner that it is switched off after failures. */
  mailOwner(taken: Taken): Promise<void>
}

/**
 * Takes the lease of a subscription, sends what is next and records how that went. Does nothing if
 * another process holds the lease. Returns why it was switched off by it, if so, and when there is something to do again.
 */
export async function attempt(id: number, { db, now, send, mailOwner, waits }: Options) {
  const lease = randomUUID()
  const begun = now()
  const taken = await db.repos.dueSubscriptions.take({
    id,
    lease,
    now: begun,
    until: begun + leaseMs
  })
  if (!taken) return null
  const held = { id, lease, after_id: taken.after_id, failures: taken.failures }

  /** False if its user, or another process, has changed the state meanwhile: then only the lease ends. */
  async function settle({ dueSubscriptions }: Repositories, state: DeliveryState) {
    if (await dueSubscriptions.settle({ ...held, ...state, now: now() })) return true
    await dueSubscriptions.release({ id, lease, until: now() })
    return false
  }

  const next = await findNext(taken, db.repos, begun)
  if ('skipTo' in next) {
    await settle(db.repos, { ...unchanged(taken), to_id: next.skipTo })
    return null
  }
  const { change, asked } = next
  const isForgotten = asked !== null && asked.change_id !== null && change === null
  const answer = isForgotten ? forgotten : await send(taken, next)
  if ('wait' in answer) {
    const until = now() + answer.wait
    await db.repos.dueSubscriptions.release({ id, lease, until })
    return { stopped_by: null, again_at: until }
  }
  const state = stateAfter(taken, next, answer, { now: now(), waits })
  // Before that is recorded: if the process is killed meanwhile, the next attempt mails again.
  if (state.stopped_by === 'failures') await mailOwner(taken)
  const sent = { at: begun, ...answer }
  // Not within the transaction, which itself would be one whose end this waits for.
  const last = state.is_active ? 0 : await db.repos.feed.newest({ user_id: taken.user_id })
  const isSettled = await db.transaction(async (repos) => {
    const { deliveries, subscriptionPauses } = repos
    const done = await settle(repos, state)
    if (asked) await deliveries.complete({ id: asked.id, ...sent })
    else if (done && change) {
      await deliveries.insert({ subscription_id: id, change_id: change.id, ...sent })
    }
    if (done && !state.is_active) {
      await subscriptionPauses.begin({ subscription_id: id, last })
      await deliveries.removeWaiting({ subscription_id: id })
    }
    await deliveries.prune({ subscription_id: id, keep: attemptsKept })
    return done
  })
  return isSettled ? { stopped_by: state.stopped_by, again_at: state.retry_at } : null
}

const forgotten: Answer = { status: null, error: 'forgotten', ms: 0 }

async function findNext(
  { id, user_id, after_id, kinds, retry_at }: Taken,
  { feed, deliveries, subscriptionPauses }: Repositories,
  now: number
): Promise<Next | { skipTo: number }> {
  const find = async (id: number) => (await feed.find({ id, user_id })) ?? null
  const asked = await deliveries.waiting({ subscription_id: id })
  if (asked) return { asked, change: asked.change_id === null ? null : await find(asked.change_id) }
  if (retry_at > now) return { skipTo: after_id }
  const pauses = await subscriptionPauses.list({ subscription_id: id })
  const after = pauses.reduce(
    (last, { from_id, to_id }) => (last < from_id ? last : Math.max(last, to_id)),
    after_id
  )
  const { changes, end } = await feed.ahead({ user_id, after, limit: lookAhead })
  const wanted = changes.find(
    (change) =>
      kinds.split(' ').includes(change.kind) &&
      pauses.every(({ from_id, to_id }) => change.id <= from_id || change.id > to_id)
  )
  const change = wanted ? await find(wanted.id) : null
  // A change can be forgotten meanwhile, and then is skipped.
  return change ? { asked: null, change } : { skipTo: wanted?.id ?? end }
}

const unchanged = ({ after_id, failures, retry_at, failing_since }: Taken): DeliveryState => ({
  to_id: after_id,
  to_failures: failures,
  retry_at,
  failing_since,
  is_active: true,
  stopped_by: null
})

/** What an answer means for the subscription. */
function stateAfter(
  taken: Taken,
  { asked, change }: Next,
  answer: Answer,
  { now, waits }: Pick<Options, 'waits'> & { now: number }
): DeliveryState {
  const same = unchanged(taken)
  if (answer.status === 410) return { ...same, is_active: false, stopped_by: 'gone' }
  // What somebody has asked for is sent once. If it arrives, the receiver works: what failed is tried at once.
  if (asked || !change) {
    return isDone(answer) ? { ...same, to_failures: 0, retry_at: 0, failing_since: null } : same
  }
  const passed = { to_id: change.id, to_failures: 0, retry_at: 0 }
  if (isDone(answer)) return { ...same, ...passed, failing_since: null }
  const failing_since = taken.failing_since ?? now
  if (now - failing_since >= patienceMs) {
    return { ...same, failing_since, is_active: false, stopped_by: 'failures' }
  }
  const wait = waits[taken.failures]
  if (wait === undefined) return { ...same, ...passed, failing_since }
  const waitMs = Math.round(wait * 1000 * (1 + jitter * Math.random()))
  const retry_at = now + Math.max(waitMs, answer.waitMs ?? 0)
  return { ...same, to_failures: taken.failures + 1, retry_at, failing_since }
}
