import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../../schemas/errors.ts'
import type { Detail } from '../../../schemas/failures.ts'
import { Failure } from '../../http/errors/index.ts'
import { innerRequestId } from '../../http/headers.ts'
import { answerWithin } from '../../http/inner-request.ts'
import type { KnownCaller } from '../../identity/auth.ts'
import type { fill } from './arguments.ts'
import type { Operation } from './index.ts'

/** `Data` of an answer. */
export interface Answered {
  status: string
  errorCode?: ErrorCode
  details?: Detail[]
  [name: string]: unknown
}

/**
 * Calls an operation for a request, as `caller`, in its transaction if there is one. Returns the answer, which may be a
 * failure; fails if the service is the reason.
 */
export async function callOperation(
  request: FastifyRequest,
  { method, schema }: Operation,
  { url, headers, body }: ReturnType<typeof fill>,
  { identity, repos }: Pick<KnownCaller, 'identity' | 'repos'>
): Promise<Answered> {
  const { server: app, raw, id } = request
  const caller: KnownCaller = { identity, repos }
  const sent = {
    method,
    url,
    headers: {
      ...headers,
      prefer: 'handling=strict',
      host: String(request.headers.host ?? 'localhost'),
      [innerRequestId]: id
    }
  }
  const answer = await answerWithin(
    app,
    raw,
    schema.body ? { ...sent, payload: JSON.stringify(body) } : sent,
    (inner) => app.knownCallers.set(inner, caller)
  )
  const { Data }: { Data: Answered } = JSON.parse(answer.payload)
  // A transaction may run again, or its caller.
  if (answer.statusCode >= 500) {
    throw caller.error ?? new Failure(Data.errorCode ?? 'INTERNAL-ERROR')
  }
  return Data
}
