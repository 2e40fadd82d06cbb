import type { FastifyInstance, HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import findMyWay from 'find-my-way'
import { isDecodable } from '../../../schemas/urls.ts'
import { fail } from '../errors/index.ts'
import { METHODS } from '../node-http.ts'
import { type ControllerPaths, routerOptions } from './paths.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by dispatch: the path of the route, with its methods. */
    path?: KnownPath
  }
}

interface KnownPath {
  methods: Set<string>
  /** Two areas claim it (contract SERVICE-4). */
  conflict: boolean
}

interface DispatchOptions {
  paths: ControllerPaths
  /** Paths that the contract defines outside `/{controller}/{action}`; `/x` covers `/x/...`. */
  outside: readonly string[]
}

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

/**
 * Knows all paths and their methods. Ends a request without a route before other hooks run: 404, 405
 * with `Allow` (contract E4, E5), ROUTE-CONFLICT.
 */
export default fp<DispatchOptions>(
  async (app, { paths, outside }) => {
    app.readsConfig('path')
    // Tells whether a path exists with any method, so every path is stored under GET.
    const ledger = findMyWay({ ...routerOptions, defaultRoute: () => {} })
    const byUrl = new Map<string, KnownPath>()

    const isOutside = (url: string) =>
      url === '/' || outside.some((prefix) => url === prefix || url.startsWith(`${prefix}/`))

    app.addHook('onRoute', function learn(route) {
      const url = route.url.length > 1 ? route.url.replace(/\/$/, '') : route.url
      const published = isOutside(url) ? url : paths.add(url)
      let path = byUrl.get(published)
      if (!path) {
        path = { methods: new Set(), conflict: false }
        byUrl.set(url, path)
        ledger.on('GET', url, () => {}, path)
      }
      route.config = { ...route.config, path }

      const methods: HTTPMethods[] = [route.method].flat()
      const isClaimed =
        url !== published || methods.some((method) => method !== 'HEAD' && path.methods.has(method))
      for (const method of methods) path.methods.add(method)
      if (isClaimed) {
        path.conflict = true
        app.log.error({ route: url, methods }, 'ROUTE-CONFLICT: claimed by two areas')
        // The router would refuse a second route and stop the start. This host name hides the route.
        route.constraints = { host: `conflict-${byUrl.size}.invalid` }
      }
    })

    app.addHook('onRequest', function dispatch(request, _reply, done) {
      if (request.is404) {
        const { origin, 'access-control-request-method': preflighted } = request.headers
        // @fastify/cors has answered the preflights that are allowed.
        if (preflighted && origin) app.origins.noteRefusal(origin)
        if (!isDecodable(request.originalUrl)) fail('REQUEST-INVALID')
        const known = ledger.find('GET', request.url.split('?', 1)[0] as string)
        if (!known) fail('NOT-FOUND')
        const { methods } = known.store as KnownPath
        fail('METHOD-NOT-ALLOWED', { headers: { allow: [...methods].sort().join(', ') } })
      }
      if (request.config.path?.conflict) fail('ROUTE-CONFLICT')
      done()
    })
  },
  {
    name: 'dispatch',
    fastify: '5.x',
    dependencies: ['cors', 'errors', 'headers', 'host', 'route-config']
  }
)
