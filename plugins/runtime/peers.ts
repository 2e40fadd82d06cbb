import fp from 'fastify-plugin'
import type { Peers } from '../../lib/runtime/peers/peers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What this process shares with the other processes of the service. */
    peers: Peers
  }
}

/** Offers counters and messages that all processes of the service share. */
export default fp<{ peers: Peers }>(
  async (app, { peers }) => {
    app.decorate('peers', peers)
    app.addHook('onClose', () => peers.close())
  },
  { name: 'peers', fastify: '5.x' }
)
