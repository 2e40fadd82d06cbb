import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Declares the keys of a route's `config` that a plugin reads: those that it adds to `FastifyContextConfig`. */
    readsConfig(...keys: (keyof FastifyContextConfig)[]): void
    /** Every key that some plugin reads. */
    configKeys: ReadonlySet<string>
  }
  interface FastifyRequest {
    /** `config` of the route, set by the first hook. `routeOptions` builds an object with all options at each access. */
    config: FastifyContextConfig
  }
}

/**
 * Refuses a route with a `config` key that no plugin reads. Otherwise a misspelt guard would have no
 * effect.
 */
export default fp(
  async (app) => {
    const known = new Set<string>()
    app.decorate('configKeys', known)
    app.decorate('readsConfig', (...keys) => {
      for (const key of keys) known.add(key)
    })
    app.decorateRequest('config')
    app.addHook('onRoute', function checkConfig({ config, method, url }) {
      const foreign = Object.keys(config ?? {}).find((key) => !known.has(key))
      if (foreign === undefined) return
      const keys = [...known].sort().join(', ')
      throw new Error(
        `route ${method} ${url}: no plugin reads config.${foreign}; the keys are ${keys}`
      )
    })
  },
  { name: 'route-config', fastify: '5.x' }
)
