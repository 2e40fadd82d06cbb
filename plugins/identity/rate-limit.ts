import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import type { Counted } from '../../schemas/session.ts'
import { fail } from '../http/errors/index.ts'
import { isInner } from '../http/headers.ts'
import type { Count } from '../runtime/peers/index.ts'
import { defaultAllow } from './auth.ts'
import { takesBearer } from './identity.ts'

/** A fixed window: at most `max` requests of one caller in `seconds`. */
export interface Limit {
  /** Routes whose limits have the same name share their counters. */
  name: string
  counts: Counted
  max: number
  seconds: number
  /** Set for routes that anyone may call: programs that have a Bearer credential do not need them. */
  isOpen?: boolean
  /** Set if only callers without a credential are counted. */
  ofVisitors?: boolean
}

/** The limit that sign-ins and the issue of tokens share. */
export const loginLimit = ({
  SVC_LOGIN_RATE_MAX: max,
  SVC_LOGIN_RATE_SECONDS: seconds
}: Pick<Config, 'SVC_LOGIN_RATE_MAX' | 'SVC_LOGIN_RATE_SECONDS'>): Limit => ({
  name: 'login',
  counts: 'sign-ins',
  max,
  seconds
})

type KeyOf = (request: FastifyRequest) => string

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limit by client address. Checked first, before credentials are read, unless it is one of visitors. */
    addressLimit?: Limit
    /** False if requests do not count against the limit of the calling user. By default they do. */
    userLimit?: boolean
  }
  interface FastifyInstance {
    /** Every limit by its name; `keyOf` gives the key that a request counts under. */
    limits: Map<string, Limit & { keyOf: KeyOf }>
    /** Makes a check by client address, for requests that count only sometimes. Each call counts one; above the limit it fails with 429. */
    addressCheck(limit: Limit): Check
    /** The checks of `config.addressLimit`. */
    addressChecks: Map<Limit, Check>
  }
}

/** How much of a limit a caller has used. */
export interface LimitState extends Limit {
  remaining: number
  /** Seconds until the window ends; 0 if none runs. */
  reset: number
}

const stateOf = (max: number, { current, ttl }: Count) => ({
  remaining: Math.max(0, max - current),
  reset: Math.ceil(ttl / 1000)
})

/** How much the caller has used of every limit that concerns it. This does not count as a request. */
export async function limitsOf(
  { limits, peers }: FastifyInstance,
  request: FastifyRequest
): Promise<LimitState[]> {
  const { via } = request.viewer
  const all = [...limits.values()].filter(
    ({ isOpen, ofVisitors }) => !ofVisitors && (!isOpen || via === 'session')
  )
  const counts = await peers.peek(all.map(({ keyOf }) => keyOf(request)))
  return all.map(({ name, counts: counted, max, seconds }, index) => {
    const { remaining, reset } = stateOf(max, counts[index] ?? { current: 0, ttl: 0 })
    return { name, counts: counted, max, seconds, remaining, reset }
  })
}

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A check that sets the contract's headers and the draft's `RateLimit` fields, and fails with 429. */
function createCheck(app: FastifyInstance, limit: Limit, keyOf: KeyOf): Check {
  const { name, max, seconds } = limit
  app.limits.set(name, { ...limit, keyOf })
  const policy = `"${name}";q=${max};w=${seconds}`
  return async function checkLimit(request, reply) {
    const counted = app.peers.count(keyOf(request), seconds * 1000)
    // `await` costs a turn of the microtask queue, even if the count is there already.
    const count = counted instanceof Promise ? await counted : counted
    const { remaining, reset } = stateOf(max, count)
    reply.headers({
      'x-ratelimit-limit': max,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': reset,
      'ratelimit-policy': policy,
      ratelimit: `"${name}";r=${remaining};t=${reset}`
    })
    if (count.current > max)
      fail('RATE-LIMIT-EXCEEDED', { headers: { 'retry-after': String(reset) } })
  }
}

/** Whether every request to a route is counted, by address or by user. */
export const isCounted = (
  { limits }: FastifyInstance,
  { addressLimit, userLimit = true, allow = defaultAllow }: FastifyContextConfig
) =>
  addressLimit !== undefined ||
  (limits.has('user') && userLimit && allow.some((way) => way !== 'anyone'))

/** Whether wrong credentials are counted: on every route that takes Bearer credentials (contract BEARER-4). */
export const countsWrongBearer = ({ allow = defaultAllow, scope }: FastifyContextConfig) =>
  takesBearer(allow) || scope !== undefined

/** Limits by client address (`config.addressLimit`). Registered before auth, so that it runs first. */
export const addressLimit = fp(
  async (app) => {
    app.readsConfig('addressLimit', 'userLimit')
    app.decorate('limits', new Map())
    app.decorate('addressCheck', (limit) =>
      createCheck(app, limit, (request) => `${limit.name}:${normalizeIP(request.ip)}`)
    )
    const checks: FastifyInstance['addressChecks'] = new Map()
    app.decorate('addressChecks', checks)
    app.addHook('onRoute', function prepare({ config }) {
      const limit = config?.addressLimit
      if (!limit || checks.has(limit)) return
      const isOpen = config.allow?.includes('anyone') ?? false
      checks.set(limit, app.addressCheck({ ...limit, isOpen }))
    })
    app.addHook('onRequest', function limitAddress(request, reply, done) {
      const limit = request.config.addressLimit
      const check = limit && checks.get(limit)
      if (!check || limit.ofVisitors) return done()
      check(request, reply).then(() => done(), done)
    })
  },
  {
    name: 'address-limit',
    fastify: '5.x',
    dependencies: ['errors', 'dispatch', 'peers', 'route-config']
  }
)

/** Limits visitors by their address: who has a credential is not refused for what others do there. Registered after auth. */
export const visitorLimit = fp(
  async (app) => {
    app.addHook('onRequest', function limitVisitor(request, reply, done) {
      const { identity, config } = request
      const limit = config.addressLimit
      const check = !identity && limit?.ofVisitors ? app.addressChecks.get(limit) : undefined
      if (!check) return done()
      check(request, reply).then(() => done(), done)
    })
  },
  { name: 'visitor-limit', fastify: '5.x', dependencies: ['address-limit', 'auth'] }
)

/** Limits every signed-in user, if `SVC_RATE_MAX` is not 0. Registered after auth. */
export const userLimit = fp<Pick<Config, 'SVC_RATE_MAX' | 'SVC_RATE_SECONDS'>>(
  async (app, { SVC_RATE_MAX, SVC_RATE_SECONDS }) => {
    if (SVC_RATE_MAX === 0) return
    const check = createCheck(
      app,
      { name: 'user', counts: 'requests', max: SVC_RATE_MAX, seconds: SVC_RATE_SECONDS },
      (request) => `user:${request.viewer.user.id}`
    )
    app.addHook('onRequest', function limitUser(request, reply, done) {
      const { identity, config } = request
      // An inner request counts with the one that it is made for.
      if (!identity || config.userLimit === false || isInner(request)) return done()
      check(request, reply).then(() => done(), done)
    })
  },
  { name: 'user-limit', fastify: '5.x', dependencies: ['address-limit', 'auth'] }
)
