import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import { innerRequestId } from '../../http/headers.ts'
import { changesState } from '../../http/methods.ts'
import { answerWithin, type Sent } from './inner-request.ts'
import { headerOf, type Tool } from './tool.ts'
import { decodeBase64, fileForm, uploadMaxBytes } from './upload.ts'

/** The result of a call. */
export interface Outcome {
  isError: boolean
  /** JSON: `Data` of the success, or what went wrong and how to correct it. */
  text: string
}

export type Arguments = Readonly<Record<string, unknown>>

interface Detail {
  in: 'arguments'
  field: string
  message: string
}

/** What a model is told of a failure: its code, what is wrong, and the remedy. */
function failure(
  code: ErrorCode,
  data: object = {},
  remedy: string = catalog[code].remedy
): Outcome {
  return {
    isError: true,
    text: JSON.stringify({ code, message: catalog[code].message, ...data, remedy })
  }
}

const invalid = (...details: Detail[]) =>
  failure(
    'VALIDATION-FAILED',
    { details },
    'Change what `details` names; `tools/list` says what each argument takes.'
  )

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed())

/** Adds the quotes of an entity tag. Models leave them out, because they take them for quotes of JSON. */
const tag = (text: string) => (/^(\*|W\/|")/.test(text) ? text : `"${text}"`)

/** What a message says beside the call. */
interface Context {
  headers: IncomingHttpHeaders
  /** `_meta` of the call. */
  meta: { [name: string]: unknown; run?: unknown } | undefined
  /** Now, in milliseconds. */
  now: number
}

/** The headers of a message that reach the operation: who sends it, and from where. */
const ofSender = ['authorization', 'host', 'user-agent', 'x-forwarded-for'] as const

/** The HTTP request of a call, or what is wrong with its arguments. */
function requestOf(
  { operation, places, path }: Tool,
  given: Arguments,
  context: Context
): Sent | Outcome {
  const { method, schema } = operation
  const values = new Map<string, string>()
  const query: string[] = []
  const headers: Record<string, string> = {}
  const body: Record<string, unknown> = {}
  const details: Detail[] = []
  const refuse = (field: string, message: string) =>
    details.push({ in: 'arguments', field, message })

  for (const [name, value] of Object.entries(given)) {
    const place = places.get(name)
    if (place === undefined) {
      refuse(name, `is no argument; there are: ${[...places.keys()].join(', ') || 'none'}`)
    } else if (place === 'body') body[name] = value
    // Models write null for arguments that they want to leave out.
    else if (value === null) continue
    else if (!isScalar(value)) refuse(name, 'must be a string, a number or a boolean')
    else if (place === 'path') values.set(name, encode(value))
    else if (place === 'query') query.push(`${encode(name)}=${encode(value)}`)
    else if (place === 'header') {
      headers[headerOf(name)] = name === 'if_match' ? tag(String(value)) : String(value)
    }
  }
  if (details.length > 0) return invalid(...details)

  if (changesState(method)) headers['x-run-id'] = runOf(context)
  let url = ''
  for (const [index, part] of path.entries()) url += index % 2 ? (values.get(part) ?? '') : part
  if (query.length > 0) url += `?${query.join('&')}`
  const request = { method, url, headers }
  // A file is sent as a form, so that the parser of forms reads it.
  if (operation.config.body === 'multipart') {
    const form = formOf(given)
    if ('isError' in form) return form
    headers['content-type'] = form.type
    return { ...request, payload: form.payload }
  }
  return schema.body ? { ...request, payload: JSON.stringify(body) } : request
}

function formOf({ name, content }: Arguments) {
  if (typeof name !== 'string' || typeof content !== 'string') {
    const field = typeof name === 'string' ? 'content' : 'name'
    return invalid({ in: 'arguments', field, message: 'must be a string' })
  }
  const bytes = decodeBase64(content)
  if (!bytes) return invalid({ in: 'arguments', field: 'content', message: 'must be base64' })
  if (bytes.length > uploadMaxBytes) {
    return failure(
      'UPLOAD-TOO-LARGE',
      { most_bytes: uploadMaxBytes },
      'Send the file to `POST /attachment/index` with the same token, as multipart/form-data in a field called `file`.'
    )
  }
  return fileForm(name, bytes)
}

const envelope = '{"Result":true,"Data":'
const successBegin = `${envelope}{"status":"success"`

/** Turns the answer of the service into the result for a model. */
function outcomeOf(payload: string, retryAfter: unknown, scope: string | undefined): Outcome {
  // `Data` as the serialiser wrote it: to parse and write it again would only take time.
  if (payload.startsWith(successBegin)) {
    return { isError: false, text: payload.slice(envelope.length, -1) }
  }
  const { Data } = JSON.parse(payload)
  if (Data?.status !== 'failure') return { isError: false, text: JSON.stringify(Data) }
  const { status: _status, errorCode, errorMessage: _message, ...data } = Data
  const wait = retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) }
  // In HTTP, a header names the scope.
  if (errorCode === 'SCOPE-INSUFFICIENT') return failure(errorCode, { ...data, ...wait, scope })
  // The remedy in the catalog is a sign-in, but no tool can sign in.
  if (errorCode === 'SESSION-CLOSED') {
    const remedy =
      'This tool does not take your kind of credential. Call one that `tools/list` names, or connect with an access token of the `scope` given here.'
    return failure(errorCode, { ...data, scope }, remedy)
  }
  return failure(errorCode, { ...data, ...wait })
}

/** The run of the changes: the one that the client names, or else one for each credential and day. */
function runOf({ headers, meta, now }: Context) {
  const own = headers['x-run-id'] ?? meta?.run
  // Not `String`: of an object, it would call what the sender wrote. The schema of the header refuses JSON.
  if (own !== undefined) return typeof own === 'string' ? own : JSON.stringify(own)
  const day = new Date(now).toISOString().slice(0, 10)
  return `mcp-${day}-${hash('sha256', headers.authorization ?? '').slice(0, 12)}`
}

/**
 * Calls a tool: builds an HTTP request from its arguments, and sends it through the routes of the service,
 * with the credential, the connection and the id of `request`.
 */
export async function callTool(
  app: FastifyInstance,
  request: FastifyRequest,
  tool: Tool,
  given: Arguments,
  meta?: Context['meta']
): Promise<Outcome> {
  const { headers, raw, id } = request
  const wanted = requestOf(tool, given, { headers, meta, now: app.now() })
  if ('isError' in wanted) return wanted
  for (const name of ofSender) {
    const value = headers[name]
    if (value !== undefined) wanted.headers[name] = String(value)
  }
  wanted.headers.prefer = 'handling=strict'
  wanted.headers[innerRequestId] = id
  const answer = await answerWithin(app, raw, wanted)
  return outcomeOf(answer.payload, answer.headers['retry-after'], tool.operation.config.scope)
}
