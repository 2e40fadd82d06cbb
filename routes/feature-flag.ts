import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import {
  NextCursor,
  newestFirst,
  ok,
  PageQuery,
  pageOf,
  paginate,
  ref,
  success
} from '../schemas/common.ts'
import {
  FeatureFlag,
  FlagOverride,
  FlagSetting,
  FlagValues,
  OverrideQuery,
  OverrideSetting
} from '../schemas/feature-flag.ts'
import { UserKey } from '../schemas/user.ts'

const administrators = { allow: ['session', 'agent', 'jwt'], role: 'admin' } as const
const reads = { ...administrators, scope: 'admin:read' } as const
const writes = { ...administrators, scope: 'admin:write' } as const
const ofUser = { ...writes, fails: ['FLAG-NOT-FOUND', 'USER-NOT-FOUND'] } as const

/** Feature flags. Administrators set them; anyone can read their own values (contract FLAG-1). */
const featureFlag: FastifyPluginAsyncTypebox = async (app) => {
  const { featureFlags } = app.repos
  app.tag('featureflag', 'Features that are on for everybody or for some.')

  app.get(
    '/featureflag/index',
    {
      // For pages and programs: a model has no use for them.
      config: { mcp: false, allow: ['session', 'agent', 'jwt', 'anyone'], scope: 'any' },
      schema: {
        operationId: 'evaluateFeatureFlags',
        summary: 'Which flags the caller has',
        description: 'Without credentials only flags that are on for everybody are true.',
        response: { 200: success({ flags: FlagValues }) }
      }
    },
    async (request) => ok({ flags: await app.flags.evaluateAll(request.identity?.user.id) })
  )

  app.get(
    '/admin/featureflag/index',
    {
      config: reads,
      schema: {
        operationId: 'listFeatureFlags',
        summary: 'List feature flags',
        description: 'Newest first.',
        querystring: PageQuery,
        response: {
          200: success({
            flags: newestFirst(FeatureFlag),
            next_cursor: NextCursor
          })
        }
      }
    },
    async (request) => {
      const rows = await featureFlags.list(pageOf(request.query))
      const { items, next_cursor } = paginate(rows, request.query)
      return ok({ flags: items, next_cursor })
    }
  )

  app.post(
    '/admin/featureflag/index',
    {
      config: { ...writes, mcp: { idempotent: true, destructive: true } },
      schema: {
        operationId: 'setFeatureFlag',
        summary: 'Add or change a feature flag',
        description:
          'A field that is left out keeps its value; in a new flag it is `false` or 0. Raising `rollout_pct` never removes the flag from a user.',
        body: ref(FlagSetting),
        response: { 200: success({ flag: ref(FeatureFlag) }) }
      }
    },
    async (request) => ok({ flag: await app.flags.set(request, request.body) })
  )

  app.put(
    '/admin/featureflag/override/id_:id',
    {
      config: ofUser,
      schema: {
        operationId: 'setFlagOverride',
        summary: 'Set a flag for one user',
        description: 'Adds or changes the override, which turns the flag on or off for the user.',
        params: UserKey,
        body: ref(OverrideSetting),
        response: { 200: success({ override: ref(FlagOverride) }) }
      }
    },
    async (request) => {
      const change = { ...request.body, user_id: request.params.id }
      return ok({ override: await app.flags.override(request, change) })
    }
  )

  app.delete(
    '/admin/featureflag/override/id_:id',
    {
      config: ofUser,
      schema: {
        operationId: 'removeFlagOverride',
        summary: "Remove a user's override",
        description:
          'The global value applies to the user again. `removed` is false if there was no override.',
        params: UserKey,
        querystring: OverrideQuery,
        response: {
          200: success({
            flag_name: Type.String({
              description: 'Name of the flag.',
              examples: ['checkout.new-form']
            }),
            user_id: Type.Integer({ description: "The user's `id`.", examples: [2] }),
            removed: Type.Boolean({ description: 'Whether there was an override.' })
          })
        }
      }
    },
    async (request) => {
      const key = { flag_name: request.query.flag_name, user_id: request.params.id }
      return ok({ ...key, removed: await app.flags.removeOverride(request, key) })
    }
  )
}

export default featureFlag
