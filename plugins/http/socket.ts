import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { catalog } from '../../schemas/errors.ts'
import { failureBody, helpLink } from './errors/index.ts'
import { STATUS_CODES } from './node-http.ts'
import { endWith } from './pressure/connections.ts'

/**
 * Answers a message that the HTTP parser refused with REQUEST-INVALID, after the answers to what was asked
 * before, and ends the connection. There is no request, so the answer is written to the socket. Data that
 * still arrives is read and dropped: otherwise we would not see that the client has closed the connection.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>
) {
  if (!socket.writable) {
    // An ended connection is left to its client, who may still read.
    if (error.code === 'ECONNRESET') socket.destroy()
    return
  }
  const { status } = catalog['REQUEST-INVALID']
  const body = failureBody({ code: 'REQUEST-INVALID', data: undefined })
  const lines = Object.entries({
    ...headers,
    date: new Date().toUTCString(),
    'x-request-id': randomUUID(),
    link: helpLink('REQUEST-INVALID'),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.resume()
  endWith(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}
