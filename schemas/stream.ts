import { type Static, Type } from '@sinclair/typebox'
import { Change } from './activity.ts'
import { Natural, ref } from './common.ts'
import { Plan } from './plan.ts'

const { id, state, purpose } = Plan.properties
/** A plan that was proposed or decided. */
const PlanEvent = Type.Object({ id, state, purpose })
export type PlanEvent = Static<typeof PlanEvent>

export const StreamQuery = Type.Object({
  after: Type.Optional(
    Natural({
      description: 'Begins after the change with this id; without it, with the next change.'
    })
  )
})

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      'x-must': 'be the id of a change',
      description: 'The same as `after`, which it overrides: browsers send it when they reconnect.',
      examples: ['7']
    })
  )
})

/** The answer of the stream. */
export const ChangeEvents = {
  description: 'The stream. It lasts until one side ends it.',
  headers: {
    'X-Accel-Buffering': {
      type: 'string',
      description: 'For proxies: pass on at once.',
      example: 'no'
    }
  },
  content: {
    'text/event-stream': {
      schema: {
        type: 'string',
        description: 'Server-sent events (HTML, section 9.2): `x-events` has the `data` of each.',
        'x-events': { change: ref(Change), plan: PlanEvent }
      },
      example: 'event: change\nid: 7\ndata: {"id":7,"kind":"todo","key":1,"action":"create"}\n\n'
    }
  }
}
