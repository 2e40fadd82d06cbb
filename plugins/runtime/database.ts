import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { markOf } from '../../db/actions/mark.ts'
import type { Database } from '../../db/database.ts'
import type { ReadRepositories, Repositories } from '../../db/repositories/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For code that writes outside a request, through `db.repos` and `db.transaction`. */
    db: Database
    /** For reading. A handler writes through `request.repos` or `request.transaction`. */
    repos: ReadRepositories
    /** What this database is known by elsewhere, for one use. It is made once. */
    markOf(name: string): Promise<string>
  }
  interface FastifyRequest {
    /** The transaction in which the handler or its last step runs, if any (config `idempotent`). */
    openTransaction: Repositories | null
    /** The repositories to write through: those of the request's transaction if it has one, else the shared ones. */
    readonly repos: Repositories
    /** Runs `work` in the handler's transaction, or in a new one if there is none. */
    transaction<T>(work: (repos: Repositories) => Promise<T>): Promise<T>
  }
}

/** Offers the database to the areas and closes it with the service. */
export default fp<{ database: Database }>(
  async (app, { database }) => {
    app.decorate('db', database)
    app.decorate('repos', database.repos)
    app.decorate('markOf', (name) => markOf(database.repos, name))
    app.decorateRequest('openTransaction', null)
    app.decorateRequest('repos', {
      getter(this: FastifyRequest) {
        return this.openTransaction ?? app.db.repos
      }
    })
    app.decorateRequest('transaction', function transaction(this: FastifyRequest, work) {
      return this.openTransaction ? work(this.openTransaction) : app.db.transaction(work)
    })
    app.addHook('onClose', () => database.close())
  },
  { name: 'database', fastify: '5.x' }
)
