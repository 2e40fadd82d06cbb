import { randomUUID } from 'node:crypto'
import type { ReadRepositories, Repositories } from '../repositories/index.ts'
import { endGrant } from './end-grant.ts'

interface NewClient {
  client_name: string
  redirect_uris: readonly string[]
  at: Date
}

/** Registers a program by hand. Returns its client_id; it has no secret. */
export async function addClient({ oauthClients }: Repositories, { at, ...client }: NewClient) {
  // Never begins like an option of the command line, which takes it.
  const client_id = randomUUID()
  const metadata = {
    client_id,
    ...client,
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none'
  }
  const now = at.toISOString()
  await oauthClients.insert({
    client_id,
    metadata: JSON.stringify(metadata),
    now,
    expires_at: null
  })
  return client_id
}

/**
 * Removes a program that was registered by hand, and ends what users have allowed to it. Returns the login
 * names of those users; undefined if there is no such program. Call it within a transaction.
 */
export async function removeClient(
  repos: Repositories,
  { client_id, at }: { client_id: string; at: number }
) {
  if (!(await repos.oauthClients.removeByHand({ client_id }))) return undefined
  const ended: string[] = []
  for (const grant of await repos.oauthGrants.toClient({ client_id })) {
    await endGrant(repos, { ...grant, at })
    const user = await repos.users.findById({ id: grant.user_id })
    if (user) ended.push(user.user_id)
  }
  return ended
}

/** The programs that were registered by hand, oldest first. */
export async function listClients({ oauthClients }: Pick<ReadRepositories, 'oauthClients'>) {
  const rows = await oauthClients.listByHand({})
  return rows.map(({ metadata, ...row }) => {
    const { client_name, redirect_uris }: Omit<NewClient, 'at'> = JSON.parse(metadata)
    return { ...row, client_name, redirect_uris }
  })
}
