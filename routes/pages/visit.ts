import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieAttributes, ownSession } from '../../plugins/identity/session.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'

const cookie = 'visit'
/** The user, the session, the newest change when the visit before it ended, and the newest one that was shown since. */
const known = /^(\d{1,15})\.([0-9a-f]{16})\.(\d{1,15})\.(\d{1,15})$/

/**
 * The newest change that a user had seen when the visit before this one ended; undefined if this browser knows of none.
 * A session is a visit. The browser keeps the mark, so that looking writes nothing here; another browser has an older one.
 */
export function sinceVisit(
  request: FastifyRequest,
  reply: FastifyReply,
  newest: number,
  options: PageOptions
): number | undefined {
  const sent = request.cookies[cookie] ?? ''
  const user = String(request.viewer.user.id)
  const session = ownSession(request).slice(0, 16)
  const [, of, during, before = '', seen = ''] = known.exec(sent) ?? []
  // A mark ahead of all changes is of a database that a backup has replaced.
  const isKnown = of === user && Number(seen) <= newest
  const since = during === session ? before : seen
  const mark = [user, session, isKnown ? since : 0, newest].join('.')
  if (mark !== sent && newest > 0) {
    const maxAge = options.SVC_ACTIVITY_DAYS * 86_400
    reply.setCookie(cookie, mark, { ...cookieAttributes(options), maxAge })
  }
  return isKnown && Number(since) > 0 ? Number(since) : undefined
}
