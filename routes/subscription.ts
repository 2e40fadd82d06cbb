import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { rowsPart } from '../plugins/patterns/data-export.ts'
import { IdempotencyKey, idempotent } from '../plugins/patterns/idempotency/index.ts'
import {
  askForDelivery,
  changeSubscription,
  findSubscription,
  listDeliveries,
  listSubscriptions,
  makeSubscription,
  removeSubscription,
  requireReadable,
  retrySubscription,
  rotateSecret
} from '../plugins/patterns/webhooks/own-subscriptions.ts'
import {
  deleted,
  NextCursor,
  newestFirst,
  ok,
  orNull,
  PageQuery,
  ref,
  success
} from '../schemas/common.ts'
import {
  Delivery,
  maxSubscriptions,
  NewSubscription,
  Redelivery,
  Subscription,
  SubscriptionChange,
  SubscriptionKey
} from '../schemas/subscription.ts'

// No tools: a model has no address, and the list of tools is read each time.
const config = { allow: ['session'], scope: 'any', mcp: false } as const
const item = { ...config, fails: ['SUBSCRIPTION-NOT-FOUND', 'VALIDATION-FAILED'] } as const
const managing = { ...config, fails: [...item.fails, 'FORBIDDEN'] } as const
const asking = { ...config, fails: ['SUBSCRIPTION-NOT-FOUND', 'FORBIDDEN', 'CONFLICT'] } as const

const secretExample = { examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }
const one = success({ subscription: ref(Subscription) }, { name: 'Subscription' })
const asked = success({ delivery: ref(Delivery) }, { name: 'Delivery' })

/** Addresses that are told of changes (docs/patterns/outgoing-webhooks.md). */
const subscription: FastifyPluginAsyncTypebox = async (app) => {
  app.tag(
    'subscription',
    'Outgoing webhooks: addresses that are told of your changes. 404 if the service records none (`SVC_ACTIVITY_DAYS=0`).'
  )

  app.dataExport.add(
    rowsPart('webhooks.json', 'Your webhooks, without their secrets.', async function* (request) {
      yield await listSubscriptions(request)
    })
  )

  app.get(
    '/subscription/index',
    {
      config,
      schema: {
        operationId: 'listSubscriptions',
        summary: 'List subscriptions',
        description:
          'Newest first. An access token sees those that it has made. A session sees all, and may delete all; but not change one that a token has made: FORBIDDEN.',
        response: { 200: success({ subscriptions: newestFirst(Subscription) }) }
      }
    },
    async (request) => ok({ subscriptions: await listSubscriptions(request) })
  )

  app.post(
    '/subscription/index',
    {
      config: {
        ...config,
        fails: ['CONFLICT', 'SCOPE-INSUFFICIENT'],
        offeredTo: (identity) => app.activity.readable(identity).length > 0
      },
      onRequest: requireReadable,
      schema: {
        operationId: 'createSubscription',
        summary: 'Subscribe to changes',
        description: `Sends changes from now on to \`url\`, signed by Standard Webhooks. An access token needs the read scopes of the kinds, and its subscriptions end with it. \`secret\` is shown only once. At most ${maxSubscriptions}.`,
        headers: IdempotencyKey,
        body: ref(NewSubscription),
        response: {
          200: success({
            subscription: ref(Subscription),
            secret: orNull(
              Type.String(secretExample),
              'Verifies deliveries. Null in a repeated answer.'
            )
          })
        }
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const made = await makeSubscription(request, request.body)
        reply.replay = ok({ ...made, secret: null })
        return ok(made)
      })
  )

  app.get(
    '/subscription/item/id_:id',
    {
      config: item,
      schema: {
        operationId: 'getSubscription',
        summary: 'Read a subscription',
        description: 'Without its secret.',
        params: SubscriptionKey,
        response: { 200: one }
      }
    },
    async (request) => ok({ subscription: await findSubscription(request, request.params.id) })
  )

  app.patch(
    '/subscription/item/id_:id',
    {
      config: { ...config, fails: [...managing.fails, 'SCOPE-INSUFFICIENT'] },
      schema: {
        operationId: 'changeSubscription',
        summary: 'Change, pause or resume a subscription',
        description:
          'Changes made while it is paused are never delivered. Those before that were not delivered yet are, when it is resumed.',
        params: SubscriptionKey,
        body: ref(SubscriptionChange),
        response: { 200: one }
      }
    },
    async (request) => {
      const { params, body } = request
      return ok({ subscription: await changeSubscription(request, params.id, body) })
    }
  )

  app.delete(
    '/subscription/item/id_:id',
    {
      config: item,
      schema: {
        operationId: 'deleteSubscription',
        summary: 'Delete a subscription',
        description: 'Nothing more is delivered, and its deliveries are forgotten.',
        params: SubscriptionKey,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const { id } = request.params
      await removeSubscription(request, id)
      return ok({ id })
    }
  )

  app.post(
    '/subscription/secret/id_:id',
    {
      config: managing,
      schema: {
        operationId: 'rotateSubscriptionSecret',
        summary: 'Make a new secret',
        description: 'Shown only once. For 24 hours the old one signs too.',
        params: SubscriptionKey,
        response: {
          200: success({
            secret: Type.String({ description: 'The new secret.', ...secretExample })
          })
        }
      }
    },
    async (request) => ok({ secret: await rotateSecret(request, request.params.id) })
  )

  app.post(
    '/subscription/ping/id_:id',
    {
      config: asking,
      schema: {
        operationId: 'pingSubscription',
        summary: 'Send a ping',
        description:
          'Sent once, soon: `GET /subscription/deliveries/id_{id}` shows the answer. If it arrives, failed changes are tried at once.',
        params: SubscriptionKey,
        response: { 200: asked }
      }
    },
    async (request) => ok({ delivery: await askForDelivery(request, request.params.id) })
  )

  app.post(
    '/subscription/retry/id_:id',
    {
      config: asking,
      schema: {
        operationId: 'retrySubscription',
        summary: 'Try now',
        description:
          'What failed is tried now, not at `next_try_at`, and the waits start again from the first. If nothing has failed, nothing happens.',
        params: SubscriptionKey,
        response: { 200: one }
      }
    },
    async (request) => ok({ subscription: await retrySubscription(request, request.params.id) })
  )

  app.get(
    '/subscription/deliveries/id_:id',
    {
      config: item,
      schema: {
        operationId: 'listDeliveries',
        summary: 'List deliveries',
        description:
          'The last 500 attempts, newest first, and deliveries that wait to be sent once.',
        params: SubscriptionKey,
        querystring: PageQuery,
        response: {
          200: success({ deliveries: newestFirst(Delivery), next_cursor: NextCursor })
        }
      }
    },
    async (request) => ok(await listDeliveries(request, request.params.id, request.query))
  )

  app.post(
    '/subscription/redeliver/id_:id',
    {
      config: asking,
      schema: {
        operationId: 'redeliverChange',
        summary: 'Deliver a change again',
        description: 'Sent once, soon, whatever is being retried.',
        params: SubscriptionKey,
        body: ref(Redelivery),
        response: { 200: asked }
      }
    },
    async (request) => {
      const { params, body } = request
      return ok({ delivery: await askForDelivery(request, params.id, body.change) })
    }
  )
}

export default subscription
