import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse
} from 'node:http'
import { Socket } from 'node:net'
import { closeGently } from './socket.ts'

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

/** Descriptors kept for everything else: the database, open files, the log. */
const reserve = 256
/** Used if the system sets no limit of descriptors: then memory is the limit (docs/security.md). */
const defaultMax = 8192
/** How many requests on one connection may be without an answer; one more ends the connection. */
const unansweredMax = 32
/** How many requests, on all connections together, may wait for an earlier answer. */
const waitingMax = 4096
/** How often refused connections are logged, in milliseconds. */
const sayEveryMs = 60_000

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
export function connectionsMax(asked: number, limit = descriptorLimit()) {
  return Math.min(asked || defaultMax, Math.max(limit - reserve, Math.floor(limit / 2)))
}

interface ConnectionLimits {
  /** Connections beyond this number are closed at once. */
  max: number
  /** Called when connections are refused, at most once a minute. */
  onFull(): void
  /** A connection is closed if its client reads nothing of an answer for this many milliseconds. */
  stalledMs?: number
}

/** What goes on on one connection, and the answers that wait for it. */
class Connection {
  /** The request that is being answered. */
  current: IncomingMessage | undefined
  readonly waiting: ServerResponse[] = []
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
 * answered. So a connection that nobody reads costs one answer.
 */
export function createBoundedServer(
  handle: RequestListener,
  { max, onFull, stalledMs = 60_000 }: ConnectionLimits
) {
  const connections = new WeakMap<Socket, Connection>()
  let waitingCount = 0

  function take(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    const connection = connections.get(socket)
    // The connection was ended while the parser still had requests of the same packet.
    if (!connection || socket.destroyed) return hangUp(socket)
    if (!connection.current) return begin(connection, response)
    if (connection.waiting.length + 1 === unansweredMax || waitingCount === waitingMax) {
      hangUp(socket)
      return
    }
    connection.waiting.push(response)
    waitingCount++
  }

  function begin(connection: Connection, response: ServerResponse) {
    connection.current = response.req
    response.on('close', goOn)
    handle(response.req, response)
  }

  /** Begins the next request when an answer was sent or given up. */
  function goOn(this: ServerResponse) {
    const { socket } = this.req
    const connection = connections.get(socket)
    if (!connection) return
    if (socket.destroyed) {
      waitingCount -= connection.waiting.length
      connection.waiting.length = 0
      return
    }
    const next = connection.waiting.shift()
    if (!next) {
      connection.current = undefined
      return
    }
    waitingCount--
    begin(connection, next)
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
  server.on('connection', (socket) => {
    const connection = new Connection()
    connections.set(socket, connection)
    // Node.js calls this after an answer with `Connection: close`.
    socket.destroySoon = () => {
      if (connection.current?.complete === false) closeGently(socket)
      else Socket.prototype.destroySoon.call(socket)
    }
  })

  // Nothing was sent or received: the connection is idle, its caller does not read, or we are still working.
  server.setTimeout(stalledMs, (socket) => {
    const isAtWork = connections.get(socket)?.current && socket.writableLength === 0
    if (!isAtWork) socket.destroy()
  })

  let saidAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - saidAt < sayEveryMs) return
    saidAt = performance.now()
    onFull()
  })
  return server
}
