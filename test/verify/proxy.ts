import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

/** A request on its way to the service. */
export interface Seen {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** An answer on its way back. */
export interface Reply {
  status: number
  headers: Record<string, unknown>
  body: string
}

/** What a proxy does to what passes it: changes the request, and then the answer. */
export type Change = (seen: Seen) => ((reply: Reply) => void) | undefined

/** Self-signed, for `localhost`, until the year 2126. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/azKLkIhwVr/LYkO
9KeLyDACnCRHBfbkeRjDwWfcu9OhRANCAARBpREI9zZFNd0BT5DZzJflzgOTFKmH
IKblRmsY6uS+IxgVYJfLwD6Xb3W6251YFIwn2X8Z6oEuCBDEUYXSSjHs
-----END PRIVATE KEY-----`
export const cert = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUQ8DgUeZsxFBEluakwfbHCU086R0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIxMjIwOFoYDzIxMjYxMDI5
MjEyMjA4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARBpREI9zZFNd0BT5DZzJflzgOTFKmHIKblRmsY6uS+IxgVYJfLwD6X
b3W6251YFIwn2X8Z6oEuCBDEUYXSSjHso2kwZzAdBgNVHQ4EFgQUbrVCtbSLLlPN
pCfDwQHYJpZbRecwHwYDVR0jBBgwFoAUbrVCtbSLLlPNpCfDwQHYJpZbRecwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgHzbjAltYH4nfDbZBnkOibT9Ry8/7dPHrnIJR2kCJLfICIALtnThaBNPG
mOIu16JOZbCv7NID2oB4L1NK8S2MLIiT
-----END CERTIFICATE-----`

async function askFor(address: string, { method, url, headers, body }: Seen) {
  const asked = request(address + url, { method, headers }).end(body)
  const [answer]: [IncomingMessage] = (await once(asked, 'response')) as never
  return answer
}

/** Listens before there is a service, which may have to know its address. With `tls`, by HTTPS. */
export async function startProxy(t: Test, changes: Change[] = [], tls?: ServerOptions) {
  const target = Promise.withResolvers<string>()
  async function pass(incoming: IncomingMessage, response: ServerResponse) {
    const { method = 'GET', url = '/', headers } = incoming
    const seen: Seen = {
      method,
      url,
      headers: headers as Seen['headers'],
      body: await text(incoming)
    }
    // Of a body that may change.
    delete seen.headers['content-length']
    const then = changes.map((change) => change(seen))
    const answer = await askFor(await target.promise, seen)
    const isStream = answer.headers['content-type'] === 'text/event-stream'
    const reply: Reply = {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: isStream ? '' : await text(answer)
    }
    for (const change of then) change?.(reply)
    // Node knows the length, and how long the connection lives.
    for (const name of ['content-length', 'connection', 'keep-alive']) delete reply.headers[name]
    response.writeHead(reply.status, reply.headers as Record<string, string>)
    if (!isStream) return response.end(reply.body)
    response.on('close', () => answer.destroy())
    return answer.pipe(response)
  }
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    pass(incoming, response).catch((error) => response.destroy(error))
  }
  const server = tls ? createTlsServer({ key, cert, ...tls }, handle) : createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const address = new URL(`${tls ? 'https' : 'http'}://localhost:${port}`)
  return { address, serve: target.resolve }
}
