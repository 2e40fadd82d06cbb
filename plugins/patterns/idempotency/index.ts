import { hash, randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Repositories } from '../../../db/repositories/index.ts'
import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import { Failure, fail, failureBody, helpLink } from '../../http/errors.ts'
import { digestOf, pathOf } from './digest.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Honours `Idempotency-Key`: a repeated request gets the first answer again. The handler and the
     * record of its answer are one transaction, so the handler must use `request.repos`. `effect`: the
     * handler also acts outside the database. It then runs in no transaction, and writes through
     * `request.complete`.
     */
    idempotent?: boolean | 'effect'
  }
  interface FastifyRequest {
    /** What must be equal in a repeated request; the JSON body by default. */
    compared: object | null
    /**
     * The last step of an `effect`. `work` returns the answer; with a key, `work` and the record of the
     * answer are one transaction. If a retry has taken over the key, all of it is undone: CONFLICT.
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

/** The other request will be answered soon. */
const stillRunning = { headers: { 'retry-after': '1' } }

const header = 'idempotency-key'
const Key = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), also if it was a failure of the operation. A request that is refused before the operation begins (401, 403, 429, a body or field that is not valid) uses no key, nor does a 5xx: send the same key again.'
  })
)

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/** The `Idempotency-Key` pattern (docs/patterns/idempotency.md). */
export default fp(
  async (app) => {
    app.readsConfig('idempotent')
    app.decorateReply('replay', null)
    app.decorateRequest('compared', null)
    app.decorateRequest('complete', function complete(this: FastifyRequest, work) {
      return work(this.repos)
    })
    // Keys are claimed and released outside the handler's transaction, so that other requests see it at once.
    const { idempotencyKeys } = app.db.repos
    app.sweep.add('idempotency keys', (now) =>
      app.sweep.inSteps((limit) =>
        idempotencyKeys.removeOld({ before: now - keepAnswersMs, limit })
      )
    )

    app.addHook('onRoute', function makeIdempotent(route) {
      if (!route.config?.idempotent) return
      route.schema = { ...route.schema, headers: Type.Object({ [header]: Key }) }
      const handler = route.handler.bind(this) as Handler
      route.handler = (request, reply) => {
        const key = request.headers[header]
        return key === undefined
          ? handler(request, reply)
          : once(String(key), handler, request, reply)
      }
    })

    /** Runs the handler unless this key has an answer already. */
    async function once(
      key: string,
      handler: Handler,
      request: FastifyRequest,
      reply: FastifyReply
    ) {
      const user_id = request.viewer.user.id
      const scope = [user_id, request.method, pathOf(request), key].join('\n')
      const scope_hash = hash('sha256', scope)
      const body_digest = digestOf(request)
      // Not needed any more: a waiting handler should not keep it in memory.
      request.rawBody = null
      const owner = randomUUID()
      const now = app.now()
      const claimed = await idempotencyKeys.claim({
        user_id,
        most: maxAnswerBytes,
        scope_hash,
        body_digest,
        owner,
        lease_until: now + leaseMs,
        now,
        before: now - keepAnswersMs
      })
      if (!claimed) return replay(scope_hash, body_digest, request, reply)

      /** False if a retry has taken over the key, because this request took longer than its lease. */
      function keep(keys: Repositories['idempotencyKeys'], answer: string) {
        const etag = reply.getHeader('etag')
        return keys.complete({
          scope_hash,
          owner,
          status: reply.statusCode,
          body: reply.replay ? String(reply.serialize(reply.replay)) : answer,
          etag: etag === undefined ? null : String(etag)
        })
      }

      let answer: string | undefined
      request.complete = async (work) => {
        const done = await app.db.transaction(async (repos) => {
          const body = await inTransaction(repos, work, request)
          const text = String(reply.serialize(body))
          if (!(await keep(repos.idempotencyKeys, text))) fail('CONFLICT', stillRunning)
          return { body, text }
        })
        answer = done.text
        return done.body
      }

      try {
        if (request.config.idempotent === 'effect') {
          const body = await handler(request, reply)
          if (answer === undefined) {
            answer = String(reply.serialize(body))
            // Answered even if a retry has taken over the key: what was done cannot be undone.
            await keep(idempotencyKeys, answer)
          }
        } else {
          await request.complete(async () => handler(request, reply))
        }
        return sendJson(reply, answer ?? '')
      } catch (error) {
        if (error instanceof Failure && catalog[error.code].status < 500) {
          const { status } = catalog[error.code]
          await idempotencyKeys.complete({
            scope_hash,
            owner,
            status,
            body: failureBody(error),
            etag: null
          })
        } else {
          await idempotencyKeys.release({ scope_hash, owner })
        }
        throw error
      }
    }

    /** Runs `work` with `request.repos` in the transaction. */
    async function inTransaction<Body>(
      repos: Repositories,
      work: (repos: Repositories) => Promise<Body>,
      request: FastifyRequest
    ) {
      request.openTransaction = repos
      try {
        return await work(repos)
      } finally {
        request.openTransaction = null
      }
    }

    async function replay(
      scope_hash: string,
      body_digest: string,
      request: FastifyRequest,
      reply: FastifyReply
    ) {
      const first = await idempotencyKeys.find({ scope_hash })
      if (!first) {
        const room = { user_id: request.viewer.user.id, most: maxAnswerBytes }
        // No room; or, if there is room, another request has just released the key: try again soon.
        fail('CONFLICT', (await idempotencyKeys.hasRoom(room)) ? stillRunning : {})
      }
      if (first.body_digest !== body_digest) {
        const details = [{ in: 'headers', field: header, message: 'was used with another body' }]
        fail('VALIDATION-FAILED', { data: { details } })
      }
      if (!first.status || first.body === null) fail('CONFLICT', stillRunning)
      if (first.etag !== null) reply.header('etag', first.etag)
      if (first.status >= 400) {
        reply.failureCode = JSON.parse(first.body).Data.errorCode as ErrorCode
        reply.header('link', helpLink(reply.failureCode))
      }
      reply.code(first.status).header('idempotent-replayed', 'true')
      return sendJson(reply, first.body)
    }

    /** Sends stored JSON text, so that each repetition gets the same bytes. */
    const sendJson = (reply: FastifyReply, body: string) =>
      reply.type('application/json; charset=utf-8').send(body)
  },
  {
    name: 'idempotency',
    fastify: '5.x',
    dependencies: ['auth', 'json-body', 'prefer', 'database', 'sweep', 'route-config']
  }
)
