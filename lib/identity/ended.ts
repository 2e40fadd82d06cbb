import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerToken } from '../../plugins/identity/auth.ts'
import { hashSecret } from '../runtime/secrets.ts'
import { ownSession } from './session.ts'

/**
 * Those of these requests whose credential has ended since they came: signed out, revoked, expired, or
 * its user locked or gone. For answers that go on. One statement for all sessions, and one for all
 * access tokens; it is no use that keeps a session alive.
 */
export async function endedAmong(app: FastifyInstance, requests: Iterable<FastifyRequest>) {
  const { sessions, accessTokens, users } = app.repos
  const now = app.now()
  const bySession = new Map<string, FastifyRequest[]>()
  const byToken = new Map<string, FastifyRequest[]>()
  const ended: FastifyRequest[] = []
  const add = (map: typeof bySession, key: string, request: FastifyRequest) => {
    map.set(key, [...(map.get(key) ?? []), request])
  }
  for (const request of requests) {
    const { via, user } = request.viewer
    const bearer = bearerToken(request) ?? ''
    if (via === 'session') add(bySession, ownSession(request), request)
    else if (via === 'token') add(byToken, hashSecret(bearer), request)
    else if (via === 'jwt') {
      if (!(await app.jwt?.authenticate(bearer))) ended.push(request)
    } else if ((await users.findById({ id: user.id }))?.locked_at !== null) ended.push(request)
  }
  const hashesOf = (map: typeof bySession) => ({ hashes: JSON.stringify([...map.keys()]), now })
  if (bySession.size > 0) {
    for (const { id_hash } of await sessions.live(hashesOf(bySession))) bySession.delete(id_hash)
  }
  if (byToken.size > 0) {
    for (const { token_hash } of await accessTokens.live(hashesOf(byToken))) {
      byToken.delete(token_hash ?? '')
    }
  }
  return [...ended, ...bySession.values(), ...byToken.values()].flat()
}
