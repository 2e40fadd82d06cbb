import type { Test } from 'tap'
import { type ClientOptions, createClient, ServiceError } from '../../client/src/index.ts'
import { startService } from './helper.ts'

export const demo = { user_id: 'demo', user_pass: 'demo' }

/**
 * A service on a socket, a client of it, and the requests that the client has sent. `client` makes another
 * client.
 */
export async function startClient(
  t: Test,
  env: Record<string, string> = {},
  options: Partial<ClientOptions> = {}
) {
  const { app } = await startService(t, env)
  const baseUrl = await app.listen({ port: 0 })
  function client(options: Partial<ClientOptions> = {}) {
    const sent: Request[] = []
    const api = createClient({
      baseUrl,
      fetch: (request) => {
        sent.push(request)
        return fetch(request)
      },
      ...options
    })
    return { api, sent }
  }
  return { app, baseUrl, client, ...client(options) }
}

/** The failure of a call. */
export async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (error instanceof ServiceError) return error
  throw new Error(`not refused by the service: ${error}`)
}
