import type { Attempt } from '../document/attempts.ts'
import {
  type Call,
  type Everything,
  json,
  type Preparations,
  sendExample
} from '../document/service.ts'
import { call } from '../document/triggers.ts'

export const errors = { 'SUBSCRIPTION-NOT-FOUND': '404 Subscription was not found.' }

/** A change of the user who owns the subscriptions. */
async function newChange(service: Everything): Promise<number> {
  await sendExample(service, 'createTodo')
  const { body } = await sendExample(service, 'listActivity')
  return JSON.parse(body).Data.changes[0].id
}

/** The example is made more often than a user may. */
const makeRoom = (_call: Call, { sql }: Everything) => sql('DELETE FROM subscriptions')

export const prepare: Preparations = {
  createSubscription: makeRoom,
  async redeliverChange(call, service) {
    json({ change: await newChange(service) })(call)
  }
}

const toPaused: Attempt = {
  name: 'to one that is paused',
  change: (_call, { sql }) => sql('UPDATE subscriptions SET is_active = false'),
  expected: [409]
}

/** The row of the example was made by a session. */
const byToken: Attempt = { name: 'an access token', as: 'access token', expected: [404] }

export const attempts: Record<string, Attempt[]> = {
  getSubscription: [byToken],
  changeSubscription: [byToken],
  deleteSubscription: [byToken],
  rotateSubscriptionSecret: [byToken],
  listDeliveries: [byToken],
  pingSubscription: [byToken, toPaused],
  retrySubscription: [byToken, toPaused],
  redeliverChange: [byToken, toPaused]
}

export const triggers = {
  'SUBSCRIPTION-NOT-FOUND': call('getSubscription', { params: { id: '999999' } })
}
