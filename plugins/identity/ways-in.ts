import type { FastifyInstance } from 'fastify'
import type { Repositories } from '../../db/repositories/index.ts'
import { conflict } from '../http/errors/index.ts'

/**
 * Ends a transaction that has taken a way to sign in from a user, if it was the last: CONFLICT. Hold the user first, or
 * two at once would each leave the other.
 */
export async function requireWayIn(
  app: FastifyInstance,
  { users, passkeys, identities }: Repositories,
  { id, user_id }: { id: number; user_id: string }
) {
  const account = await users.find({ user_id })
  if (account?.password_hash) return
  if ((await passkeys.count({ user_id: id })) > 0) return
  const own = await identities.list({ user_id: id })
  // An account at a provider that is configured no more leads nowhere.
  if (!own.some(({ issuer }) => app.providers.nameOf(issuer))) conflict('last-way-in')
}
