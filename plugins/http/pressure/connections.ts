import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer } from '../node-http.ts'

declare module 'node:http' {
  interface Server {
    /** An option of Node.js that its types lack: a client that has closed its sending half still gets answers. */
    httpAllowHalfOpen: boolean
  }
}
declare module 'node:net' {
  interface Socket {
    /** Of Node.js, missing in its types: reads the requests of this connection. 2 makes it stop. */
    parser?: { onIncoming(): number } | null
  }
}

type Response = ServerResponse<IncomingMessage>

/** Descriptors kept for everything else: the database, open files, the log. */
const reserve = 256
/** Used if the system sets no limit of descriptors: then memory is the limit (docs/security.md). */
const defaultMax = 8192
/** How many requests on one connection may be without an answer; one more ends the connection. */
const unansweredMax = 32
/** How many requests, on all connections together, may wait for an earlier answer. */
const waitingMax = 4096
/** How long a new connection may take to send its first request during a shutdown, in milliseconds. */
const firstRequestMs = 1000
/** How long a connection stays open for its client to read the last answer, in milliseconds. */
const lingerMs = 2000
/** How often refused connections are logged, in milliseconds. */
const logEveryMs = 60_000

/** How many descriptors this process may have. Node.js has raised the limit as far as it can. */
function descriptorLimit() {
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | string } }
  }
  const limit = Number(report.userLimits?.open_files?.soft)
  // "unlimited", or a system without such a limit.
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit
}

/** How many connections this process accepts: at most `asked`, and no more than it has descriptors for. */
export function connectionsMax(requested: number, limit = descriptorLimit()) {
  return Math.min(requested || defaultMax, Math.max(limit - reserve, Math.floor(limit / 2)))
}

interface ConnectionLimits {
  /** Connections beyond this number are closed at once. */
  max: number
  /** Called when connections are refused, at most once a minute. */
  onFull(): void
  /** A connection is closed if its client sends nothing of a body, or reads nothing of an answer, for this many milliseconds. */
  stalledMs?: number
}

/** What goes on on one connection, and the answers that wait for it. */
class Connection {
  /** From when on it may be closed if it has nothing to do: its first request may be there, unread. */
  idleFrom = performance.now() + firstRequestMs
  /** The answer that is under way. */
  current: Response | undefined
  readonly waiting: Response[] = []
  /** What ends the connection after its answers. */
  last: string | undefined
  /** For how long nothing was sent or received, in milliseconds, when that was looked at last; and the bytes until then. */
  quiet = { ms: 0, at: 0, bytes: -1 }
  stalledMs: number
  constructor(stalledMs: number) {
    this.stalledMs = stalledMs
  }
}

const connections = new WeakMap<Duplex, Connection>()

/**
 * So often Node.js is asked whether a connection is quiet, before it has been so for too long: an answer of which the
 * kernel has taken a part meanwhile counts as quiet from the next look on.
 */
const looks = 6

/** Closes a connection after so many milliseconds in which nothing was sent or received, instead of the usual ones. */
export function closeStalled(socket: Socket, stalledMs: number) {
  const connection = connections.get(socket)
  if (!connection) return
  connection.stalledMs = stalledMs
  socket.setTimeout(stalledMs / looks)
}

/** Whether nothing was sent or received for too long, when Node.js says that nothing was for `socket.timeout`. */
function isStalled(connection: Connection, socket: Socket) {
  const { timeout = 0, bytesRead, bytesWritten } = socket
  const { quiet, stalledMs } = connection
  const [now, bytes] = [performance.now(), bytesRead + bytesWritten]
  // A longer time since the last look: then something of a long answer was taken.
  const isStillQuiet = bytes === quiet.bytes && now - quiet.at < 1.5 * timeout
  connection.quiet = { ms: timeout + (isStillQuiet ? quiet.ms : 0), at: now, bytes }
  return connection.quiet.ms >= stalledMs - 1
}

/**
 * Ends a connection after `last`, but keeps it open for a moment: what its client still sends is expected.
 * Closing it would reset the connection, and the reset can reach the client before the answer does
 * (RFC 9112 §9.6).
 */
function closeGently(socket: Duplex, last?: string) {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer)).end(last)
}

/**
 * Ends a connection with a text that answers something unreadable. What was asked before it is answered
 * first: it is carried out, and its caller must not be told otherwise.
 */
export function endWith(socket: Duplex, last: string) {
  const connection = connections.get(socket)
  // Ended already: the parser complains again of all that still arrives.
  if (!connection || connection.last !== undefined) return
  connection.last = last
  const { current } = connection
  if (!current) closeGently(socket, last)
  // The rest of its body will never come.
  else if (!current.req.complete) current.headersSent ? socket.destroy() : closeGently(socket, last)
}

/**
 * Ends a connection. Node.js would still begin all other requests of the packet. A thousand of them
 * hold up the process for 10 ms.
 */
function hangUp(socket: Socket) {
  socket.destroy()
  if (socket.parser) socket.parser.onIncoming = () => 2
}

/**
 * The HTTP server. Only this file limits callers who do not read, do not write or never leave.
 *
 * One packet can hold thousands of requests. Node.js would begin them all at once and keep their
 * answers until the client reads. Here a request begins when the one before it on the connection is
 * answered. So a connection that nobody reads costs one answer. With Node's own way, strangers make the slowest reads
 * of others take 3.4 times as long, with this 1.4 to 2.4 (`npm run bench -- --flood`).
 */
export function createBoundedServer(
  handle: (request: IncomingMessage, response: Response) => void,
  { max, onFull, stalledMs = 60_000 }: ConnectionLimits
) {
  let waitingCount = 0

  function take({ socket }: IncomingMessage, response: Response) {
    const connection = connections.get(socket)
    // The connection was ended while the parser still had requests of the same packet.
    if (socket.destroyed) return hangUp(socket)
    // After an answer with `Connection: close`, nothing that follows may be done (RFC 9112 §9.6): its caller
    // sends it again elsewhere.
    if (!connection || !socket.writable) return
    const { current, waiting } = connection
    if (!current) return begin(connection, response)
    if (waiting.length + 1 === unansweredMax || waitingCount === waitingMax) {
      return hangUp(socket)
    }
    waiting.push(response)
    waitingCount++
  }

  function begin(connection: Connection, response: Response) {
    connection.idleFrom = 0
    connection.current = response
    response.on('close', () => startNext(connection, response.req.socket))
    handle(response.req, response)
  }

  /** Begins the next request when an answer was sent or given up. */
  function startNext(connection: Connection, socket: Socket) {
    const { waiting, last } = connection
    connection.current = undefined
    if (!socket.writable) {
      waitingCount -= waiting.splice(0).length
      return
    }
    const next = waiting.shift()
    if (next) waitingCount--
    if (next && (last === undefined || next.req.complete)) begin(connection, next)
    else if (last !== undefined) closeGently(socket, last)
  }

  const server = createServer(
    {
      // Node.js would answer without our envelope; plugins/http/host.ts checks the header instead.
      requireHostHeader: false,
      // The values of Fastify and Node.js. With half a request, nobody can hold a connection.
      keepAliveTimeout: 72_000,
      requestTimeout: 300_000
    },
    take
  )
  server.maxConnections = max
  server.httpAllowHalfOpen = true
  // An unknown expectation may be ignored (RFC 9110 §10.1.1). Node.js would answer 417 without our envelope.
  server.on('checkExpectation', take)
  // By default, Node.js hangs up on CONNECT without an answer.
  server.on('connect', (_request, socket) =>
    server.emit('clientError', new Error('CONNECT'), socket)
  )
  const open = new Map<Socket, Connection>()
  // Node.js counts a connection as busy when it is new, or has sent a part of a request's head. One that
  // has been ended is left to its client, who may still read.
  server.closeIdleConnections = () => {
    const now = performance.now()
    for (const [socket, { current, idleFrom }] of open) {
      if (!current && now >= idleFrom && !socket.writableEnded) socket.destroy()
    }
  }
  server.on('connection', (socket) => {
    const connection = new Connection(stalledMs)
    connections.set(socket, connection)
    open.set(socket, connection)
    socket.once('close', () => open.delete(socket))
    // After a CONNECT there is no other listener, and an unhandled error would end the process.
    socket.on('error', () => socket.destroy())
    // Node.js calls this after an answer with `Connection: close`.
    socket.destroySoon = () => closeGently(socket)
  })

  // Nothing was sent or received: the connection is idle, its caller does not read or has stopped in the middle
  // of a body, or we are still working.
  server.setTimeout(stalledMs / looks, (socket) => {
    const connection = connections.get(socket)
    const isAtWork = connection?.current?.req.complete && socket.writableLength === 0
    if (isAtWork) return
    if (!connection || isStalled(connection, socket)) socket.destroy()
    else socket.setTimeout(connection.stalledMs / looks)
  })

  let loggedAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    onFull()
  })
  return server
}
