import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../schemas/config.ts'
import type { Identity } from './identity.ts'

export type AgentOptions = Pick<Config, 'SVC_AGENT_BEARER_TOKEN' | 'SVC_AGENT_BEARER_USER'>

/**
 * The agent token (contract: Bearer token for agents): one configured token that acts as one user.
 * Returns null where the feature is off. Throws where the user does not exist.
 */
export async function agentAuthenticator(app: FastifyInstance, options: AgentOptions) {
  if (!options.SVC_AGENT_BEARER_TOKEN) return null
  const user_id = options.SVC_AGENT_BEARER_USER
  if (!(await app.repos.users.find({ user_id }))) {
    throw new Error(`SVC_AGENT_BEARER_USER names a user that does not exist: ${user_id}`)
  }
  // Digests have one length, so that comparing them tells nothing about the token's.
  const expected = hash('sha256', options.SVC_AGENT_BEARER_TOKEN, 'buffer')

  return async function authenticateAgent(token: string): Promise<Identity | null> {
    if (!timingSafeEqual(hash('sha256', token, 'buffer'), expected)) return null
    const user = await app.repos.users.findIdentity({ user_id })
    return user ? { user, via: 'bearer' } : null
  }
}
