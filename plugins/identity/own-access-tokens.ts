import type { FastifyRequest } from 'fastify'
import type { ReadRepositories } from '../../db/repositories/index.ts'
import { accessTokenDays, isAdminScope, type NewAccessToken } from '../../schemas/access-token.ts'
import { conflict, fail } from '../http/errors/index.ts'
import { createAccessToken, parseScopes } from './access-token.ts'
import { recordEvent } from './audit.ts'
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

/** Makes an access token of a session caller (contract TOKEN-1). The token itself is not stored. */
export async function makeAccessToken(
  request: FastifyRequest,
  { name, scopes, expires_in_days: days = accessTokenDays.default }: NewAccessToken
) {
  const { server: app, viewer } = request
  const { user } = viewer
  if (user.role !== 'admin' && scopes.some(isAdminScope)) fail('FORBIDDEN')
  const now = app.now()
  const { token, row } = createAccessToken({ name, scopes, days }, new Date(now))
  const created = await request.transaction(async ({ users, sessions, accessTokens, audit }) => {
    // Locks the user. A concurrent change of password then either sees this token and ends it, or has
    // already ended this session.
    await users.hold(user)
    if (!(await sessions.find({ id_hash: ownSession(request), now }))) fail('SESSION-CLOSED')
    const inserted = await accessTokens.insert({ ...row, user_id: user.id })
    if (!inserted) conflict('quota')
    const detail = `${row.hint} ${row.scopes}`
    const what = { subject: user.user_id, detail }
    await recordEvent({ audit }, request, 'access-token-created', what)
    return inserted
  })
  return { access_token: shown(created), token }
}

/** Revokes a token of the caller, or fails with ACCESS-TOKEN-NOT-FOUND. */
export async function revokeAccessToken(request: FastifyRequest, id: number) {
  const { server: app, viewer } = request
  const { user } = viewer
  await request.transaction(async ({ accessTokens, audit }) => {
    const key = { id, user_id: user.id, now: app.now() }
    const revoked = (await accessTokens.revoke(key)) ?? fail('ACCESS-TOKEN-NOT-FOUND')
    const detail = `${revoked.hint} ${revoked.scopes}`
    const what = { subject: user.user_id, detail }
    await recordEvent({ audit }, request, 'access-token-revoked', what)
  })
}
