import fp from 'fastify-plugin'
import type { Database } from '../db/sqlite.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
    repos: Database['repos']
  }
}

/** Offers the database to the areas and closes it with the service. */
export default fp<{ database: Database }>(
  async (app, { database }) => {
    app.decorate('db', database)
    app.decorate('repos', database.repos)
    app.addHook('onClose', () => database.close())
  },
  { name: 'database', fastify: '5.x' }
)
