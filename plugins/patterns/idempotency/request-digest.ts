import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

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

/** A digest of what must be equal in a repeated request. */
export function digestOf({ rawBody, compared }: FastifyRequest) {
  const json = compared ?? (rawBody?.length ? JSON.parse(utf8.decode(rawBody)) : undefined)
  return hash('sha256', json === undefined ? '' : canonical(json))
}
