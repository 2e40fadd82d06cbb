import type { FastifyRequest } from 'fastify'
import { fail } from '../../http/errors/index.ts'
import { sameSecret } from '../../runtime/secrets.ts'

/** Whether the hidden `field` of a form holds this token. */
export function hasFormToken({ body: form }: FastifyRequest, field: string, token: string) {
  const given =
    typeof form === 'object' && form !== null && field in form
      ? (form as Record<string, unknown>)[field]
      : undefined
  return typeof given === 'string' && sameSecret(given, token)
}

/**
 * The check for forms of signed-in visitors (contract CSRF-3): the hidden `field` must have the token of
 * the session. Use it as `preValidation` hook, so that it runs before the validation of the form.
 */
export const checkFormToken = (field: string) =>
  async function verifyFormToken(request: FastifyRequest) {
    if (!hasFormToken(request, field, request.csrfToken ?? '')) fail('CSRF-TOKEN-INVALID')
  }
