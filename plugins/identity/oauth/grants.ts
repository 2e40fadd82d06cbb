import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { endGrant } from '../../../db/actions/end-grant.ts'
import type { Repositories } from '../../../db/repositories/index.ts'
import type { Scope } from '../../../schemas/access-token.ts'
import { grantDays, maxGrants } from '../../../schemas/grant.ts'
import { fail } from '../../http/errors/index.ts'
import { parseScopes, writeScopes } from '../access-token.ts'
import { recordEvent } from '../audit.ts'
import { ownSession } from '../session.ts'
import type { ClientInfo } from './clients.ts'

/** The live grants of the caller, newest first. */
export async function listGrants({ server: app, viewer }: FastifyRequest) {
  const rows = await app.repos.oauthGrants.list({ user_id: viewer.user.id, now: app.now() })
  return rows.map(({ scopes, expires_at, last_used_at, ...row }) => ({
    ...row,
    scopes: parseScopes(scopes),
    expires_at: new Date(expires_at).toISOString(),
    last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString()
  }))
}

/** What the caller has allowed to this program before, at the same place and with all these scopes. */
export async function findGrant(
  { server: app, viewer }: FastifyRequest,
  { id: client_id, host }: ClientInfo,
  wanted: readonly Scope[]
) {
  const found = await app.repos.oauthGrants.ofClient({ user_id: viewer.user.id, client_id })
  const grant = found.find(
    (one) =>
      one.host === host &&
      one.expires_at > app.now() &&
      wanted.every((scope) => parseScopes(one.scopes).includes(scope))
  )
  return grant?.grant_id
}

/**
 * Lets a program in, for a session caller, in place of what it was allowed before at the same host. Programs
 * without a browser have none: each is another. Returns the grant's name within the library; null if
 * `claim` says that the program was answered already.
 */
export async function makeGrant(
  request: FastifyRequest,
  { id: client_id, name, host }: ClientInfo,
  { given, asks }: { given: readonly Scope[]; asks: boolean },
  claim: (repos: Repositories) => Promise<boolean>
) {
  const { server: app, viewer } = request
  const { user } = viewer
  const now = app.now()
  const grant_id = randomBytes(32).toString('base64url')
  const scopes = writeScopes(given)
  const expires_at = now + grantDays * 86_400_000
  return request.transaction(async (repos) => {
    // Locks the user: see makeAccessToken.
    await repos.users.hold(user)
    if (!(await repos.sessions.find({ id_hash: ownSession(request), now }))) fail('SESSION-CLOSED')
    if (!(await claim(repos))) return null
    for (const old of await repos.oauthGrants.ofClient({ user_id: user.id, client_id })) {
      if (host !== null && old.host === host) await endOne(repos, request, old.id)
    }
    const [oldest] = (await repos.oauthGrants.list({ user_id: user.id, now })).slice(maxGrants - 1)
    if (oldest) await endOne(repos, request, oldest.id)
    await repos.oauthGrants.insert({
      ...{ grant_id, user_id: user.id, client_id, client_name: name, host, scopes, asks },
      now: app.timestamp(),
      expires_at
    })
    await repos.oauthClients.keep({ client_id, expires_at: expires_at + 86_400_000 })
    const what = { subject: user.user_id, detail: `${name}: ${scopes}` }
    await recordEvent(repos, request, 'grant-made', what)
    return grant_id
  })
}

async function endOne(repos: Repositories, request: FastifyRequest, id: number) {
  const { id: user_id, user_id: subject } = request.viewer.user
  const ended = await endGrant(repos, { user_id, id, at: request.server.now() })
  if (!ended) return fail('GRANT-NOT-FOUND')
  const what = { subject, detail: `${ended.client_name}: ${ended.scopes}` }
  await recordEvent(repos, request, 'grant-ended', what)
}

/** Ends a grant of the caller, or fails with GRANT-NOT-FOUND. */
export const endOwnGrant = (request: FastifyRequest, id: number) =>
  request.transaction((repos) => endOne(repos, request, id))
