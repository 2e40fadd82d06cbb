import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { parseSpends } from '../../db/actions/tokens.ts'
import type { NewToken } from '../../db/repositories/access-tokens.ts'
import type { ReadRepositories } from '../../db/repositories/index.ts'
import { scopes as known, maxAccessTokens, type Scope } from '../../schemas/access-token.ts'
import { hashSecret } from '../runtime/secrets.ts'
import { type Identity, userOf } from './identity.ts'
import { lastUse } from './last-use.ts'

const prefix = 'gth_'
const hintLength = 8
const checksumLength = 6

export const minuteMs = 60_000
export const dayMs = 86_400_000
/** How long a token is kept after its end: the list of activity still shows its name. */
const keepMs = 30 * dayMs

const touchEveryMs = minuteMs

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 in six base62 digits: scanners of code and logs can recognise a token without the service. */
function checksum(text: string) {
  let rest = crc32(text)
  let written = ''
  for (let i = 0; i < checksumLength; i++) {
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

type Limits = Pick<NewToken, 'asks' | 'changes_max' | 'parent_id' | 'depth' | 'spends' | 'resource'>

interface NewAccessToken extends Partial<Limits> {
  name: string
  scopes: readonly Scope[]
  /** How long it is valid, in milliseconds. */
  ms: number
}

/** What a token has that a user makes without further limits. */
const usual: Limits = {
  asks: false,
  changes_max: null,
  parent_id: null,
  depth: 0,
  spends: null,
  resource: null
}

/** Makes a token, and its row without the owner. */
export function createAccessToken({ name, scopes, ms, ...limits }: NewAccessToken, at: Date) {
  const token = tokenOf(randomBytes(32).toString('base64url'))
  const row = {
    name,
    hint: hintOf(token),
    token_hash: hashSecret(token),
    scopes: writeScopes(scopes),
    now: at.toISOString(),
    now_ms: at.getTime(),
    expires_at: at.getTime() + ms,
    max: maxAccessTokens,
    ...usual,
    ...limits
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

type Row = Pick<
  NonNullable<Awaited<ReturnType<ReadRepositories['accessTokens']['find']>>>,
  'token_id' | 'scopes' | 'grant_id' | 'asks' | 'changes_max' | 'parent_id' | 'depth' | 'spends'
>

const tokenOfRow = ({ token_id: id, scopes, grant_id, spends, ...row }: Row) => ({
  id,
  scopes: parseScopes(scopes),
  isGranted: grant_id !== null,
  asks: row.asks,
  changesMax: row.changes_max,
  spends: spends === null ? null : parseSpends(spends),
  parentId: row.parent_id,
  depth: row.depth
})

/** The user of a token that is not sent, but known by its key; null if the token has ended. */
export async function ownerOfToken(
  app: FastifyInstance,
  { user, id }: Pick<Identity, 'user'> & { id: number }
): Promise<Identity | null> {
  const found = await app.repos.accessTokens.findLive({ id, user_id: user.id, now: app.now() })
  if (!found) return null
  return { user, via: 'token', expiresAt: found.expires_at, token: tokenOfRow(found) }
}

/** The row of a token, also of one that a refresh has replaced. It may have expired. */
export async function findToken(
  { accessTokens, earlierTokens }: Pick<ReadRepositories, 'accessTokens' | 'earlierTokens'>,
  token: string
) {
  const token_hash = hashSecret(token)
  return (await accessTokens.find({ token_hash })) ?? (await earlierTokens.find({ token_hash }))
}

/** Why a token opens nothing, as a part of a sentence. The row of a revoked one has no hash to find it by. */
export async function accessTokenProblem({ repos, now }: FastifyInstance, token: string) {
  if (token !== tokenOf(token.slice(prefix.length, -checksumLength))) {
    return 'is not whole, or was altered: its checksum does not fit'
  }
  const found = await findToken(repos, token)
  if (!found) return 'is not known here: it was revoked, or is of another service'
  return found.expires_at <= now() ? 'has expired' : 'was issued for another service'
}

/** Identifies callers by access token. The lookup is by hash, so that its time tells nothing about a guess. */
export function accessTokenAuthenticator(app: FastifyInstance) {
  app.sweep.add('access tokens', (now) =>
    app.sweep.inSteps((limit) =>
      app.db.repos.accessTokens.removeEnded({ before: now - keepMs, limit })
    )
  )
  const used = lastUse(app, 'an access token')

  /** The callers of remembered rows, so that a row is read once and not for each request. */
  const holders = new WeakMap<object, Identity>()

  return async function authenticateAccessToken(token: string): Promise<Identity | null> {
    const found = await findToken(app.repos, token)
    const now = app.now()
    if (!found || found.expires_at <= now) return null
    const { expires_at: expiresAt, last_used_at, resource } = found
    // Issued for another service that has this database (RFC 8707 §2).
    if (resource !== null && resource !== app.baseUrl) return null
    const before = now - touchEveryMs
    if (last_used_at === null || last_used_at <= before) {
      const token_hash = found.token_hash ?? hashSecret(token)
      await used(token_hash, () => app.db.repos.accessTokens.touch({ token_hash, now, before }))
    }
    let holder = holders.get(found)
    if (!holder) {
      holder = { user: userOf(found), via: 'token', expiresAt, token: tokenOfRow(found) }
      holders.set(found, holder)
    }
    return holder
  }
}
