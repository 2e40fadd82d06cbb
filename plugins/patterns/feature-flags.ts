import { hash } from 'node:crypto'
import fp from 'fastify-plugin'
import type { FlagState } from '../../db/repositories/feature-flags.ts'
import type { FeatureFlag, FlagOverride, FlagSetting } from '../../schemas/feature-flag.ts'
import { fail } from '../http/errors/index.ts'
import { recordEvent } from '../identity/audit.ts'

interface OverrideKey {
  flag_name: string
  /** Key of the user. */
  user_id: number
}

declare module 'fastify' {
  interface FastifyInstance {
    flags: {
      /**
       * Whether a flag is on for the user with this `id`; without an `id`, whether its global value is on.
       * An unknown flag is off.
       */
      isEnabled(flag: string, userId?: number): Promise<boolean>
      /** Every flag by name. */
      evaluateAll(userId?: number): Promise<Record<string, boolean>>
      /** Adds or changes a flag, for the calling administrator. An absent field stays as it is. */
      set(request: FastifyRequest, setting: FlagSetting): Promise<FeatureFlag>
      /** Turns a flag on or off for one user. Fails if there is no such flag or user. */
      override(
        request: FastifyRequest,
        override: OverrideKey & { is_enabled: boolean }
      ): Promise<FlagOverride>
      /** Removes an override. False if there was none; fails if there is no such flag or user. */
      removeOverride(request: FastifyRequest, key: OverrideKey): Promise<boolean>
    }
  }
}

/** The position of a user in the rollout of a flag, 0 to 99 (contract FLAG-2); it never changes. */
export const bucket = (flag: string, userId: number) =>
  hash('sha256', `${flag}:${userId}`, 'buffer').readUInt32BE(0) % 100

/** What the audit trail says of a flag that was set. */
export const flagChange = ({ flag_name, is_enabled, rollout_pct }: FeatureFlag) => ({
  subject: flag_name,
  detail: `is_enabled ${is_enabled}, rollout_pct ${rollout_pct}`
})

/** In the order of contract FLAG-1: the user's override, the global value, the rollout. */
function evaluate({ flag_name, is_enabled, rollout_pct, override }: FlagState, userId?: number) {
  if (override !== null) return override
  if (is_enabled) return true
  return userId !== undefined && bucket(flag_name, userId) < rollout_pct
}

/** Feature flags that any area can use (contract FLAG-1). */
export default fp(
  async (app) => {
    const { featureFlags, users } = app.repos
    async function failUnlessKnown({ flag_name, user_id }: OverrideKey) {
      if (!(await featureFlags.find({ flag_name }))) fail('FLAG-NOT-FOUND')
      if (!(await users.findById({ id: user_id }))) fail('USER-NOT-FOUND')
    }

    app.decorate('flags', {
      async isEnabled(flag_name, userId) {
        const state = await featureFlags.state({ flag_name, user_id: userId ?? null })
        return state !== undefined && evaluate(state, userId)
      },

      async evaluateAll(userId) {
        const states = await featureFlags.allStates({ user_id: userId ?? null })
        return Object.fromEntries(states.map((state) => [state.flag_name, evaluate(state, userId)]))
      },

      set(request, { flag_name, is_enabled, rollout_pct }) {
        const now = app.timestamp()
        return request.transaction(async (repos) => {
          const set = await repos.featureFlags.set({ flag_name, is_enabled, rollout_pct, now })
          await recordEvent(repos, request, 'flag-change', flagChange(set))
          return set
        })
      },

      async override(request, { flag_name, user_id, is_enabled }) {
        const now = app.timestamp()
        const override = await request.transaction(async (repos) => {
          const change = { flag_name, user_id, is_enabled, now }
          const set = await repos.featureFlags.setOverride(change)
          const what = { subject: flag_name, detail: `user ${user_id}: ${is_enabled}` }
          if (set) await recordEvent(repos, request, 'override-change', what)
          return set
        })
        if (override) return override
        await failUnlessKnown({ flag_name, user_id })
        // Flag and user exist now; one of them did not a moment ago.
        fail('FLAG-NOT-FOUND')
      },

      async removeOverride(request, key) {
        const removed = await request.transaction(async (repos) => {
          const done = await repos.featureFlags.removeOverride(key)
          const what = { subject: key.flag_name, detail: `user ${key.user_id}: removed` }
          if (done) await recordEvent(repos, request, 'override-change', what)
          return done
        })
        if (!removed) await failUnlessKnown(key)
        return removed
      }
    })
  },
  { name: 'feature-flags', fastify: '5.x', dependencies: ['clock', 'database'] }
)
