import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { auditEvent } from '../plugins/audit.ts'
import { fail } from '../plugins/errors.ts'
import { NextCursor, ok, PageQuery, pageOf, paginate, ref, success } from '../schemas/common.ts'
import {
  FeatureFlag,
  FlagOverride,
  FlagSetting,
  FlagValues,
  OverrideQuery,
  OverrideSetting,
  OverrideUser
} from '../schemas/featureflag.ts'

const administrators = { allow: ['session', 'bearer'], role: 'admin' } as const
const ofUser = { ...administrators, fails: ['FLAG-NOT-FOUND', 'USER-NOT-FOUND'] } as const
const tags = ['featureflag']

/** Feature flags: administrators set them, anybody asks for their own (contract: Feature flag). */
const featureflag: FastifyPluginAsyncTypebox = async (app) => {
  const { featureFlags, users } = app.repos

  app.get(
    '/featureflag/index',
    {
      config: { allow: ['session', 'bearer', 'anyone'] },
      schema: {
        operationId: 'evaluateFeatureFlags',
        tags,
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
      config: administrators,
      schema: {
        operationId: 'listFeatureFlags',
        tags,
        summary: 'List feature flags',
        description: 'Newest first.',
        querystring: PageQuery,
        response: { 200: success({ flags: Type.Array(ref(FeatureFlag)), next_cursor: NextCursor }) }
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
      config: administrators,
      schema: {
        operationId: 'setFeatureFlag',
        tags,
        summary: 'Add or change a feature flag',
        description:
          'A field that is left out keeps its value; in a new flag it is `false` or 0. Raising `rollout_pct` takes the flag from nobody.',
        body: ref(FlagSetting),
        response: { 200: success({ flag: ref(FeatureFlag) }) }
      }
    },
    async (request) => {
      const { flag_name, is_enabled = null, rollout_pct = null } = request.body
      const now = app.timestamp()
      const flag = await request.transaction(async ({ featureFlags, audit }) => {
        const set = await featureFlags.set({ flag_name, is_enabled, rollout_pct, now })
        const detail = `is_enabled ${set.is_enabled}, rollout_pct ${set.rollout_pct}`
        await audit.insert(auditEvent(request, 'flag-change', { subject: flag_name, detail }))
        return set
      })
      app.flags.forget()
      return ok({ flag })
    }
  )

  app.put(
    '/admin/featureflag/override/id_:id',
    {
      config: ofUser,
      schema: {
        operationId: 'setFlagOverride',
        tags,
        summary: 'Set a flag for one user',
        description: 'Adds or changes the override, which grants the flag or takes it away.',
        params: OverrideUser,
        body: ref(OverrideSetting),
        response: { 200: success({ override: ref(FlagOverride) }) }
      }
    },
    async (request) => {
      const { flag_name, is_enabled } = request.body
      const key = { flag_name, user_id: request.params.id }
      const now = app.timestamp()
      const override = await request.transaction(async ({ featureFlags, audit }) => {
        const set = await featureFlags.setOverride({ ...key, is_enabled, now })
        const detail = `user ${key.user_id}: ${is_enabled}`
        const event = auditEvent(request, 'override-change', { subject: flag_name, detail })
        if (set) await audit.insert(event)
        return set
      })
      app.flags.forget()
      return ok({ override: override ?? fail((await unknownIn(key)) ?? 'FLAG-NOT-FOUND') })
    }
  )

  app.delete(
    '/admin/featureflag/override/id_:id',
    {
      config: ofUser,
      schema: {
        operationId: 'removeFlagOverride',
        tags,
        summary: "Remove a user's override",
        description:
          'The user is back at the global value. `removed` is false where there was none.',
        params: OverrideUser,
        querystring: OverrideQuery,
        response: {
          200: success({
            flag_name: Type.String({ examples: ['checkout.new-form'] }),
            user_id: Type.Integer({ examples: [2] }),
            removed: Type.Boolean()
          })
        }
      }
    },
    async (request) => {
      const key = { flag_name: request.query.flag_name, user_id: request.params.id }
      const removed = await request.transaction(async ({ featureFlags, audit }) => {
        const done = await featureFlags.removeOverride(key)
        const detail = `user ${key.user_id}: removed`
        const event = auditEvent(request, 'override-change', { subject: key.flag_name, detail })
        if (done) await audit.insert(event)
        return done
      })
      app.flags.forget()
      const unknown = removed ? null : await unknownIn(key)
      return unknown ? fail(unknown) : ok({ ...key, removed })
    }
  )

  /** Which of flag and user there is not; null where there are both. */
  async function unknownIn({ flag_name, user_id }: { flag_name: string; user_id: number }) {
    if (!(await featureFlags.find({ flag_name }))) return 'FLAG-NOT-FOUND'
    return (await users.findById({ id: user_id })) ? null : 'USER-NOT-FOUND'
  }
}

export default featureflag
