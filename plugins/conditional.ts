import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from './errors.ts'

/** The entity tag of a version. */
export const etag = (version: number) => `"v${version}"`

/** The opaque tags of a list; weak ones (`W/`) only where `weak` is set. `*` stays `*`. */
function tags(header: string, { weak }: { weak: boolean }): string[] {
  if (header.trim() === '*') return ['*']
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].flatMap(([, isWeak, tag]) =>
    tag === undefined || (isWeak && !weak) ? [] : [tag]
  )
}

/**
 * The version that a write may replace, from `If-Match` (RFC 9110 §13.1.1, strong comparison):
 * null where any will do (`*`, or no header where `required` is false).
 * Ends with PRECONDITION-REQUIRED or PRECONDITION-FAILED.
 *
 * The row that was read may be outdated by the time of the write, so the write must name this
 * version in its WHERE, and no touched row means PRECONDITION-FAILED.
 */
export function versionToReplace(
  request: FastifyRequest,
  current: { version: number },
  { required = true } = {}
): number | null {
  const header = request.headers['if-match']
  if (header === undefined) return required ? fail('PRECONDITION-REQUIRED') : null
  const accepted = tags(header, { weak: false })
  if (accepted.includes('*')) return null
  if (!accepted.includes(etag(current.version))) fail('PRECONDITION-FAILED')
  return current.version
}

/**
 * Names the state of an answer by its entity tag, in `ETag`. True where the caller has it already
 * (`If-None-Match`, weak comparison, RFC 9110 §13.1.2): then answer 304 without a body.
 */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, tag: string) {
  reply.header('etag', tag)
  const known = tags(request.headers['if-none-match'] ?? '', { weak: true })
  return known.includes('*') || known.includes(tag)
}
