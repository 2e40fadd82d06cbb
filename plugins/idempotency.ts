import { hash, randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { catalog } from '../schemas/errors.ts'
import { Failure, fail, failureBody } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Honours `Idempotency-Key`: a repeated request gets the first answer again. The handler then
     * runs in one transaction with the record of its answer, so it must use `request.repos`.
     */
    idempotent?: boolean
  }
}

/** An answer is given again for so long. */
export const keepAnswersMs = 24 * 3_600_000
/** A request that has no answer after so long has died with its process. */
const leaseMs = 30_000

const header = 'idempotency-key'
const Key = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Any string of your own, new for each new operation. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`).'
  })
)

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/** The `Idempotency-Key` pattern (docs/patterns/idempotency.md). */
export default fp(
  async (app) => {
    const { idempotencyKeys } = app.repos

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
      const [path] = request.url.split('?', 1)
      const scope = [request.viewer.user.id, request.method, path, key].join('\n')
      const scope_hash = hash('sha256', scope)
      const body_digest = hash('sha256', request.rawBody ?? '')
      const owner = randomUUID()
      const now = app.now()
      const claimed = await idempotencyKeys.claim({
        scope_hash,
        body_digest,
        owner,
        lease_until: now + leaseMs,
        now,
        before: now - keepAnswersMs
      })
      if (!claimed) return replay(scope_hash, body_digest, reply)

      try {
        const body = await app.db.transaction(async (repos) => {
          request.openTransaction = repos
          const answer = String(reply.serialize(await handler(request, reply)))
          const etag = reply.getHeader('etag')
          const kept = await repos.idempotencyKeys.complete({
            scope_hash,
            owner,
            status: reply.statusCode,
            body: answer,
            etag: etag === undefined ? null : String(etag)
          })
          // Took longer than its lease, and a retry has the key: undo this one.
          if (!kept) fail('CONFLICT')
          return answer
        })
        return sendJson(reply, body)
      } catch (error) {
        request.openTransaction = null
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

    async function replay(scope_hash: string, body_digest: string, reply: FastifyReply) {
      const first = await idempotencyKeys.find({ scope_hash })
      if (first && first.body_digest !== body_digest) {
        const details = [{ in: 'headers', field: header, message: 'was used with another body' }]
        fail('VALIDATION-FAILED', { data: { details } })
      }
      if (!first?.status || first.body === null) fail('CONFLICT')
      if (first.etag !== null) reply.header('etag', first.etag)
      reply.code(first.status).header('idempotent-replayed', 'true')
      return sendJson(reply, first.body)
    }

    /** The body is JSON text already: the same bytes each time. */
    const sendJson = (reply: FastifyReply, body: string) =>
      reply.type('application/json; charset=utf-8').send(body)
  },
  { name: 'idempotency', fastify: '5.x', dependencies: ['auth', 'json-body', 'database'] }
)
