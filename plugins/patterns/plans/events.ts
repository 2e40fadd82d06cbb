import { EventEmitter } from 'node:events'
import fp from 'fastify-plugin'
import type { Kind } from '../../../schemas/kinds.ts'
import type { PlanEvent as Event } from '../../../schemas/stream.ts'

/** A plan that was made or decided. */
export interface PlanEvent {
  user_id: number
  /** The kinds of row that it is about. */
  kinds: Kind[]
  plan: Event
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Plans that were made or decided, in all processes. */
    planEvents: {
      /** Tells listeners in all processes, once it is committed. A message to another process can be lost. */
      tell(event: PlanEvent): void
      onEvent(listener: (event: PlanEvent) => void): void
    }
  }
}

/** Tells of plans, in all processes of the service. */
export default fp(
  async (app) => {
    const emitter = new EventEmitter<{ plan: [event: PlanEvent] }>()
    app.peers.subscribe('plans', (message) => {
      emitter.emit('plan', JSON.parse(decodeURIComponent(message)))
    })
    app.decorate('planEvents', {
      tell(event) {
        emitter.emit('plan', event)
        // A message has no spaces.
        if (!app.peers.isAlone)
          app.peers.publish('plans', encodeURIComponent(JSON.stringify(event)))
      },
      onEvent: (listener) => emitter.on('plan', listener)
    })
  },
  { name: 'plan-events', fastify: '5.x', dependencies: ['peers'] }
)
