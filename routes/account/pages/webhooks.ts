import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import {
  askForDelivery,
  changeSubscription,
  listDeliveries,
  listSubscriptions,
  makeSubscription,
  removeSubscription,
  retrySubscription,
  rotateSecret
} from '../../../plugins/patterns/webhooks/own-subscriptions.ts'
import { kinds } from '../../../schemas/kinds.ts'
import {
  maxSubscriptions,
  NewSubscription,
  Redelivery,
  SubscriptionKey
} from '../../../schemas/subscription.ts'
import { action, type Section } from './section.ts'

/** Every kind stands there with its tick, so none at all is a mistake. */
const { kinds: Kinds, ...properties } = NewSubscription.properties
const Form = Type.Object({
  ...properties,
  ...Type.Required(Type.Object({ kinds: Kinds })).properties
})
const Again = Type.Object({ ...SubscriptionKey.properties, ...Redelivery.properties })

/** How many deliveries of each subscription the page shows. */
const page = { limit: 10 }

/** Outgoing webhooks, as `/subscription` makes and changes them. A secret is shown only once. */
export const webhooks = (app: FastifyInstance): Section => ({
  name: 'webhooks',
  title: 'Webhooks',
  labels: { url: 'The address', kinds: 'The changes to send', description: 'The description' },
  actions: {
    makewebhook: action(app, Form, async ({ description, ...form }, request) => ({
      show: await makeSubscription(request, { ...form, description: description || null })
    })),
    newwebhooksecret: action(app, SubscriptionKey, async ({ id }, request) => ({
      show: { subscription: { id }, secret: await rotateSecret(request, id) }
    })),
    pausewebhook: action(app, SubscriptionKey, async ({ id }, request) => {
      await changeSubscription(request, id, { is_active: false })
    }),
    resumewebhook: action(app, SubscriptionKey, async ({ id }, request) => {
      await changeSubscription(request, id, { is_active: true })
    }),
    pingwebhook: action(app, SubscriptionKey, async ({ id }, request) => {
      await askForDelivery(request, id)
    }),
    retrywebhook: action(app, SubscriptionKey, async ({ id }, request) => {
      await retrySubscription(request, id)
    }),
    redeliver: action(app, Again, async ({ id, change }, request) => {
      await askForDelivery(request, id, change)
    }),
    removewebhook: action(app, SubscriptionKey, async ({ id }, request) => {
      await removeSubscription(request, id)
    })
  },
  done: {
    pingwebhook: 'A ping is on its way: load the page again to see the answer.',
    retrywebhook: 'It is tried now: load the page again to see the answer.',
    redeliver: 'It is on its way: load the page again to see the answer.',
    removewebhook: 'The webhook was deleted.'
  },
  async load(request) {
    const subscriptions = await listSubscriptions(request)
    const tokens = await app.repos.accessTokens.names({ user_id: request.viewer.user.id })
    return {
      kinds,
      isFull: subscriptions.length >= maxSubscriptions,
      subscriptions: await Promise.all(
        subscriptions.map(async (subscription) => ({
          ...subscription,
          maker: tokens.find(({ id }) => id === subscription.token_id)?.name ?? null,
          ...(await listDeliveries(request, subscription.id, page))
        }))
      )
    }
  }
})
