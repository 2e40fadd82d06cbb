import type { FastifyReply } from 'fastify'
import { Failure, setFailure } from '../../plugins/http/errors/index.ts'
import { saidOf } from '../../plugins/http/errors/said.ts'
import { type Problem, ProviderProblem } from '../../plugins/identity/providers/problem.ts'
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

/** What a page says of a sign-in at a provider that led to nothing. */
const sentences: Record<Problem, (provider: string) => string> = {
  'not begun': () =>
    'This sign-in did not begin in this browser, began more than ten minutes ago, or was answered before. Please begin again.',
  refused: (provider) =>
    `You did not go on at ${provider}, or it does not let you in. You can try again.`,
  away: (provider) =>
    `${provider} does not answer. Please try again later, or sign in another way.`,
  faulty: (provider) =>
    `The answer of ${provider} is not as it must be, so it was not used. Try again; if that does not help, tell an administrator. The log of the service says more.`,
  'no address': (provider) =>
    `Nobody here has linked this account, and ${provider} has not said your email address. If you have an account here, sign in another way and link ${provider} on the page “Ways to sign in” of your account.`,
  unverified: (provider) =>
    `Nobody here has linked this account, and ${provider} has not verified that your email address is yours. If you have an account here, sign in another way and link ${provider} on the page “Ways to sign in” of your account.`,
  'no account': (provider) =>
    `There is no account here with the email address that ${provider} knows of you. Ask an administrator of this service to make one with that address. If you have an account with another address, sign in to it and link ${provider} there.`,
  'signed out': () =>
    'You have been signed out meanwhile, so nothing was linked. Sign in and try again.',
  'of another user': (provider) =>
    `This account at ${provider} signs in another user here. Nothing was linked.`,
  'another one': (provider) =>
    `Another account at ${provider} is linked with this one already. Remove it first, on the page “Ways to sign in” of your account.`
}

/** What a page of the sign-in says of a failure. */
export function problemOf(options: Lock, failure: Failure) {
  if (failure instanceof ProviderProblem) {
    return sentences[failure.problem](failure.provider ?? 'the other service')
  }
  if (failure.code === 'SESSION-CLOSED') return 'That took too long. Please sign in again.'
  return failure.code === 'ACCOUNT-LOCKED' ? lockedProblem(options) : saidOf(failure)
}
