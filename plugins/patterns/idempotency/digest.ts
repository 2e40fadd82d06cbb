import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { prefers } from '../../http/prefer.ts'

/** The path in one form, because the same URL can be written in several ways. */
export const pathOf = ({ params, routeOptions: { url = '' } }: FastifyRequest) =>
  url.replaceAll(/:(\w+)/g, (_all, name) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name]))
  )

const utf8 = new TextDecoder()

/** JSON with the members of each object sorted, so that equal bodies give equal text. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_name, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part
  )

/** Whether the caller prefers a short answer, and the operation has one. */
export const isMinimal = (request: FastifyRequest) =>
  request.config.minimal === true && prefers(request, 'return=minimal')

/** A digest of what must be equal in a repeated request: the body, and whether a short answer is wanted. */
export function digestOf(request: FastifyRequest) {
  const { rawBody, compared } = request
  const json = compared ?? (rawBody?.length ? JSON.parse(utf8.decode(rawBody)) : undefined)
  const body = json === undefined ? '' : canonical(json)
  return hash('sha256', isMinimal(request) ? `${body}\nreturn=minimal` : body)
}
