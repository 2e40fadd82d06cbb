import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import pino from 'pino'
import { changesState } from './auth.ts'

/**
 * What log lines may hold. Never a URL (it may carry a token), a header or a body; of an error
 * only type, message, code and stack, since libraries hang whole packets on theirs.
 */
export const serializers = {
  req: ({ method }: { method?: string }) => ({ method: method ?? '' }),
  err: (error: Error & { code?: string }) => ({
    type: error.name,
    message: error.message,
    code: error.code ?? '',
    stack: error.stack ?? ''
  })
}

/**
 * Standard output, written at every 4 KiB, ten times a second, and when the process ends: a write of
 * its own for each line costs more than the line. A SIGKILL takes the last tenth of a second along.
 */
export const standardOutput = () =>
  pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 100 })

/**
 * One line a request, when it is over: at info where it changed something or failed, else at debug
 * (a line costs about as much as a short query, docs/performance.md).
 */
export class RequestLog extends LogController {
  readonly #logsReads: boolean

  /** `logsReads`: whether lines at debug are written at all; asking here spares building them. */
  constructor({ logsReads }: { logsReads: boolean }) {
    super()
    this.#logsReads = logsReads
  }

  override incomingRequest() {}
  override defaultErrorLog() {}
  override routeNotFound() {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply
  ) {
    const { statusCode } = reply
    const level = statusCode >= 400 || error || changesState(request.method) ? 'info' : 'debug'
    if (level === 'debug' && !this.#logsReads) return
    request.log[level](
      {
        method: request.method,
        // The published pattern, not the URL.
        route: request.routeOptions.url ?? null,
        statusCode,
        ...(reply.failureCode && { code: reply.failureCode }),
        responseTime: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        userId: request.identity?.user.id ?? null,
        via: request.identity?.via ?? null,
        ...(error && { err: error })
      },
      'request'
    )
  }
}
