import type { FastifyInstance } from 'fastify'
import type { Config } from '../../schemas/config.ts'
import { sameSecret } from '../runtime/secrets.ts'
import type { Identity } from './identity.ts'

export type AgentOptions = Pick<Config, 'SVC_AGENT_BEARER_TOKEN' | 'SVC_AGENT_BEARER_USER'>

/**
 * The agent token (contract BEARER-1): one configured token that acts as one user.
 * Returns null if the feature is off. Throws if the user does not exist.
 */
export async function agentAuthenticator(app: FastifyInstance, options: AgentOptions) {
  if (!options.SVC_AGENT_BEARER_TOKEN) return null
  const name = options.SVC_AGENT_BEARER_USER
  const found = await app.repos.users.findNamed(name)
  if (!found) throw new Error(`SVC_AGENT_BEARER_USER names a user that does not exist: ${name}`)
  const { user_id } = found
  return async function authenticateAgent(token: string): Promise<Identity | null> {
    if (!sameSecret(token, options.SVC_AGENT_BEARER_TOKEN)) return null
    const user = await app.repos.users.findUnlocked({ user_id })
    return user ? { user, via: 'agent', expiresAt: null, token: null } : null
  }
}
