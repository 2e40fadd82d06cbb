import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Milliseconds since the epoch. Tests can set this clock. */
    now(): number
    /** The same time as RFC 3339 text, in UTC. */
    timestamp(): string
  }
}

/** The one clock of the service. */
export default fp<{ now: () => number }>(
  async (app, { now }) => {
    app.decorate('now', now)
    app.decorate('timestamp', () => new Date(now()).toISOString())
  },
  { name: 'clock', fastify: '5.x' }
)
