import type { FastifyRequest } from 'fastify'
import { insertToken, revokeToken } from '../../db/actions/tokens.ts'
import type { ReadRepositories, Repositories } from '../../db/repositories/index.ts'
import {
  accessTokenDays,
  type DerivedAccessToken,
  isAdminScope,
  maxDepth,
  type NewAccessToken
} from '../../schemas/access-token.ts'
import type { Detail } from '../../schemas/failures.ts'
import { conflict, fail, invalid } from '../http/errors/index.ts'
import {
  createAccessToken,
  dayMs,
  findToken,
  hintOf,
  minuteMs,
  parseScopes
} from './access-token.ts'
import { recordEvent } from './audit.ts'
import { bearerToken, failScope } from './auth.ts'
import { isReserved } from './reserved-name.ts'
import { ownSession } from './session.ts'

type Row = Awaited<ReturnType<ReadRepositories['accessTokens']['list']>>[number]

const shown = ({ expires_at, last_used_at, ...row }: Row) => ({
  ...row,
  scopes: parseScopes(row.scopes),
  expires_at: new Date(expires_at).toISOString(),
  last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString()
})

/** The live access tokens of the caller, newest first. */
export async function listAccessTokens({ server: app, viewer }: FastifyRequest) {
  const rows = await app.repos.accessTokens.list({ user_id: viewer.user.id, now: app.now() })
  return rows.map(shown)
}

const wrong = (field: string, message: string): Detail => ({ in: 'body', field, message })

/** How many changes the caller may still make; null if there is no limit. */
export async function changesLeft({ server: app, viewer: { token } }: FastifyRequest) {
  if (!token?.spends) return null
  const spends = JSON.stringify(token.spends)
  return (await app.repos.accessTokens.changesLeft({ spends }))?.changes_left ?? null
}

/** Makes an access token of a session caller (contract TOKEN-1). The token itself is not stored. */
export async function makeAccessToken(
  request: FastifyRequest,
  { name, scopes, asks = false, changes_max = null, ...ends }: NewAccessToken
) {
  const { expires_in_days: days, expires_in_minutes: minutes } = ends
  if (days !== undefined && minutes !== undefined) {
    throw invalid(wrong('expires_in_minutes', 'must not be given with expires_in_days'))
  }
  const ms = minutes ? minutes * minuteMs : (days ?? accessTokenDays.default) * dayMs
  const { server: app, viewer } = request
  const { user } = viewer
  if (user.role !== 'admin' && scopes.some(isAdminScope)) fail('FORBIDDEN')
  const now = app.now()
  const wanted = { name, scopes, ms, asks, changes_max }
  const { token, row } = createAccessToken(wanted, new Date(now))
  const created = await request.transaction(async (repos) => {
    const { users, sessions } = repos
    // Locks the user. A concurrent change of password then either sees this token and ends it, or has
    // already ended this session.
    await users.hold(user)
    if (!(await sessions.find({ id_hash: ownSession(request), now }))) fail('SESSION-CLOSED')
    return insertOwn(repos, request, row)
  })
  return { access_token: shown(created), token }
}

type NewRow = ReturnType<typeof createAccessToken>['row']

async function insertOwn(repos: Repositories, request: FastifyRequest, row: NewRow, origin = '') {
  const { id: user_id, user_id: subject } = request.viewer.user
  const inserted = await insertToken(repos, { ...row, user_id })
  if (!inserted) conflict('quota')
  const what = { subject, detail: `${row.hint} ${row.scopes}${origin}` }
  await recordEvent(repos, request, 'access-token-created', what)
  return inserted
}

/** Makes an access token that may do nothing that the caller's own may not, and ends with it (contract TOKEN-6). */
export async function deriveAccessToken(
  request: FastifyRequest,
  { name, scopes, expires_in_minutes: minutes, ...limits }: DerivedAccessToken
) {
  const { server: app, viewer } = request
  const { user } = viewer
  const now = app.now()
  let token = ''
  const created = await request.transaction(async (repos) => {
    // Locks the user: see makeAccessToken.
    await repos.users.hold(user)
    const bearer = bearerToken(request) ?? ''
    const parent = await findToken(repos, bearer)
    if (!parent || parent.expires_at <= now) fail('ACCESS-TOKEN-INVALID')
    if (parent.depth >= maxDepth) fail('FORBIDDEN')
    const own = parseScopes(parent.scopes)
    const lacking = scopes.find((scope) => !own.includes(scope))
    if (lacking) failScope(app, viewer, lacking)
    const { spends } = parent
    const left =
      spends === null
        ? null
        : ((await repos.accessTokens.changesLeft({ spends }))?.changes_left ?? 0)
    const { asks = parent.asks, changes_max = left } = limits
    const problems: Detail[] = []
    if (isReserved(name)) problems.push(wrong('name', 'must not be one that pages use for others'))
    const minutesLeft = Math.floor((parent.expires_at - now) / minuteMs)
    if (minutes > minutesLeft) {
      problems.push(wrong('expires_in_minutes', `must be at most ${minutesLeft}, as of the caller`))
    }
    if (parent.asks && !asks) problems.push(wrong('asks', 'must be true, as of the caller'))
    if (left !== null && (changes_max === null || changes_max > left)) {
      problems.push(wrong('changes_max', `must be at most ${left}, as the caller has left`))
    }
    if (problems.length > 0) throw invalid(...problems)
    const made = createAccessToken(
      {
        ...{ name, scopes, ms: minutes * minuteMs, asks, changes_max, spends },
        ...{ parent_id: parent.token_id, depth: parent.depth + 1, resource: parent.resource }
      },
      new Date(now)
    )
    token = made.token
    return insertOwn(repos, request, made.row, ` from ${hintOf(bearer)}`)
  })
  return { access_token: shown(created), token }
}

/** Revokes a token of the caller, or fails with ACCESS-TOKEN-NOT-FOUND. */
export async function revokeAccessToken(request: FastifyRequest, id: number) {
  const { server: app, viewer } = request
  const { user } = viewer
  await request.transaction(async (repos) => {
    const key = { id, user_id: user.id, now: app.now() }
    const revoked = (await revokeToken(repos, key)) ?? fail('ACCESS-TOKEN-NOT-FOUND')
    const detail = `${revoked.hint} ${revoked.scopes}`
    const what = { subject: user.user_id, detail }
    await recordEvent(repos, request, 'access-token-revoked', what)
  })
}
