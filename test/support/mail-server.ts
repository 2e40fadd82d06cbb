import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'
import { restart, type Service } from './helper.ts'

interface Received {
  to: string[]
  /** Headers and body, as they were received. */
  source: string
}

/** An SMTP server on a socket of this machine. */
interface MailServer {
  /** For `SVC_SMTP_URL`. */
  url: string
  mails: Received[]
  /** Connections so far. */
  connections: number
  /** Mails are accepted only after this has resolved; at first they are accepted at once. */
  hold: Promise<void>
  /** How many more mails are refused with a temporary failure. */
  refuse: number
}

/** Starts one; it ends after the test. `port` 0 takes a free one. With `tls`, all of it is encrypted. */
export async function startMailServer(
  t: Test,
  port = 0,
  tls?: { key: string; cert: string }
): Promise<MailServer> {
  const state: MailServer = {
    url: '',
    mails: [],
    connections: 0,
    hold: Promise.resolve(),
    refuse: 0
  }
  const server = new SMTPServer({
    ...(tls && { secure: true, ...tls }),
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      state.connections += 1
      done()
    },
    async onData(stream, { envelope }, done) {
      const source = await text(stream)
      await state.hold
      if (state.refuse > 0) {
        state.refuse -= 1
        return done(new Error('try again later'))
      }
      state.mails.push({ to: envelope.rcptTo.map(({ address }) => address), source })
      done()
    }
  })
  // The test does not fail if a client closes the connection early.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  state.url = `${tls ? 'smtps' : 'smtp'}://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return state
}

/** A port of this machine on which nothing listens. */
export async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A fake mail server: accepts connections and calls `behave` with each. */
export async function startBadMailServer(t: Test, behave: (socket: Socket) => void = () => {}) {
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
    /** For `SVC_SMTP_URL`. */
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves with the next connection. */
    connected: () => once(server, 'connection')
  }
}

/** The raw reset token of a mail: 64 hexadecimal characters on a line of their own. */
export function tokenOf(mail: Received | undefined): string {
  const token = /^([0-9a-f]{64})\r?$/m.exec(mail?.source ?? '')?.[1]
  if (!token) throw new Error('no token in the mail')
  return token
}

/** Brings a service back to its start once it mails nothing any more, and forgets its mails. */
export async function restartWithMail(service: Service, { mails }: MailServer) {
  await service.app.background.idle()
  const restarted = await restart(service)
  mails.length = 0
  return restarted
}
