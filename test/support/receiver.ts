import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

/** A delivery as it arrived. */
interface Arrived {
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A receiver of webhooks on a socket of this machine. */
interface Receiver {
  url: string
  port: number
  arrived: Arrived[]
  /** `webhook-id` of each delivery, in the order of arrival. */
  ids(): (string | undefined)[]
  /** Answers each delivery; 204 at first. */
  answer(request: IncomingMessage, response: ServerResponse): void
  /** How many requests are open now, and were at most. */
  open: number
  most: number
}

/** Starts one; it ends after the test. */
export async function startReceiver(t: Test, address = '127.0.0.1'): Promise<Receiver> {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    receiver.open += 1
    receiver.most = Math.max(receiver.most, receiver.open)
    response.on('close', () => {
      receiver.open -= 1
    })
    const body = await text(request)
    arrived.push({ headers: request.headers, body })
    receiver.answer(request, response)
  })
  server.listen(0, address)
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://${address}:${port}/hook`,
    port,
    arrived,
    ids: () => arrived.map(({ headers }) => headers['webhook-id']?.toString()),
    answer: (_request, response) => response.writeHead(204).end(),
    open: 0,
    most: 0
  }
  return receiver
}

/** An answer with this status and no body. */
export const answering = (status: number, headers: Record<string, string> = {}) =>
  ((_request, response) => response.writeHead(status, headers).end()) satisfies Receiver['answer']
