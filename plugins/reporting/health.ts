import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'

interface State {
  /** `degraded`: the database is down, a circuit is not closed, or the service is overloaded. */
  healthStatus: 'ok' | 'degraded'
  api: 'ok'
  database: 'ok'
  /** Newest migration of the database. */
  schema: string
  environment: string
  databaseType: 'sqlite' | 'postgres'
  circuits: Record<string, 'closed' | 'open' | 'half-open'>
}

type Down = Omit<State, 'healthStatus' | 'database'> & {
  healthStatus: 'degraded'
  database: 'down'
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The state of the service, its database and its circuits. `cause` says why the database does not answer. */
    health(): Promise<{ state: State } | { state: Down; cause: unknown }>
  }
}

/** The state of the service, for the operation and the desk (contract HEALTH-1). */
export default fp<Pick<Config, 'SVC_ENV'>>(
  async (app, { SVC_ENV }) => {
    app.decorate('health', async () => {
      const known = {
        schema: app.db.schema,
        environment: SVC_ENV,
        databaseType: app.db.type,
        circuits: app.circuitStates()
      }
      const api = 'ok' as const
      try {
        await app.db.ping()
      } catch (cause) {
        return { state: { healthStatus: 'degraded', api, database: 'down', ...known }, cause }
      }
      const circuits = Object.values(known.circuits)
      const isWhole = circuits.every((it) => it === 'closed') && !app.isOverloaded()
      return { state: { healthStatus: isWhole ? 'ok' : 'degraded', api, database: 'ok', ...known } }
    })
  },
  { name: 'health', fastify: '5.x', dependencies: ['database', 'circuit', 'overload'] }
)
