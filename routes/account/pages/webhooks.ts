import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { tokenLabel } from '../../../plugins/patterns/activity/own-activity.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
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
export const webhooks = (app: FastifyInstance): Page => ({
  url: '/account/webhooks',
  title: 'Webhooks',
  view: 'routes/account/pages/webhooks',
  forms: {
    makewebhook: form(app, Form, {
      once: true,
      run: async ({ description, ...fields }, request) => ({
        show: await makeSubscription(request, { ...fields, description: description || null })
      }),
      words: { kinds: 'Choose at least one kind of change.' }
    }),
    newwebhooksecret: form(app, SubscriptionKey, {
      once: true,
      ask: async ({ id }) => ({
        title: `A new secret for webhook ${id}?`,
        text: 'The receiver needs the new secret. The old one works for another day.',
        button: 'Create a new secret'
      }),
      run: async ({ id }, request) => ({
        show: { subscription: { id }, secret: await rotateSecret(request, id) }
      })
    }),
    pausewebhook: form(app, SubscriptionKey, {
      async run({ id }, request) {
        await changeSubscription(request, id, { is_active: false })
        return undefined
      }
    }),
    resumewebhook: form(app, SubscriptionKey, {
      async run({ id }, request) {
        await changeSubscription(request, id, { is_active: true })
        return undefined
      }
    }),
    pingwebhook: form(app, SubscriptionKey, {
      done: 'A ping is on its way. Reload the page to see the answer.',
      async run({ id }, request) {
        await askForDelivery(request, id)
        return undefined
      }
    }),
    retrywebhook: form(app, SubscriptionKey, {
      done: 'It is tried now. Reload the page to see the answer.',
      async run({ id }, request) {
        await retrySubscription(request, id)
        return undefined
      }
    }),
    redeliver: form(app, Again, {
      done: 'It is on its way. Reload the page to see the answer.',
      async run({ id, change }, request) {
        await askForDelivery(request, id, change)
        return undefined
      }
    }),
    removewebhook: form(app, SubscriptionKey, {
      done: 'The webhook was deleted.',
      ask: async ({ id }) => ({
        title: `Delete webhook ${id}?`,
        text: 'Anything still waiting to be sent will not be sent.',
        button: 'Delete'
      }),
      async run({ id }, request) {
        await removeSubscription(request, id)
        return undefined
      }
    })
  },
  async load(request) {
    const subscriptions = await listSubscriptions(request)
    const tokens = await app.repos.accessTokens.names({
      user_id: request.viewer.user.id,
      ids: JSON.stringify(subscriptions.map(({ token_id }) => token_id ?? 0))
    })
    const makers = new Map(tokens.map((token) => [token.id, tokenLabel(token)]))
    return {
      kinds: kinds.map((kind) => [kind, kind]),
      isFull: subscriptions.length >= maxSubscriptions,
      subscriptions: await Promise.all(
        subscriptions.map(async (subscription) => ({
          ...subscription,
          maker: makers.get(subscription.token_id ?? 0) ?? null,
          ...(await listDeliveries(request, subscription.id, page))
        }))
      )
    }
  }
})
