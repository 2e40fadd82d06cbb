import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import { answerInProcess, InProcessRequest } from '../../http/in-process.ts'
import { changesState } from '../../http/methods.ts'
import { setCaller } from '../../identity/auth.ts'
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

/** A request within the process. One with a file is sent as a form, so that the parser of forms reads it. */
type Wanted = { method: HTTPMethods; url: string; headers: Record<string, string> } & (
  | { form: Buffer }
  | { body?: Record<string, unknown> }
)

/** The HTTP request of a call, or what is wrong with its arguments. */
function requestOf({ operation, places }: Tool, given: Arguments): Wanted | Outcome {
  const { method, url, schema } = operation
  const path = new Map<string, string>()
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
    else if (place === 'path') path.set(name, encode(value))
    else if (place === 'query') query.push(`${encode(name)}=${encode(value)}`)
    else if (place === 'header') {
      headers[headerOf(name)] = name === 'if_match' ? tag(String(value)) : String(value)
    }
  }
  if (details.length > 0) return invalid(...details)

  const target = url.replaceAll(/:(\w+)/g, (_all, name) => path.get(name) ?? '')
  const request = {
    method: method as HTTPMethods,
    url: query.length > 0 ? `${target}?${query.join('&')}` : target,
    headers
  }
  if (operation.config.body === 'multipart') {
    const form = formOf(given)
    if ('isError' in form) return form
    headers['content-type'] = form.type
    return { ...request, form: form.payload }
  }
  return schema.body ? { ...request, body } : request
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
function runOf({ headers }: FastifyRequest, meta: unknown, now: number) {
  const own = headers['x-run-id'] ?? (meta as { run?: unknown } | undefined)?.run
  if (own !== undefined) return String(own)
  const day = new Date(now).toISOString().slice(0, 10)
  return `mcp-${day}-${hash('sha256', headers.authorization ?? '').slice(0, 12)}`
}

/**
 * Calls a tool: builds an HTTP request from its arguments, and sends it through the routes of the
 * service, in process. The inner request has the caller and the address of `request`.
 */
export async function callTool(
  app: FastifyInstance,
  request: FastifyRequest,
  tool: Tool,
  given: Arguments,
  meta?: unknown
): Promise<Outcome> {
  const wanted = requestOf(tool, given)
  if ('isError' in wanted) return wanted
  const { headers } = wanted
  headers.prefer = 'handling=strict'
  if (changesState(wanted.method)) headers['x-run-id'] = runOf(request, meta, app.now())
  const answer =
    'form' in wanted ? await injectForm(app, request, wanted) : await pass(app, request, wanted)
  return outcomeOf(answer.payload, answer.headers['retry-after'], tool.operation.config.scope)
}

function pass(app: FastifyInstance, request: FastifyRequest, wanted: Wanted) {
  const inner = new InProcessRequest(request, wanted)
  setCaller(inner, request.viewer)
  return answerInProcess(app, inner)
}

function injectForm(
  app: FastifyInstance,
  request: FastifyRequest,
  { method, url, headers, form }: Wanted & { form: Buffer }
) {
  const { authorization, host, 'user-agent': agent = 'mcp' } = request.headers
  return app.inject({
    method,
    url,
    payload: form,
    remoteAddress: request.ip,
    headers: {
      ...headers,
      'user-agent': agent,
      ...(authorization !== undefined && { authorization }),
      ...(host !== undefined && { host })
    }
  })
}
