import { readFileSync } from 'node:fs'
import type {} from '@fastify/accepts'
import { Eta } from 'eta'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { BudgetSpent } from '../../../db/own/record.ts'
import { Referenced } from '../../../db/own/references.ts'
import { UnstorableText } from '../../../db/statement.ts'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import { type ConflictReason, catalog, conflicts, type ErrorCode } from '../../../schemas/errors.ts'
import type { Detail } from '../../../schemas/failures.ts'
import type { Conflict } from '../../../schemas/undo.ts'
import { resource } from '../../runtime/resources.ts'
import { saidOf } from './said.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An HTML action: renders pages, and its failures are pages too. */
    html?: boolean
  }
  interface FastifyReply {
    /** The code of the answered failure; null for a success. */
    failureCode: ErrorCode | null
  }
  interface FastifyInstance {
    /** Answers an error that Fastify finds before routing, outside any handler. */
    sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply
    /** What stands around every page, error pages too. */
    frame: Frame
  }
}

/** What pages share. Plugins and areas above add to it at start. */
interface Frame {
  /** The navigation of signed-in visitors, in this order; `waiting` says how many things wait there. */
  links: {
    url: string
    text: string
    role?: 'admin' | undefined
    /** It is the page of a declared area: many of these stand in a menu of their own. */
    ofKind?: boolean | undefined
    waiting?: ((request: FastifyRequest) => Promise<number>) | undefined
  }[]
  /** Who looks at the page, if that is known already. */
  visitor(request: FastifyRequest): object | undefined
  /**
   * Where a visitor who is not signed in is sent from this page, if not to SVC_LOGOUT_URI itself, and whether the form
   * that they sent goes along.
   */
  signIn(request: FastifyRequest): { to: string; keepsForm?: boolean } | undefined
}

export type FailureData = {
  details?: Detail[]
  lines?: readonly string[]
  conflicts?: Conflict[]
} & Record<string, unknown>

interface FailureOptions {
  headers?: Record<string, string>
  /** Fields of `Data` in addition to `errorCode` and `errorMessage`. */
  data?: FailureData
  cause?: unknown
  /** The field of a form that is wrong, if pages may say more than programs are told. */
  field?: string
}

/** A failure of the catalog; status and message follow from the code. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly headers: Record<string, string>
  readonly data: FailureData | undefined
  readonly field: string | undefined

  constructor(code: ErrorCode, { headers = {}, data, cause, field }: FailureOptions = {}) {
    super(catalog[code].message, { cause })
    this.code = code
    this.headers = headers
    this.data = data
    this.field = field
  }
}

/** Ends the request with a failure of the catalog; `conflict` does so with CONFLICT. */
export function fail(code: Exclude<ErrorCode, 'CONFLICT'>, options?: FailureOptions): never {
  throw new Failure(code, options)
}

/** Ends the request with CONFLICT. With `running`, it may be sent again after a second. */
export function conflict(reason: ConflictReason, options?: Omit<FailureOptions, 'cause'>): never {
  throw conflictOf(reason, options)
}

function conflictOf(reason: ConflictReason, { headers, data }: Omit<FailureOptions, 'cause'> = {}) {
  const { message, retry } = conflicts[reason]
  return new Failure('CONFLICT', {
    headers: { ...(retry === 'later' && { 'retry-after': '1' }), ...headers },
    data: { reason, message, ...data }
  })
}

/** Enough for any caller; limits the size of the answer to a hostile request. */
export const maxDetails = 50

/** VALIDATION-FAILED: what is wrong with which fields. */
export const invalid = (...details: Detail[]) =>
  new Failure('VALIDATION-FAILED', { data: { details } })

/** Codes for errors of Fastify, and for a full disk or too many descriptors. Any other 4xx is REQUEST-INVALID. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY-TOO-LARGE',
  // The body is only a byte order mark. A body without bytes is null (contract E2).
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BODY-INVALID',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BODY-INVALID',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BODY-INVALID',
  ENOSPC: 'SERVICE-OVERLOADED',
  EDQUOT: 'SERVICE-OVERLOADED',
  EMFILE: 'SERVICE-OVERLOADED',
  ENFILE: 'SERVICE-OVERLOADED',
  SQLITE_FULL: 'SERVICE-OVERLOADED'
}

/** Turns any thrown error into a failure of the catalog. */
export function toFailure(error: Error & Partial<FastifyError>): Failure {
  if (error instanceof Failure) return error
  if (error instanceof DatabaseUnavailable) {
    return new Failure('SERVICE-OVERLOADED', { cause: error, headers: { 'retry-after': '1' } })
  }
  if (error instanceof BudgetSpent) return new Failure('BUDGET-SPENT')
  if (error instanceof Referenced)
    return conflictOf('referenced', { data: { referenced_by: error.by } })
  if (error instanceof UnstorableText) {
    return invalid({ in: 'body', field: error.field, message: 'must not contain U+0000' })
  }
  const code =
    frameworkCodes[error.code ?? ''] ??
    (error.statusCode && error.statusCode >= 400 && error.statusCode < 500
      ? 'REQUEST-INVALID'
      : 'INTERNAL-ERROR')
  return new Failure(code, { cause: error })
}

/** The failure envelope as JSON text: what is so comes before the message of the code, which is more general. */
export function failureBody({
  code,
  data: { message, ...data } = {}
}: Pick<Failure, 'code' | 'data'>) {
  const errorMessage = catalog[code].message
  const Data = { status: 'failure', message, errorCode: code, errorMessage, ...data }
  return JSON.stringify({ Result: true, Data })
}

/** The `Link` of every failure: where its code is explained (RFC 8288); of CONFLICT, its reason first. */
export function helpLink(code: ErrorCode, reason?: unknown) {
  const link = (query: string) => `</error/item/code_${code}${query}>; rel="help"`
  return code === 'CONFLICT' && reason !== undefined
    ? `${link(`?reason=${reason}`)}, ${link('')}`
    : link('')
}

/** Added if the path is unknown: the document lists the known ones. */
const documentLink = '</api-docs/json>; rel="service-desc"'

/** Sets status and headers of a failure and logs its cause. For pages that show the failure themselves. */
export function setFailure(reply: FastifyReply, { code, headers, data, cause }: Failure) {
  const { status, retry } = catalog[code]
  // Without a cause (CIRCUIT-OPEN, for example), the log line of the request says enough.
  if (status >= 500 && cause) {
    // The stack of a full disk says nothing more.
    const isOutage = cause instanceof DatabaseUnavailable
    reply.log.error(isOutage ? { cause: cause.message } : { err: cause }, code)
  }
  reply.failureCode = code
  const isUnresolved = code === 'NOT-FOUND' && reply.request.is404
  const link = helpLink(code, data?.reason)
  reply
    .code(status)
    .headers(headers)
    .header('link', isUnresolved ? `${link}, ${documentLink}` : link)
  if (status >= 500 && retry === 'later' && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', '5')
  }
  // RFC 9110 §15.5.2: a 401 names a way to authenticate.
  if (status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer')
  }
}

interface ErrorOptions {
  /** Where an visitor who is not signed in is sent (contract CSRF-4). */
  logoutUri: string
}

/**
 * A range of an `Accept` header without parameters but `q`: others do not say which of JSON and HTML is preferred.
 * `application/problem+json` is JSON.
 */
function plainRange(range: string) {
  const [type = '', ...parameters] = range.split(';')
  const isJson = type.trimEnd().toLowerCase().endsWith('+json')
  const quality = parameters.find((one) => /^\s*q=/i.test(one))
  return [isJson ? 'application/json' : type, quality].filter(Boolean).join(';')
}

/**
 * Every failure is answered by `sendFailure`: with the envelope for REST requests, with a static page
 * for HTML ones (contract E5, E6, ERROR-2, ERROR-3).
 */
export default fp<ErrorOptions>(
  async (app, { logoutUri }) => {
    app.readsConfig('html')
    const views = resource('plugins/http/errors')
    const eta = new Eta({ views, cache: true })
    const frame: Frame = { links: [], visitor: () => undefined, signIn: () => undefined }
    app.decorate('frame', frame)
    const staticPage = (code: ErrorCode, name: string, title: string) => {
      return [code, { title, body: readFileSync(`${views}/${name}`, 'utf8') }] as const
    }
    const pages: Partial<Record<ErrorCode, { title: string; body: string }>> = Object.fromEntries([
      staticPage('NOT-FOUND', '404.html', 'Not found'),
      staticPage('INTERNAL-ERROR', '500.html', 'Something went wrong'),
      staticPage('CSRF-TOKEN-INVALID', 'csrf.html', 'Form expired')
    ])
    /** An error page, in the frame of all pages. */
    function page(failure: Failure, request: FastifyRequest) {
      const { code } = failure
      // The page 404.html is for unknown paths. An action that fails with NOT-FOUND has a page like other
      // failures (contract ERROR-2).
      const fixed = code === 'NOT-FOUND' && !request.is404 ? undefined : pages[code]
      const title = saidOf(failure)
      const shown = fixed ?? { title, body: eta.render('error.eta', { title }) }
      const user = frame.visitor(request)
      return eta.render('layout.eta', {
        ...shown,
        failure,
        user,
        isError: true,
        links: frame.links
      })
    }

    /**
     * REST always answers JSON (E1), and an HTML action always answers pages. Only for an unknown path
     * does `Accept` decide (E5).
     */
    function wantsPage(request: FastifyRequest, code: ErrorCode) {
      if (request.config?.html) return true
      if (code !== 'NOT-FOUND' || !request.is404) return false
      const { headers } = request.raw
      headers.accept &&= headers.accept.split(',').map(plainRange).join()
      return request.accepts().type(['json', 'html']) !== 'json'
    }

    app.setErrorHandler(function handleError(error: FastifyError, request, reply) {
      sendFailure(toFailure(error), request, reply)
    })

    app.decorateReply('failureCode', null)
    app.decorate('sendFailure', sendFailure)

    function sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply) {
      const asPage = wantsPage(request, failure.code)
      if (asPage && failure.code === 'SESSION-CLOSED') {
        const { to, keepsForm = false } = frame.signIn(request) ?? { to: logoutUri }
        // The script of a page stays where it is, and asks its visitor.
        if (request.headers['sec-fetch-dest'] !== 'empty') {
          reply.failureCode = failure.code
          return reply.redirect(to, keepsForm ? 307 : 302)
        }
        reply.header('location', to)
      }
      setFailure(reply, failure)
      if (asPage) {
        // For an unknown path, only now is it clear that the answer is a page.
        if (request.is404) reply.headers(app.pageHeaders)
        return reply.type('text/html; charset=utf-8').send(page(failure, request))
      }
      return reply.type('application/json; charset=utf-8').send(failureBody(failure))
    }
  },
  { name: 'errors', fastify: '5.x', dependencies: ['@fastify/accepts', 'route-config'] }
)
