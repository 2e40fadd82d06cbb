import { randomUUID } from 'node:crypto'
import type {} from 'node:http'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'

declare module 'node:http' {
  interface IncomingMessage {
    /** The message that carried this request; absent if the request was sent by itself. */
    carrier?: Carrier
  }
}

/**
 * A message to another path that carried a request, such as a tool call to `/mcp`. The request is served
 * in place of the message, with the credential and on the connection of its sender.
 */
export interface Carrier {
  /** Who may send such messages: the guard checks this first, then the route of the request. */
  readonly access: Pick<FastifyContextConfig, 'allow' | 'scope'>
  /** Parsed JSON; undefined if the request has no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** How large the body can be at most: as large as the message. */
  readonly bytes: number
  /** Set by the guard: the sender may send messages, so what fails from here on is the request. */
  isAdmitted: boolean
  /** The status of the request's own answer, once it is there; that of the message is another. */
  status?: number
}

/** The status of an answer, or of the request in a message: what logs and metrics count. */
export const statusOf = ({ raw }: FastifyRequest, { statusCode }: FastifyReply) =>
  raw.carrier?.status ?? statusCode

/**
 * A header with the request id of a message, for requests that the service injects on its behalf. Its
 * name is known to this process only.
 */
export const messageId = `x-message-id-${randomUUID()}`
