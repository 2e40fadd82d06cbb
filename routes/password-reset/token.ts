import type { FastifyInstance } from 'fastify'
import { fail } from '../../plugins/http/errors/index.ts'
import { hashSecret } from '../../plugins/runtime/secrets.ts'
import { resetTime } from '../../schemas/time.ts'

/** Why a token cannot be used, null if it can. The order is that of contract RESET-3: unknown, expired, used. */
export async function tokenProblem(app: FastifyInstance, token: string) {
  const found = await app.repos.passwordResets.find({ token_hash: hashSecret(token) })
  if (!found) return 'NOT-FOUND'
  const used = found.used_at === null ? null : 'TOKEN-ALREADY-USED'
  return found.expires_at <= resetTime(app.now()) ? 'TOKEN-EXPIRED' : used
}

/** Fails if a token cannot be used. */
export async function checkToken(app: FastifyInstance, token: string) {
  const problem = await tokenProblem(app, token)
  if (problem) fail(problem)
}
