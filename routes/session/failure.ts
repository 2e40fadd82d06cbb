import type { FastifyReply } from 'fastify'
import { Failure, setFailure } from '../../plugins/http/errors/index.ts'
import type { Config } from '../../schemas/config.ts'

type Lock = Pick<Config, 'SVC_LOCK_MINUTES'>

/** The same for either kind of lock: a stranger shall not learn which names an administrator knows (contract LOCK-1). */
export function lockedProblem({ SVC_LOCK_MINUTES: minutes }: Lock) {
  const waiting = minutes === 1 ? 'after a minute' : `after ${minutes} minutes`
  const ends = minutes === 0 ? '' : ` unlocks by itself ${waiting}, or`
  return `This account is locked: too many sign-ins failed, or an administrator locked it. If only passwords were wrong, it${ends} unlocks with a new password. Otherwise only an administrator can unlock it.`
}

/** Returns the failure to show with the form. Throws any other error. */
export function failureOf(error: unknown, reply: FastifyReply) {
  if (!(error instanceof Failure)) throw error
  setFailure(reply, error)
  return error
}

/** What a page of the sign-in says of a failure. */
export const problemOf = (options: Lock, { code, message }: Failure) =>
  code === 'ACCOUNT-LOCKED' ? lockedProblem(options) : message
