import type { HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import findMyWay from 'find-my-way'
import { fail } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by dispatch: what is known of the path that the route stands on. */
    path?: KnownPath
  }
}

interface KnownPath {
  methods: Set<string>
  /** Two areas claim it (contract: ROUTE-CONFLICT). */
  conflict: boolean
}

/** Options of Fastify's router that the published paths rely on. */
export const routerOptions = {
  ignoreTrailingSlash: true,
  // Longer than any header block Node accepts: a long value is the schema's business, not a 404.
  maxParamLength: 65_536
}

const word = '[a-z][a-z0-9]*'
const controllerRoute = new RegExp(`^((?:/${word}){2,3})((?:/${word}_:\\w+)*)$`)

/**
 * The paths of controller routes, `/{controller}/{action}` with `{name}_{value}` segments
 * (contract: What the service does 1, 2). A controller may stand under a module word.
 */
export class ControllerPaths {
  /** `/todo/item` -> its first declaration and the parameters in their published order, as `id_`. */
  readonly #shapes = new Map<string, { url: string; prefixes: string[] }>()

  /**
   * Learns a route in its published shape, `/todo/item/id_:id`. Returns the shape in which its
   * action was declared first: another one is a claim of somebody else.
   * @throws Error where controller or action is not one lowercase word.
   */
  add(url: string): string {
    const [, action, segments] = controllerRoute.exec(url) ?? []
    if (action === undefined || segments === undefined) {
      throw new Error(
        `route ${url}: controller and action are one lowercase word each, parameters are name_:param`
      )
    }
    const prefixes = [...segments.matchAll(/\/([a-z0-9]+_):/g)].map(
      ([, prefix]) => prefix as string
    )
    const shape = this.#shapes.get(action) ?? { url, prefixes }
    this.#shapes.set(action, shape)
    return shape.url
  }

  /**
   * The published form of a request's URL: parameters in declared order, missing ones empty,
   * unknown ones left out, of repeated ones the last. Any other URL is returned as it is.
   */
  canonical(target: string): string {
    // The absolute form of a request target, as proxies send it (RFC 9112 §3.2.2).
    // `OPTIONS *` has no path; the router would take its first character for the slash of `/`.
    const url = target === '*' ? '/*' : target.replace(/^https?:\/\/[^/?#]*/i, '')
    const end = url.search(/[?#]/)
    const path = end === -1 ? url : url.slice(0, end)
    const action = this.#actionOf(path)
    const prefixes = this.#shapes.get(action)?.prefixes
    if (prefixes === undefined) return url
    const segments = path.length === action.length ? [] : path.slice(action.length + 1).split('/')
    if (segments.at(-1) === '') segments.pop()
    const isPublished =
      segments.length === prefixes.length &&
      prefixes.every((prefix, index) => segments[index]?.startsWith(prefix))
    if (isPublished) return url

    const values = new Map<string, string>()
    for (const segment of segments) {
      const split = segment.indexOf('_')
      // Not of the shape {name}_{value}: no such path.
      if (split < 1) return url
      values.set(segment.slice(0, split + 1), segment.slice(split + 1))
    }
    let result = action
    for (const prefix of prefixes) result += `/${prefix}${values.get(prefix) ?? ''}`
    return end === -1 ? result : result + url.slice(end)
  }

  /** The first two words of a path where they are a known action, else the first three. */
  #actionOf(path: string): string {
    const second = path.indexOf('/', path.indexOf('/', 1) + 1)
    if (second === -1) return path
    const action = path.slice(0, second)
    if (this.#shapes.has(action)) return action
    const third = path.indexOf('/', second + 1)
    return third === -1 ? path : path.slice(0, third)
  }
}

interface DispatchOptions {
  paths: ControllerPaths
  /** Paths that the contract defines outside `/{controller}/{action}`; `/x` covers `/x/...`. */
  outside: readonly string[]
}

/**
 * Keeps the ledger of paths and methods, and ends a request that has no route before anything else
 * looks at it: 404, 405 with `Allow` (contract E4, E5), ROUTE-CONFLICT.
 */
export default fp<DispatchOptions>(
  async (app, { paths, outside }) => {
    // Answers "is this path known under any method?": every path is stored under GET.
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
        // Keeps the second claim out of the router, where it would stop the start.
        route.constraints = { host: `conflict-${byUrl.size}.invalid` }
      }
    })

    app.addHook('onRequest', function dispatch(request, _reply, done) {
      // RFC 9112 §3.2. Node is told not to check: its answer has no envelope.
      if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
        fail('REQUEST-INVALID')
      }
      if (request.is404) {
        const known = ledger.find('GET', request.url.split('?', 1)[0] as string)
        if (!known) fail('NOT-FOUND')
        const { methods } = known.store as KnownPath
        fail('METHOD-NOT-ALLOWED', { headers: { allow: [...methods].sort().join(', ') } })
      }
      if (request.routeOptions.config.path?.conflict) fail('ROUTE-CONFLICT')
      done()
    })

    // Reached only from a route of files that has no such file.
    app.setNotFoundHandler(() => fail('NOT-FOUND'))
  },
  { name: 'dispatch', fastify: '5.x', dependencies: ['errors', 'headers'] }
)
