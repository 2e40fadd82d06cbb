import type { FastifyInstance, HTTPMethods } from 'fastify'
import { METHODS } from './node-http.ts'

/** Every method that a request can have. HEAD comes with GET; CONNECT names no path. */
const methods = METHODS.filter((method) => method !== 'HEAD' && method !== 'CONNECT')

/**
 * The methods that the HTML action of a path answers: those without a handler of their own (contract
 * SERVICE-3). Call it after the handlers of the path are registered.
 */
export function remainingMethods(app: FastifyInstance, url: string): HTTPMethods[] {
  for (const method of methods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  return methods.filter((method) => !app.hasRoute({ method, url }))
}

/** Methods whose body is read (contract E2). */
export const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Methods that need the CSRF token with a session. */
export const changesState = (method: string) => !safeMethods.has(method)
