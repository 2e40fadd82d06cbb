import type { FastifyRequest } from 'fastify'
import { invalid } from '../../plugins/http/errors.ts'
import type {
  SecondFactorBegin,
  SecondFactorCode,
  SecondFactorEnd
} from '../../schemas/second-factor.ts'
import { ownSession } from './session.ts'

/** For this long after its sign-in, a session need not show the password again. */
const freshMs = 15 * 60_000

/** Whether the session of the caller began a short while ago. */
export async function isFresh(request: FastifyRequest) {
  const { server: app } = request
  const began = await app.repos.sessions.began({ id_hash: ownSession(request) })
  return began !== undefined && app.now() - Date.parse(began.created_at) <= freshMs
}

/**
 * An older session must show the password: whoever has stolen it could lock the owner out with a second
 * factor of their own.
 */
async function checkSetupPassword(request: FastifyRequest, user_pass: string | undefined) {
  if (await isFresh(request)) return
  // Absent, or empty: a form sends an empty text.
  if (!user_pass) {
    const message = 'is needed: the session began more than 15 minutes ago'
    throw invalid({ in: 'body', field: 'user_pass', message })
  }
  await request.server.verifyOwnPassword(request, user_pass)
}

/** Begins a second factor. Its secret is shown in this answer alone. */
export async function beginSecondFactor(request: FastifyRequest, { user_pass }: SecondFactorBegin) {
  await checkSetupPassword(request, user_pass)
  return request.server.secondFactor.begin(request)
}

/** Confirms the second factor, which switches it on, and returns the recovery codes. */
export async function confirmSecondFactor(
  request: FastifyRequest,
  { user_pass, code }: SecondFactorCode
) {
  await checkSetupPassword(request, user_pass)
  return request.server.secondFactor.confirm(request, code)
}

/** Switches the second factor off, by password and code. */
export async function endSecondFactor(
  request: FastifyRequest,
  { user_pass, code }: SecondFactorEnd
) {
  const { server: app } = request
  const account = await app.verifyOwnPassword(request, user_pass)
  if (await app.secondFactor.isOn(account)) await app.verifyCode(request, account, code)
  await app.secondFactor.end(request)
}
