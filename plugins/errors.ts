import { readFileSync } from 'node:fs'
import type {} from '@fastify/accepts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { UnstorableText } from '../db/statement.ts'
import { DatabaseUnavailable } from '../db/unavailable.ts'
import { catalog, type ErrorCode, errorCodes } from '../schemas/errors.ts'
import { resource } from './resources.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An HTML action: renders pages, and its failures are pages too. */
    html?: boolean
  }
}

interface FailureOptions {
  headers?: Record<string, string>
  /** Fields beside `errorCode` and `errorMessage` in `Data`. */
  data?: Record<string, unknown>
  cause?: unknown
}

/** A failure of the catalog; status and message follow from the code. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly headers: Record<string, string>
  readonly data: Record<string, unknown> | undefined

  constructor(code: ErrorCode, { headers = {}, data, cause }: FailureOptions = {}) {
    super(catalog[code].message, { cause })
    this.code = code
    this.headers = headers
    this.data = data
  }
}

/** Ends the request with a failure of the catalog. */
export function fail(code: ErrorCode, options?: FailureOptions): never {
  throw new Failure(code, options)
}

/** Errors of Fastify and of a full disk that have a code; other 4xx are REQUEST-INVALID. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY-TOO-LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BODY-INVALID',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BODY-INVALID',
  ENOSPC: 'SERVICE-OVERLOADED',
  EDQUOT: 'SERVICE-OVERLOADED',
  SQLITE_FULL: 'SERVICE-OVERLOADED'
}

/** Any thrown value as a failure of the catalog. */
export function toFailure(error: FastifyError | Failure): Failure {
  if (error instanceof Failure) return error
  if (error instanceof DatabaseUnavailable) {
    return new Failure('SERVICE-OVERLOADED', { cause: error, headers: { 'retry-after': '1' } })
  }
  if (error instanceof UnstorableText) {
    const details = [{ in: 'body', field: '', message: 'must not contain U+0000' }]
    return new Failure('VALIDATION-FAILED', { data: { details } })
  }
  const code =
    frameworkCodes[error.code] ??
    (error.statusCode && error.statusCode >= 400 && error.statusCode < 500
      ? 'REQUEST-INVALID'
      : 'INTERNAL-ERROR')
  return new Failure(code, { cause: error })
}

const envelope = (code: ErrorCode, data?: Record<string, unknown>) =>
  JSON.stringify({
    Result: true,
    Data: { status: 'failure', errorCode: code, errorMessage: catalog[code].message, ...data }
  })

const bodies = Object.fromEntries(errorCodes.map((code) => [code, envelope(code)])) as Record<
  ErrorCode,
  string
>

/** The failure envelope as JSON text. */
export const failureBody = ({ code, data }: Pick<Failure, 'code' | 'data'>) =>
  data ? envelope(code, data) : bodies[code]

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char)

const view = (name: string) => readFileSync(resource(`views/${name}`), 'utf8')

interface ErrorOptions {
  /** Where an HTML visitor who is not logged in is sent (contract: CSRF 6). */
  logoutUri: string
}

/**
 * Every failure, whoever made it, leaves through `sendFailure`: the envelope for REST requests, a
 * static page for HTML ones (contract E5, E6, Errors rules 2 and 3).
 */
export default fp<ErrorOptions>(
  async (app, { logoutUri }) => {
    const pages: Partial<Record<ErrorCode, string>> = {
      'NOT-FOUND': view('404.html'),
      'INTERNAL-ERROR': view('500.html'),
      'CSRF-TOKEN-INVALID': view('csrf.html')
    }
    const errorPage = view('error.html')
    const page = (code: ErrorCode) =>
      pages[code] ??
      errorPage
        .replaceAll('{{code}}', () => escapeHtml(code))
        // A function: in a text `$&` would stand for what is replaced.
        .replaceAll('{{message}}', () => escapeHtml(catalog[code].message))

    /** REST answers JSON whatever `Accept` says (E1); an unresolved path and an HTML action negotiate. */
    function wantsPage(request: FastifyRequest, code: ErrorCode) {
      if (request.routeOptions.config?.html)
        return request.accepts().type(['html', 'json']) !== 'json'
      if (code !== 'NOT-FOUND' || !request.is404) return false
      return request.accepts().type(['json', 'html']) !== 'json'
    }

    app.setErrorHandler(function handleError(error: FastifyError, request, reply) {
      sendFailure(toFailure(error), request, reply)
    })

    app.decorateReply('failureCode', null)
    app.decorate('sendFailure', sendFailure)

    function sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply) {
      const { status } = catalog[failure.code]
      // A refusal that nothing caused, such as CIRCUIT-OPEN, shows in the line of its request.
      if (status >= 500 && failure.cause) {
        request.log.error({ err: failure.cause }, failure.code)
      }
      reply.failureCode = failure.code
      const asPage = wantsPage(request, failure.code)
      if (asPage && failure.code === 'SESSION-CLOSED') return reply.redirect(logoutUri, 302)
      reply.code(status).headers(failure.headers)
      // RFC 9110 §15.5.2: a 401 names a way to authenticate.
      if (status === 401 && !reply.hasHeader('www-authenticate')) {
        reply.header('www-authenticate', 'Bearer')
      }
      if (asPage) return reply.type('text/html; charset=utf-8').send(page(failure.code))
      return reply.type('application/json; charset=utf-8').send(failureBody(failure))
    }
  },
  { name: 'errors', fastify: '5.x', dependencies: ['@fastify/accepts'] }
)

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the failure that is answered; null for a success. */
    failureCode: ErrorCode | null
  }
  interface FastifyInstance {
    /** Answers with a failure outside a handler, for errors that Fastify meets before routing. */
    sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply
  }
}
