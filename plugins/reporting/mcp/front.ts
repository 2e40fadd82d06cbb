import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Carrier } from '../../http/carrier.ts'
import type { Handler } from '../../http/connections.ts'
import { shapeProblem } from '../../http/json-body.ts'
import { requestOf } from './call.ts'
import { type DirectCall, directCall } from './direct.ts'

/**
 * The most bytes of a message that is read here, and the most objects, arrays and strings in it. Few,
 * because everybody can send it: the credential is checked later.
 */
const bytesMax = 4096
const valuesMax = 250

/** Left to the parser of the route: names that lead to a prototype, and escapes that could hide them. */
const unusual = /__proto__|constructor|\\u/

/** Who may send messages to `/mcp`. */
export const access = { allow: ['agent', 'jwt'], scope: 'any' } as const

/** The call that a request stands for. */
export class CarriedCall implements Carrier {
  readonly access = access
  readonly id: DirectCall['id']
  readonly body: Carrier['body']
  readonly bytes: number
  isAdmitted = false
  status?: number

  constructor(id: DirectCall['id'], body: Carrier['body'], bytes: number) {
    this.id = id
    this.body = body
    this.bytes = bytes
  }
}

/** Whether a request may be a plain call. */
function mayBeCall({ method, url, headers }: IncomingMessage) {
  if (url !== '/mcp' || method !== 'POST' || headers.origin !== undefined) return false
  if (headers['content-type'] !== 'application/json' || headers['content-encoding']) return false
  return Number(headers['content-length']) <= bytesMax
}

function parse(bytes: Buffer): unknown {
  if (shapeProblem(bytes, valuesMax) || !isUtf8(bytes)) return undefined
  const text = bytes.toString()
  if (unusual.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Serves plain calls of tools as the HTTP requests that they stand for, before any route sees them. So
 * a call takes one pass through the service, as its operation does; a second one, for the message, would
 * cost as much again. Everything else goes on unchanged: other requests, other messages, calls with
 * wrong arguments.
 */
export const takeCalls =
  (handle: Handler, app: () => FastifyInstance): Handler =>
  (request, response) => {
    if (!mayBeCall(request)) return handle(request, response)
    const take = (body: Buffer) => {
      try {
        return become(request, body, app())
      } catch (err) {
        // Nobody has checked the credential yet, and nothing else would catch this.
        app().log.error({ err }, 'a message to /mcp could not be read')
        return false
      }
    }
    request.takeBody(take, () => handle(request, response))
  }

/** Turns a message into the request that its call stands for. False if it is not a plain call. */
function become(request: IncomingMessage, bytes: Buffer, app: FastifyInstance) {
  const { headers } = request
  const call = directCall(headers, parse(bytes))
  const tool = call && app.mcpTools.get(call.params.name)
  if (!tool) return false
  const { arguments: given = {}, _meta } = call.params
  const wanted = requestOf(tool, given, { headers, meta: _meta, now: app.now() })
  if ('isError' in wanted || 'form' in wanted) return false
  request.carrier = new CarriedCall(call.id, wanted.body, bytes.length)
  request.method = wanted.method
  request.url = wanted.url
  const { authorization, host } = headers
  request.headers = {
    ...wanted.headers,
    authorization,
    host,
    'user-agent': headers['user-agent'],
    'x-forwarded-for': headers['x-forwarded-for']
  }
  return true
}
