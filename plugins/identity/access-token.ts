import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { scopes as known, maxAccessTokens, type Scope } from '../../schemas/access-token.ts'
import { hashSecret } from '../runtime/secrets.ts'
import { type Identity, userOf } from './identity.ts'
import { lastUse } from './last-use.ts'

const prefix = 'gth_'
const hintLength = 8

const dayMs = 86_400_000
/** How long a token is kept after its end: the list of activity still shows its name. */
const keepMs = 30 * dayMs

const touchEveryMs = 60_000

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 in six base62 digits: scanners of code and logs can recognise a token without the service. */
function checksum(text: string) {
  let rest = crc32(text)
  let written = ''
  for (let i = 0; i < 6; i++) {
    written = digits[rest % 62] + written
    rest = Math.floor(rest / 62)
  }
  return written
}

/** The first characters, which tell one token from another. */
export const hintOf = (token: string) => token.slice(0, hintLength)

/** A token of 32 random bytes in base64url, with their checksum. */
export const tokenOf = (random: string) => prefix + random + checksum(prefix + random)

/** Scopes as a row has them. */
export const writeScopes = (scopes: readonly string[]) =>
  known.filter((scope) => scopes.includes(scope)).join(' ')

interface NewAccessToken {
  name: string
  scopes: readonly Scope[]
  days: number
}

/** Makes a token, and its row without the owner. */
export function createAccessToken({ name, scopes, days }: NewAccessToken, at: Date) {
  const token = tokenOf(randomBytes(32).toString('base64url'))
  const row = {
    name,
    hint: hintOf(token),
    token_hash: hashSecret(token),
    scopes: writeScopes(scopes),
    now: at.toISOString(),
    now_ms: at.getTime(),
    expires_at: at.getTime() + days * dayMs,
    max: maxAccessTokens
  }
  return { token, row }
}

/** Whether a Bearer credential has the form of an access token. It may be wrong. */
export const isAccessToken = (credential: string) => credential.startsWith(prefix)

/** Reads the scopes of a row; scopes that no longer exist are dropped. */
export const parseScopes = (text: string) => {
  const names = text.split(' ')
  return known.filter((scope) => names.includes(scope))
}

/** The user of a token that is not sent, but known by its key; null if the token has ended. */
export async function ownerOfToken(
  app: FastifyInstance,
  { user, id }: Pick<Identity, 'user'> & { id: number }
): Promise<Identity | null> {
  const found = await app.repos.accessTokens.findLive({ id, user_id: user.id, now: app.now() })
  if (!found) return null
  const { scopes, expires_at, resource } = found
  const token = { id, scopes: parseScopes(scopes), isGranted: resource !== null }
  return { user, via: 'token', expiresAt: expires_at, token }
}

/** Identifies callers by access token. The lookup is by hash, so that its time tells nothing about a guess. */
export function accessTokenAuthenticator(app: FastifyInstance) {
  const { accessTokens } = app.repos
  app.sweep.add('access tokens', (now) =>
    app.sweep.inSteps((limit) =>
      app.db.repos.accessTokens.removeEnded({ before: now - keepMs, limit })
    )
  )
  const used = lastUse(app, 'an access token')

  /** The scopes of remembered rows, so that they are not parsed for each request. */
  const parsed = new WeakMap<object, Scope[]>()

  return async function authenticateAccessToken(token: string): Promise<Identity | null> {
    const token_hash = hashSecret(token)
    const found = await accessTokens.find({ token_hash })
    const now = app.now()
    if (!found || found.expires_at <= now) return null
    const { token_id: id, scopes: text, expires_at, last_used_at, resource } = found
    // Issued for another service that has this database (RFC 8707 §2).
    if (resource !== null && resource !== app.baseUrl) return null
    const before = now - touchEveryMs
    if (last_used_at === null || last_used_at <= before) {
      await used(token_hash, () => app.db.repos.accessTokens.touch({ token_hash, now, before }))
    }
    const scopes = parsed.get(found) ?? parseScopes(text)
    parsed.set(found, scopes)
    return {
      user: userOf(found),
      via: 'token',
      expiresAt: expires_at,
      token: { id, scopes, isGranted: resource !== null }
    }
  }
}
