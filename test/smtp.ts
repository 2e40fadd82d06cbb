import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

/** A mail server on a socket of its own, which the test stops and starts again. */
export async function startMailServer(t: Test) {
  const received: { from: string; to: string[]; message: string }[] = []
  let connections = 0
  let server: SMTPServer | undefined
  let port = 0

  async function start() {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onConnect(_session, callback) {
        connections += 1
        callback()
      },
      onData(stream, { envelope }, callback) {
        text(stream).then((message) => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : ''
          received.push({ from, to: envelope.rcptTo.map(({ address }) => address), message })
          callback()
        }, callback)
      }
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    port = (server.server.address() as AddressInfo).port
  }

  const stop = () => new Promise<void>((resolve) => server?.close(resolve))
  await start()
  t.teardown(stop)
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** Connections that arrived so far. */
    connections: () => connections,
    start,
    stop
  }
}

/** Something that takes connections and does with them what `behave` does: no mail server. */
export async function startBadMailServer(t: Test, behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    behave(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves with the next connection. */
    connected: () => once(server, 'connection')
  }
}
