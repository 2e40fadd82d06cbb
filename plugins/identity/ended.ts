import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hashSecret } from '../runtime/secrets.ts'
import { bearerToken } from './auth.ts'
import { ownSession } from './session.ts'

/**
 * Those of these requests whose credential has ended since they came: signed out, revoked, expired, or
 * its user locked or gone. For answers that go on. Asking does not keep a session alive.
 */
export async function endedAmong(app: FastifyInstance, requests: Iterable<FastifyRequest>) {
  const { sessions, accessTokens, users } = app.repos

  async function isLive(request: FastifyRequest) {
    // Who sent no credential has none that could end.
    if (!request.identity) return true
    const { via, user } = request.identity
    if (via === 'agent') return (await users.findById({ id: user.id }))?.locked_at === null
    const bearer = bearerToken(request) ?? ''
    if (via === 'jwt') return Boolean(await app.jwt?.authenticate(bearer))
    const found =
      via === 'session'
        ? await sessions.known({ id_hash: ownSession(request) })
        : await accessTokens.find({ token_hash: hashSecret(bearer) })
    return found !== undefined && found.expires_at > app.now()
  }
  const looked = await Promise.all(
    Array.from(requests, async (request) => ((await isLive(request)) ? [] : [request]))
  )
  return looked.flat()
}
