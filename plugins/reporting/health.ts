import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import { otherSecret, secretMark } from '../runtime/secret-mark.ts'

type Options = Pick<Config, 'SVC_ENV' | 'SVC_DATA_DIR' | 'SVC_URL_SECRET'>

declare module 'fastify' {
  interface FastifyInstance {
    /** Health of the service and its database. */
    health: ReturnType<typeof healthOf>
  }
}

function healthOf(app: FastifyInstance, { SVC_ENV, ...options }: Options) {
  const mark = secretMark(options)
  // Lazily made marks would let a database that was restored without its secret take another one unnoticed.
  app.addHook('onReady', async () => {
    await mark.check(app.db.repos)
  })

  /** The state of the service, its database and its circuits. `error`: why the database does not answer. */
  return async () => {
    const circuits = app.circuitStates()
    const known = {
      api: 'ok' as const,
      /** Newest migration of the database. */
      schema: app.db.schema,
      environment: SVC_ENV,
      databaseType: app.db.type,
      circuits
    }
    let hasSecret: boolean
    try {
      await app.db.ping()
      hasSecret = await mark.read(app.repos)
    } catch (error) {
      const down = {
        healthStatus: 'degraded' as const,
        cause: 'The database does not answer.',
        database: 'down' as const
      }
      return { state: { ...down, ...known }, error }
    }
    const failure = app.db.writeFailure()
    const causes = [
      ...(failure === null ? [] : [`The database takes no writes: ${failure}.`]),
      ...(hasSecret ? [] : [otherSecret]),
      ...(app.isOverloaded() ? ['The service is overloaded.'] : []),
      ...Object.entries(circuits)
        .filter(([, state]) => state !== 'closed')
        .map(([name, state]) => `The circuit ${name} is ${state}.`)
    ]
    const healthStatus = causes.length === 0 ? ('ok' as const) : ('degraded' as const)
    const cause = causes.length === 0 ? null : causes.join(' ')
    return { state: { healthStatus, cause, database: 'ok' as const, ...known } }
  }
}

/** The state of the service, for the operation and the desk (contract HEALTH-1). */
export default fp<Options>(
  async (app, options) => {
    app.decorate('health', healthOf(app, options))
  },
  { name: 'health', fastify: '5.x', dependencies: ['database', 'circuit', 'pressure'] }
)
