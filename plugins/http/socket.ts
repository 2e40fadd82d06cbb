import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { catalog } from '../../schemas/errors.ts'
import { failureBody, helpLink } from './errors.ts'

/**
 * Answers a message that the HTTP parser refused, with the envelope. There is no request, so the answer
 * is written to the socket.
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

/** How long a connection stays open for its client to read the last answer, in milliseconds. */
const lingerMs = 2000

/**
 * Writes REQUEST-INVALID to a connection and ends it. Data that still arrives is read and dropped:
 * otherwise we would not see that the client has closed the connection.
 */
export function refuse(socket: Duplex, headers: Record<string, string>) {
  const { status } = catalog['REQUEST-INVALID']
  const body = failureBody({ code: 'REQUEST-INVALID', data: undefined })
  const lines = Object.entries({
    ...headers,
    'x-request-id': randomUUID(),
    link: helpLink('REQUEST-INVALID'),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  // After a CONNECT there is no other listener, and an unhandled error would end the process.
  socket.on('error', () => socket.destroy())
  socket.once('close', () => clearTimeout(timer)).resume()
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Ends a connection, but keeps it open for a moment: what its client still sends is expected. Closing it
 * would reset the connection, and the reset can reach the client before the answer does (RFC 9112 §9.6).
 */
export function closeGently(socket: Socket) {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer)).end()
}
