import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { catalog } from '../schemas/errors.ts'
import { failureBody } from './errors.ts'

/**
 * Answers a message that the HTTP parser refused, in the envelope. It never became a request, so
 * this is written to the socket.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>
) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  refuse(socket, headers)
}

/** How long an answer has to be taken off the line before the connection ends, in milliseconds. */
const lingerMs = 1000

/**
 * Writes REQUEST-INVALID to a connection and ends it. What still comes is thrown away: unread, it
 * would hide that the client has hung up.
 */
export function refuse(socket: Duplex, headers: Record<string, string>) {
  const { status } = catalog['REQUEST-INVALID']
  const body = failureBody({ code: 'REQUEST-INVALID', data: undefined })
  const lines = Object.entries({
    ...headers,
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  // After a CONNECT nobody else listens, and an error that nobody hears ends the process.
  socket.on('error', () => socket.destroy())
  socket.once('close', () => clearTimeout(timer)).resume()
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Lets the answer arrive before a connection ends of which not all was read: closing it resets it,
 * and the reset can overtake the answer (RFC 9112 §9.6). Meanwhile nothing more is read.
 */
export function closeGently(socket: Socket) {
  // Node calls this when an answer with `Connection: close` is out.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer)).end()
  }
}
