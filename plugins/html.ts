import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { sameSecret } from './auth.ts'
import { fail } from './errors.ts'

/** Every method that a path can be asked with. HEAD comes with GET; CONNECT names no path. */
const methods = METHODS.filter((method) => method !== 'HEAD' && method !== 'CONNECT')

/**
 * The methods that fall to the HTML action of a path: all that have no handler of their own
 * (contract: What the service does, 3). Call it after those handlers are registered.
 */
export function remainingMethods(app: FastifyInstance, url: string): HTTPMethods[] {
  for (const method of methods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  return methods.filter((method) => !app.hasRoute({ method, url }))
}

/**
 * The check that an authenticated form does by itself (contract: CSRF 5): the hidden `field` must
 * hold the token of the session. For `preValidation`, before anything else looks at the form.
 */
export const checkFormToken = (field: string) =>
  async function verifyFormToken(request: FastifyRequest) {
    const form = request.body
    const given =
      typeof form === 'object' && form !== null && field in form
        ? (form as Record<string, unknown>)[field]
        : undefined
    if (typeof given !== 'string' || !sameSecret(given, request.csrfToken ?? '')) {
      fail('CSRF-TOKEN-INVALID')
    }
  }
