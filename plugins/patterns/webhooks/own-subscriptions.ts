import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { ReadRepositories, Repositories } from '../../../db/repositories/index.ts'
import type { AuditEventName } from '../../../schemas/audit.ts'
import { type PageQuery, pageOf, paginate } from '../../../schemas/common.ts'
import { kinds as everyKind, type Kind } from '../../../schemas/kinds.ts'
import {
  maxSubscriptions,
  maxWaiting,
  type NewSubscription,
  type SubscriptionChange
} from '../../../schemas/subscription.ts'
import { conflict, fail, invalid } from '../../http/errors/index.ts'
import { recordEvent } from '../../identity/audit.ts'
import { failScope } from '../../identity/auth.ts'

type Row = Awaited<ReturnType<ReadRepositories['subscriptions']['list']>>[number]

/** A row as callers see it. */
export const shownSubscription = ({ kinds, failing_since, retry_at, ...row }: Row) => ({
  ...row,
  next_try_at: row.is_active && retry_at > 0 ? new Date(retry_at).toISOString() : null,
  kinds: everyKind.filter((kind) => kinds.split(' ').includes(kind)),
  failing_since: failing_since === null ? null : new Date(failing_since).toISOString()
})

/**
 * Whether the caller sees a subscription; else it is not found. A session sees all of its user. A token sees those that
 * it has made: another one could lead what its user's session is told to an address of its own.
 */
const isSeen = (
  { server, viewer }: FastifyRequest,
  { kinds, token_id }: { kinds: string; token_id: number | null }
) => {
  const readable: readonly string[] = server.activity.readable(viewer)
  const isOwn = !viewer.token || viewer.token.id === token_id
  return isOwn && kinds.split(' ').every((kind) => readable.includes(kind))
}

const ownOf = ({ server, viewer }: FastifyRequest) => ({
  user_id: viewer.user.id,
  now: server.now()
})

const shownDelivery = <Row extends { at: number | null }>({ at, ...row }: Row) => ({
  ...row,
  at: at === null ? null : new Date(at).toISOString()
})

function checkUrl({ server }: FastifyRequest, url: string) {
  const message = server.deliveries.problemOf(url)
  if (message !== null) throw invalid({ in: 'body', field: 'url', message })
  return url
}

/** Kinds as a row has them. Fails with SCOPE-INSUFFICIENT unless the caller may read all of them. */
function checkKinds({ server: app, viewer }: FastifyRequest, wanted: readonly Kind[]) {
  const readable = app.activity.readable(viewer)
  const missing = wanted.find((kind) => !readable.includes(kind)) ?? (wanted.length === 0 && 'todo')
  if (missing) failScope(app, viewer, `${missing}:read`)
  return wanted.join(' ')
}

/** Fails with SCOPE-INSUFFICIENT if the caller may read nothing: before the body is looked at (contract HTTP-1). */
export async function requireReadable(request: FastifyRequest) {
  if (request.server.activity.readable(request.viewer).length === 0) checkKinds(request, [])
}

const record = (
  request: FastifyRequest,
  repos: Repositories,
  event: AuditEventName,
  { id, url, kinds }: { id: number; url: string; kinds: string }
) =>
  // Without path and query, in which receivers have secrets.
  recordEvent(repos, request, event, {
    subject: `subscription ${id}`,
    detail: `${new URL(url).origin}: ${kinds}`
  })

/** The subscriptions that the caller sees, newest first. */
export async function listSubscriptions(request: FastifyRequest) {
  const rows = await request.server.repos.subscriptions.list(ownOf(request))
  return rows.filter((row) => isSeen(request, row)).map(shownSubscription)
}

/** A subscription of the caller, or SUBSCRIPTION-NOT-FOUND. */
export async function findSubscription(request: FastifyRequest, id: number) {
  const { secrets: _, ...row } = await find(request, request.server.repos, id)
  return shownSubscription(row)
}

async function find(
  request: FastifyRequest,
  { subscriptions }: Pick<ReadRepositories, 'subscriptions'>,
  id: number
) {
  const found = await subscriptions.find({ ...ownOf(request), id })
  return found && isSeen(request, found) ? found : fail('SUBSCRIPTION-NOT-FOUND')
}

/** Runs `work` while nobody else changes the subscriptions of the caller. */
async function alone<T>(request: FastifyRequest, work: (repos: Repositories) => Promise<T>) {
  const { user } = request.viewer
  const done = await request.transaction(async (repos) => {
    await repos.users.hold(user)
    return work(repos)
  })
  request.server.deliveries.wake(user.id)
  return done
}

/** The same, on one that the caller has made; FORBIDDEN if it is another's. */
const withOwn = <T>(
  request: FastifyRequest,
  id: number,
  work: (repos: Repositories, found: Awaited<ReturnType<typeof find>>) => Promise<T>
) =>
  alone(request, async (repos) => {
    const found = await find(request, repos, id)
    if (found.token_id !== (request.viewer.token?.id ?? null)) fail('FORBIDDEN')
    return work(repos, found)
  })

/** Makes a subscription of the caller, who is told from now on. CONFLICT if there are enough; SCOPE-INSUFFICIENT. */
export async function makeSubscription(
  request: FastifyRequest,
  {
    url,
    kinds,
    description = null
  }: Omit<NewSubscription, 'description'> & { description?: string | null }
) {
  const { server: app, viewer } = request
  const { user, token } = viewer
  const row = {
    user_id: user.id,
    last: await newestChange(request),
    token_id: token?.id ?? null,
    url: checkUrl(request, url),
    kinds: checkKinds(request, kinds ?? app.activity.readable(viewer)),
    description,
    now: app.timestamp(),
    now_ms: app.now(),
    max: maxSubscriptions
  }
  const { secret, secrets } = app.deliveries.newSecret(user.id, null)
  const made = await alone(request, async (repos) => {
    const inserted = await repos.subscriptions.insert({ ...row, secrets })
    if (!inserted) return conflict('quota')
    await record(request, repos, 'subscription-created', inserted)
    return inserted
  })
  return { subscription: shownSubscription(made), secret }
}

/** Read before a transaction, which itself would be one whose end this waits for. */
const newestChange = ({ server, viewer }: FastifyRequest) =>
  server.repos.feed.newest({ user_id: viewer.user.id })

/** Changes a subscription of the caller. What changes while it is paused is not told later; what changed before is. */
export async function changeSubscription(
  request: FastifyRequest,
  id: number,
  { url, kinds, is_active }: SubscriptionChange
) {
  const last = await newestChange(request)
  return withOwn(request, id, async (repos, found) => {
    const { subscriptions, subscriptionPauses, deliveries } = repos
    const isResumed = is_active === true && !found.is_active
    const isMoved = url !== undefined && url !== found.url
    const row = {
      id,
      url: isMoved ? checkUrl(request, url) : found.url,
      kinds: kinds === undefined ? found.kinds : checkKinds(request, kinds),
      is_active: is_active ?? found.is_active,
      stopped_by: is_active === undefined ? found.stopped_by : null,
      is_reset: isResumed || isMoved
    }
    const changed = await subscriptions.update({ ...row, now: request.server.timestamp() })
    if (!changed) return fail('SUBSCRIPTION-NOT-FOUND')
    const of = { subscription_id: id }
    if (is_active !== undefined) {
      await subscriptionPauses[is_active ? 'end' : 'begin']({ ...of, last })
      await subscriptionPauses.prune(of)
    }
    if (!row.is_active) await deliveries.removeWaiting(of)
    await record(request, repos, 'subscription-changed', changed)
    return shownSubscription(changed)
  })
}

/** Ends a subscription that the caller sees, and what is being sent to it. */
export async function removeSubscription(request: FastifyRequest, id: number) {
  await alone(request, async (repos) => {
    const found = await find(request, repos, id)
    await repos.subscriptions.remove({ id })
    await record(request, repos, 'subscription-removed', found)
  })
  request.server.deliveries.stop(id)
}

/** Gives a subscription a new secret. Those before sign for a day too. */
export const rotateSecret = (request: FastifyRequest, id: number) =>
  withOwn(request, id, async (repos, found) => {
    const { server: app, viewer } = request
    const { secret, secrets } = app.deliveries.newSecret(viewer.user.id, found.secrets)
    await repos.subscriptions.setSecrets({ id, secrets, now: app.timestamp() })
    await record(request, repos, 'subscription-secret', found)
    return secret
  })

/** Sends a ping, or a change again, as soon as the subscription sends nothing else. CONFLICT if too many wait, or it is paused. */
export const askForDelivery = (request: FastifyRequest, id: number, change?: number) =>
  withOwn(request, id, async ({ feed, deliveries }, { is_active, kinds }) => {
    if (change !== undefined) {
      const found = await feed.find({ id: change, user_id: request.viewer.user.id })
      if (!found || !kinds.split(' ').includes(found.kind)) {
        const message = 'must be a recorded change of one of its kinds'
        throw invalid({ in: 'body', field: 'change', message })
      }
    }
    if (!is_active) conflict('changed')
    const row = { subscription_id: id, change_id: change ?? null, max: maxWaiting }
    const asked = await deliveries.ask(row)
    // What waits is sent in seconds.
    return shownDelivery(asked ?? conflict('quota', { headers: { 'retry-after': '10' } }))
  })

/** Tries at once what failed, and starts its waits again from the first. CONFLICT if it is paused. */
export const retrySubscription = (request: FastifyRequest, id: number) =>
  withOwn(request, id, async ({ subscriptions }, { secrets: _, ...found }) => {
    if (!found.is_active) conflict('changed')
    // If nothing waits to be tried again, everything stays as it is.
    const changed = await subscriptions.retry({ id, now: request.server.now() })
    return shownSubscription(changed ?? found)
  })

/** A page of the attempts of a subscription of the caller. */
export async function listDeliveries(
  request: FastifyRequest,
  id: number,
  query: Static<typeof PageQuery>
) {
  const { repos } = request.server
  await find(request, repos, id)
  const rows = await repos.deliveries.list({ ...pageOf(query), subscription_id: id })
  const { items, next_cursor } = paginate(rows, query)
  return { deliveries: items.map(shownDelivery), next_cursor }
}
