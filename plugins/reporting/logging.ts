import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import pino from 'pino'
import type { Config } from '../../schemas/config.ts'
import { place } from '../../schemas/traced.ts'
import { changesState } from '../http/dispatch.ts'
import { lineForPeople } from './log-for-people.ts'
import { isSent, type OtlpOptions } from './otlp.ts'

/**
 * What log lines may contain: never a URL (it may have a token), a header or a body. Of an error, only
 * type, message, code and stack: libraries attach whole packets to their errors.
 */
const serializers = {
  req: ({ method }: { method?: string }) => ({ method: method ?? '' }),
  err: (error: Error & { code?: string }) => ({
    type: error.name,
    message: error.message,
    code: error.code ?? '',
    stack: error.stack ?? ''
  })
}

const flushMs = 100

/**
 * Standard output with a buffer. It is written when it has 4 KiB, a tenth of a second after a line, and when the
 * process ends: one write for each line would cost more than the line itself. After a SIGKILL, the
 * lines of the last tenth of a second are lost. Wait for `written` at the end: if nobody reads any more, only this way
 * of writing notices, and what runs at the exit would try for ever.
 */
export function standardOutput() {
  const output = pino.destination({ fd: 1, sync: false, minLength: 4096 })
  const write = output.write.bind(output)
  let isWaiting = false
  return Object.assign(output, {
    write(line: string) {
      if (!isWaiting) {
        isWaiting = true
        setTimeout(flush, flushMs).unref()
      }
      return write(line)
    },
    written: () => new Promise<void>((resolve) => output.flush(() => resolve()))
  })
  // Not `periodicFlush`: a process that logs nothing would wake for it.
  function flush() {
    isWaiting = false
    output.flush()
  }
}

export interface LogOptions {
  /** Where log lines go; standard output if not given. */
  logStream?: { write(line: string): void }
  /** Lines for people instead of JSON. */
  logsForPeople?: boolean
}

/** The `logger` of Fastify. */
export function loggerOptions(
  config: Pick<Config, 'SVC_LOG_LEVEL'> & OtlpOptions,
  { logStream, logsForPeople }: LogOptions
) {
  const mixin = isSent('TRACES', config) && { mixin: () => place.getStore()?.ids ?? {} }
  const common = { level: config.SVC_LOG_LEVEL, serializers, ...mixin }
  if (!logsForPeople) return { ...common, stream: logStream ?? standardOutput() }
  // No buffer: at its end, the one above would wait for a terminal that was closed, for ever.
  const output = logStream ?? process.stdout.on('error', () => {})
  const stream = { write: (line: string) => void output.write(lineForPeople(line)) }
  return { ...common, stream }
}

/**
 * Writes one line for each request, at its end. The level is info if the request changed something or
 * failed, else debug, because a line costs about as much as a short query.
 */
export class RequestLog extends LogController {
  readonly #logsReads: boolean

  /** `level`: the lowest that is logged. */
  constructor(level: Config['SVC_LOG_LEVEL']) {
    super()
    this.#logsReads = level === 'debug' || level === 'trace'
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
    // An RPC message changes nothing itself; the request that it makes has its own line.
    const isWrite = changesState(request.method) && request.config?.body !== 'rpc'
    const level = statusCode >= 400 || error || isWrite ? 'info' : 'debug'
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
