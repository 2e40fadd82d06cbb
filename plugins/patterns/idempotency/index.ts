import { hash, randomUUID } from 'node:crypto'
import { type TObject, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Repositories } from '../../../db/repositories/index.ts'
import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import { conflict, Failure, failureBody, helpLink, invalid } from '../../http/errors/index.ts'
import { confirm, isConfirmed } from '../../http/prefer.ts'
import { digestOf, pathOf } from './request-digest.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by idempotency: the operation has the header `IdempotencyKey`. */
    idempotent?: boolean
  }
  interface FastifyRequest {
    /** What must be equal in a repeated request; the JSON body by default. */
    compared: object | null
    /**
     * The last step of an `idempotentEffect`. `work` returns the answer; with a key, `work` and the record
     * of the answer are one transaction. If a retry has taken over the key, all of it is undone: CONFLICT.
     */
    complete<Body>(work: (repos: Repositories) => Promise<Body>): Promise<Body>
  }
  interface FastifyReply {
    /**
     * What a repeated request gets, if not the first answer: for answers with a secret, which must not be
     * stored.
     */
    replay: object | null
  }
}

/** How long an answer is kept for repetitions. */
const keepAnswersMs = 24 * 3_600_000
/** How many bytes of stored answers a user may have. A user with more cannot use a new key. */
export const maxAnswerBytes = 64 * 1024 ** 2
/** If a request has no answer after this time, its process is taken to have died. In milliseconds. */
const leaseMs = 30_000

/** Answers are forgotten all the time: an hour makes room. In seconds. */
const untilRoom = 3600

const header = 'idempotency-key'

/** The header of an operation that honours it; its handler then calls `idempotent` or `idempotentEffect`. */
export const IdempotencyKey = Type.Object({
  [header]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up.'
    })
  )
})

/**
 * Does the work of a handler once for each `Idempotency-Key`: a repeated request gets the first answer
 * again. The work and the record of its answer are one transaction, so it must use `request.repos`.
 */
export const idempotent = <Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Body>
) => once({ request, reply, work, isEffect: false })

/**
 * The same for work that also acts outside the database. It runs in no transaction, and writes through
 * `request.complete`. `renew` makes of the first answer, if that was a success, what the request gets, and each that repeats
 * it: for answers that say how something stands.
 */
export const idempotentEffect = <Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Body>,
  renew?: Call<Body>['renew']
) => once({ request, reply, work, isEffect: true, ...(renew && { renew }) })

/** The `Idempotency-Key` pattern (docs/patterns/idempotency.md). */
export default fp(
  async (app) => {
    app.readsConfig('idempotent')
    app.decorateReply('replay', null)
    app.decorateRequest('compared', null)
    app.decorateRequest('complete', function complete(this: FastifyRequest, work) {
      return work(this.repos)
    })
    app.sweep.add('idempotency keys', (now) =>
      app.sweep.inSteps((limit) =>
        app.db.repos.idempotencyKeys.removeOld({ before: now - keepAnswersMs, limit })
      )
    )
    app.addHook('onRoute', function keepBody(route) {
      const { properties = {} } = (route.schema?.headers ?? {}) as Partial<TObject>
      if (header in properties) route.config = { ...route.config, idempotent: true }
    })
  },
  {
    name: 'idempotency',
    fastify: '5.x',
    dependencies: ['auth', 'json-body', 'database', 'sweep', 'route-config']
  }
)

interface Call<Body> {
  request: FastifyRequest
  reply: FastifyReply
  work(): Promise<Body>
  isEffect: boolean
  renew?(first: Body): Promise<Body>
}

async function once<Body>(call: Call<Body>): Promise<Body> {
  const { request, reply, work, renew } = call
  const { config, headers, routeOptions } = request
  if (!config.idempotent) {
    throw new Error(`route ${routeOptions.method} ${routeOptions.url}: headers lack IdempotencyKey`)
  }
  const key = headers[header]
  // A dry run does nothing that could be done twice.
  if (key === undefined || Object(request.body).dry_run === true) {
    const first = await work()
    return renew ? renew(first) : first
  }
  const answer = await answerOnce(String(key), call)
  // Stored JSON is sent as it is, so that each repetition gets the same bytes.
  reply.type('application/json; charset=utf-8')
  return answer as Body
}

/** Whether nothing was done, and a corrected request is the same action: of a plan, its steps are its input. */
const isRefusal = ({ code }: Failure) => catalog[code].status >= 500 || code === 'PLAN-INVALID'

/** Does the work unless this key has an answer already. Returns the answer as JSON. */
async function answerOnce<Body>(key: string, call: Call<Body>) {
  const { request, reply, work, isEffect, renew } = call
  const { db, now } = request.server
  // Keys are claimed and released outside the handler's transaction, so that other requests see it at once.
  const { idempotencyKeys } = db.repos
  const user_id = request.viewer.user.id
  const scope = [user_id, request.method, pathOf(request), key].join('\n')
  const scope_hash = hash('sha256', scope)
  const body_digest = digestOf(request)
  // Not needed any more: a waiting handler should not keep it in memory.
  request.rawBody = null
  const owner = randomUUID()
  const claimed = await idempotencyKeys.claim({
    user_id,
    max: maxAnswerBytes,
    scope_hash,
    body_digest,
    owner,
    lease_until: now() + leaseMs,
    now: now(),
    before: now() - keepAnswersMs
  })
  if (!claimed) return replay(scope_hash, body_digest, call)

  /** False if a retry has taken over the key, because this request took longer than its lease. */
  function keep(keys: Repositories['idempotencyKeys'], answer: string) {
    const etag = reply.getHeader('etag')
    return keys.complete({
      scope_hash,
      owner,
      status: reply.statusCode,
      body: reply.replay ? String(reply.serialize(reply.replay)) : answer,
      etag: etag === undefined ? null : String(etag),
      is_minimal: isConfirmed(reply, 'return=minimal')
    })
  }

  let answer: string | undefined
  let body: Body
  request.complete = async (last) => {
    const headers = reply.getHeaders()
    const done = await db.transaction(async (repos) => {
      // PostgreSQL may run this again: what the first try said of its answer does not count.
      reply.code(200)
      reply.replay = null
      for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
      reply.headers(headers)
      request.openTransaction = repos
      const body = await last(repos).finally(() => {
        request.openTransaction = null
      })
      const text = String(reply.serialize(body))
      if (!(await keep(repos.idempotencyKeys, text))) conflict('running')
      return { body, text }
    })
    answer = done.text
    return done.body
  }

  try {
    body = await (isEffect ? work() : request.complete(work))
    if (answer === undefined) {
      answer = String(reply.serialize(body))
      // Answered even if a retry has taken over the key: what was done cannot be undone.
      await keep(idempotencyKeys, answer)
    }
  } catch (error) {
    if (error instanceof Failure && !isRefusal(error)) {
      const { status } = catalog[error.code]
      await idempotencyKeys.complete({
        scope_hash,
        owner,
        status,
        body: failureBody(error),
        etag: null,
        is_minimal: isConfirmed(reply, 'return=minimal')
      })
    } else {
      await idempotencyKeys.release({ scope_hash, owner })
    }
    throw error
  }
  return renew ? String(reply.serialize(await renew(body))) : answer
}

/** The stored answer. */
async function replay<Body>(
  scope_hash: string,
  body_digest: string,
  { request: { server, viewer }, reply, renew }: Call<Body>
) {
  const { idempotencyKeys } = server.db.repos
  const first = await idempotencyKeys.find({ scope_hash })
  if (!first) {
    const room = { user_id: viewer.user.id, max: maxAnswerBytes }
    // If there is room, another request has just released the key: try again soon.
    if (await idempotencyKeys.hasRoom(room)) conflict('running')
    conflict('quota', { headers: { 'retry-after': String(untilRoom) } })
  }
  if (first.body_digest !== body_digest) {
    throw invalid({
      in: 'headers',
      field: header,
      message: 'was used for another request; send a new one'
    })
  }
  if (!first.status || first.body === null) conflict('running')
  if (first.etag !== null) reply.header('etag', first.etag)
  if (first.is_minimal) confirm(reply, 'return=minimal')
  if (first.status >= 400) {
    const { errorCode, reason } = JSON.parse(first.body).Data
    reply.failureCode = errorCode as ErrorCode
    reply.header('link', helpLink(reply.failureCode, reason))
  }
  reply.code(first.status).header('idempotent-replayed', 'true')
  const isRenewed = renew && first.status < 400
  return isRenewed ? String(reply.serialize(await renew(JSON.parse(first.body)))) : first.body
}
