import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from '../db/open.ts'
import type { Repositories } from '../db/repositories/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
    repos: Repositories
  }
  interface FastifyRequest {
    /** The transaction that the whole handler runs in, if any (config `idempotent`). */
    openTransaction: Repositories | null
    /** Repositories of the handler: those of its transaction, else the shared ones. */
    readonly repos: Repositories
    /** Runs `work` as one unit: in the handler's transaction, else in one of its own. */
    transaction<T>(work: (repos: Repositories) => Promise<T>): Promise<T>
  }
}

/** Offers the database to the areas and closes it with the service. */
export default fp<{ database: Database }>(
  async (app, { database }) => {
    app.decorate('db', database)
    app.decorate('repos', database.repos)
    app.decorateRequest('openTransaction', null)
    app.decorateRequest('repos', {
      getter(this: FastifyRequest) {
        return this.openTransaction ?? app.repos
      }
    })
    app.decorateRequest('transaction', function transaction(this: FastifyRequest, work) {
      return this.openTransaction ? work(this.openTransaction) : app.db.transaction(work)
    })
    app.addHook('onClose', () => database.close())
  },
  { name: 'database', fastify: '5.x' }
)
