import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FailureData, fail } from '../http/errors/index.ts'

/** The headers of a write that names the version it replaces. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: '`ETag` of the version to replace, or `*`.', examples: ['"v1"'] })
  )
})

/** The headers of a read whose caller may already have the current version. */
export const IfNoneMatch = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      description: '`ETag` of the version that the caller has: 304 if it is still the same.',
      examples: ['"v1"']
    })
  )
})

/** The entity tag of a version. */
export const etag = (version: number) => `"v${version}"`

const isVersion = (tag: string) => /^"v\d+"$/.test(tag)

/** A member of a list of entity tags, or an empty one (RFC 9110 §5.6.1, §8.8.3), and the comma after it. */
const member = /[\t ]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*)?(?:,|$)/gy

/**
 * The opaque tags of a list; weak ones (`W/`) only in `If-None-Match`. `*` stays `*`. Fails with
 * REQUEST-INVALID if it is neither.
 */
function tags(request: FastifyRequest, name: 'if-match' | 'if-none-match'): string[] {
  const header = request.headers[name] ?? ''
  const weak = name === 'if-none-match'
  if (header.trim() === '*') return ['*']
  const members = [...header.matchAll(member)]
  const read = members.reduce((length, [text]) => length + text.length, 0)
  if (read < header.length) {
    const message = 'must be `*` or tags in quotes, such as "v1"'
    fail('REQUEST-INVALID', { data: { details: [{ in: 'headers', field: name, message }] } })
  }
  return members.flatMap(([, isWeak, tag]) => (tag === undefined || (isWeak && !weak) ? [] : [tag]))
}

/**
 * The version that a write may replace, from `If-Match` (RFC 9110 §13.1.1, strong comparison). Null
 * stands for any version (`*`, or no header if `required` is false).
 * Fails with PRECONDITION-REQUIRED or PRECONDITION-FAILED, or REQUEST-INVALID for no list of tags.
 *
 * Another writer may change the row between this check and the write. So the write must name the
 * version in its WHERE. If it changes no row, fail with PRECONDITION-FAILED.
 */
export function versionToReplace(
  request: FastifyRequest,
  current: { version: number },
  { required = true } = {}
): number | null {
  const header = request.headers['if-match']
  if (header === undefined) return required ? fail('PRECONDITION-REQUIRED') : null
  const { version } = current
  return requireMatch(request, etag(version), { version }) ? version : null
}

/**
 * Fails with PRECONDITION-FAILED if `If-Match` names only other tags (RFC 9110 §13.1.1, strong
 * comparison). Returns true if it names this one, false if it allows any (`*`, or no header). The failure has
 * `data`.
 */
export function requireMatch(
  request: FastifyRequest,
  tag: string,
  data: FailureData = {}
): boolean {
  if (request.headers['if-match'] === undefined) return false
  const accepted = tags(request, 'if-match')
  if (accepted.includes('*')) return false
  if (accepted.includes(tag)) return true
  if (isVersion(tag) && !accepted.some(isVersion)) {
    const message = 'names no version: its form is `"v1"`'
    const details = [{ in: 'headers' as const, field: 'if-match', message }]
    fail('PRECONDITION-FAILED', { data: { ...data, details } })
  }
  return fail('PRECONDITION-FAILED', { data })
}

/**
 * Sets the `ETag` of an answer. Returns true if the caller has this version already (`If-None-Match`,
 * weak comparison, RFC 9110 §13.1.2): then answer 304 without a body.
 */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, tag: string) {
  const known = tags(request, 'if-none-match')
  reply.header('etag', tag)
  return known.includes('*') || known.includes(tag)
}
