import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import findMyWay from 'find-my-way'
import { isDecodable } from '../../schemas/urls.ts'
import { fail } from './errors/index.ts'
import { METHODS } from './node-http.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by dispatch: the path of the route, with its methods. */
    path?: KnownPath
  }
}

/** Options of Fastify's router that published paths depend on. */
export const routerOptions = {
  ignoreTrailingSlash: true,
  // Longer than any header block that Node accepts: the schema judges a long value, which would else be a 404.
  maxParamLength: 65_536
}

const word = '[a-z][a-z0-9]*'
const controllerRoute = new RegExp(`^((?:/${word}){2,3})((?:/${word}_:\\w+)*)$`)

/** Decodes letters and digits, which mean the same when encoded (RFC 3986 §6.2.2.2); so does the router. */
const decodeWords = (text: string) =>
  text.includes('%') ? text.replaceAll(/%(?:3\d|6[1-9a-f]|7[\da])/gi, decodeURIComponent) : text

/** Name and value of a `{name}_{value}` segment; undefined if it is none. */
export function parameterOf(segment: string): [name: string, value: string] | undefined {
  const [, name, value] = /^(.+?)(?:_|%5f)(.*)$/is.exec(segment) ?? []
  return name === undefined || value === undefined ? undefined : [decodeWords(name), value]
}

/** Stands for a URL that cannot be decoded. No route has it. */
const unreadable = '/*'

interface Action {
  /** The route with parameters; empty if there is none. */
  url: string
  /** Its parameters in their published order, as `id_`. */
  prefixes: string[]
  /** Whether there is a route without parameters. */
  isBare: boolean
}

/**
 * The paths of controller routes, `/{controller}/{action}` with `{name}_{value}` segments
 * (contract SERVICE-1, SERVICE-2). A controller may stand under a module word.
 */
export class ControllerPaths {
  readonly #actions = new Map<string, Action>()

  /**
   * Adds a route in its published shape, such as `/todo/item/id_:id`. Returns the shape in which the same action was
   * first declared with parameters: if it differs, that is a conflict. Beside it, there may be a route without any.
   * @throws Error if controller or action is not one lowercase word.
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
    const known = this.#actions.get(action) ?? { url: '', prefixes: [], isBare: false }
    this.#actions.set(action, known)
    if (prefixes.length === 0) known.isBare = true
    else if (known.url === '') Object.assign(known, { url, prefixes })
    return prefixes.length === 0 ? url : known.url
  }

  /** Fastify's `rewriteUrl`. */
  readonly rewrite = ({ url = '/' }: Pick<IncomingMessage, 'url'>) => this.canonical(url)

  /**
   * The published form of a request's URL. Parameters are in the declared order; missing ones are empty,
   * unknown ones are left out, and the last of repeated ones counts. There is no slash at the end. Any
   * other URL is returned unchanged.
   */
  canonical(target: string): string {
    // The router would not call any hook, not even those that set headers.
    if (target.includes('%') && !isDecodable(target)) return unreadable
    // The absolute form of a request target, as proxies send it (RFC 9112 §3.2.2).
    // `OPTIONS *` has no path; the router would take its first character for the slash of `/`.
    const url = target.startsWith('/')
      ? target
      : target === '*'
        ? unreadable
        : // An empty path is `/` (RFC 9110 §4.2.3).
          target.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
    // The most frequent case: an action without parameters, written as published.
    if (this.#actions.get(url)?.isBare) return url
    const end = url.search(/[?#]/)
    const path = end === -1 ? url : url.slice(0, end)
    const [action, rest] = this.#split(path)
    const known = this.#actions.get(action)
    if (!known) return url
    const { prefixes, isBare } = known
    const segments = rest === '' ? [] : rest.slice(1).split('/')
    if (segments.at(-1) === '') segments.pop()
    const isPublished =
      !path.endsWith('/') &&
      segments.length === prefixes.length &&
      prefixes.every((prefix, index) => segments[index]?.startsWith(prefix))
    if (isPublished) return url

    const values = new Map<string, string>()
    for (const segment of segments) {
      const parameter = parameterOf(segment)
      // A segment without {name}_{value}: the path does not exist.
      if (!parameter) return url
      values.set(`${parameter[0]}_`, parameter[1])
    }
    let result = action
    const isAny = !isBare || prefixes.some((prefix) => values.has(prefix))
    for (const prefix of isAny ? prefixes : []) result += `/${prefix}${values.get(prefix) ?? ''}`
    return end === -1 ? result : result + url.slice(end)
  }

  /** Splits a path after its first two words if they are a known action, else after the first three. */
  #split(path: string): [action: string, rest: string] {
    const second = path.indexOf('/', path.indexOf('/', 1) + 1)
    if (second === -1) return [decodeWords(path), '']
    const action = decodeWords(path.slice(0, second))
    if (this.#actions.has(action)) return [action, path.slice(second)]
    const third = path.indexOf('/', second + 1)
    const end = third === -1 ? path.length : third
    return [decodeWords(path.slice(0, end)), path.slice(end)]
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
