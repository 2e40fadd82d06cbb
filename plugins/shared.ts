import fp from 'fastify-plugin'
import type { Shared } from './shared/shared.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What this process shares with the others of the service. */
    shared: Shared
  }
}

/** Offers counters and messages that hold for every process of the service. */
export default fp<{ shared: Shared }>(
  async (app, { shared }) => {
    app.decorate('shared', shared)
    app.addHook('onClose', () => shared.close())
  },
  { name: 'shared', fastify: '5.x' }
)
