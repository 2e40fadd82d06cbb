import { hash } from 'node:crypto'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { FlagState } from '../../db/repositories/feature-flags.ts'
import { recordEvent } from '../../lib/identity/audit.ts'
import type { FeatureFlag, FlagOverride, FlagSetting } from '../../schemas/feature-flag.ts'
import { fail } from '../http/errors.ts'

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
       * An unknown flag is off. A change by another process counts at once if the processes share
       * messages, otherwise after five seconds at most.
       */
      isEnabled(flag: string, userId?: number): Promise<boolean>
      /** Every flag by name, read from the database. */
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
      /** Call it after other changes of flags: this process, and those that get its messages, read again. */
      forget(): void
    }
  }
}

/** How long a value is remembered, in milliseconds. */
const keepMs = 5000
/** How many pairs of flag and user are in memory at most; the least recently used is forgotten first. */
const maxRemembered = 10_000

/** The position of a user in the rollout of a flag, 0 to 99 (contract FLAG-2); it never changes. */
export const bucket = (flag: string, userId: number) =>
  hash('sha256', `${flag}:${userId}`, 'buffer').readUInt32BE(0) % 100

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
    // Promises, not values: if a flag changes while it is being read, the promise is forgotten with the rest.
    const remembered = new LRUCache<string, { value: Promise<boolean>; until: number }>({
      max: maxRemembered
    })

    async function ask(flag_name: string, userId?: number) {
      const state = await featureFlags.state({ flag_name, user_id: userId ?? null })
      return state !== undefined && evaluate(state, userId)
    }

    function forget() {
      remembered.clear()
      app.peers.publish('flags', 'changed')
    }

    async function failUnlessKnown({ flag_name, user_id }: OverrideKey) {
      if (!(await featureFlags.find({ flag_name }))) fail('FLAG-NOT-FOUND')
      if (!(await users.findById({ id: user_id }))) fail('USER-NOT-FOUND')
    }

    app.peers.subscribe('flags', () => remembered.clear())

    app.decorate('flags', {
      isEnabled(flag, userId) {
        const key = `${userId ?? ''}:${flag}`
        const now = app.now()
        const known = remembered.get(key)
        if (known && now < known.until) return known.value
        const value = ask(flag, userId)
        remembered.set(key, { value, until: now + keepMs })
        value.catch(() => remembered.delete(key))
        return value
      },

      async evaluateAll(userId) {
        const states = await featureFlags.allStates({ user_id: userId ?? null })
        return Object.fromEntries(states.map((state) => [state.flag_name, evaluate(state, userId)]))
      },

      async set(request, { flag_name, is_enabled, rollout_pct }) {
        const now = app.timestamp()
        const flag = await request.transaction(async (repos) => {
          const set = await repos.featureFlags.set({ flag_name, is_enabled, rollout_pct, now })
          const detail = `is_enabled ${set.is_enabled}, rollout_pct ${set.rollout_pct}`
          await recordEvent(repos, request, 'flag-change', { subject: flag_name, detail })
          return set
        })
        forget()
        return flag
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
        forget()
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
        forget()
        if (!removed) await failUnlessKnown(key)
        return removed
      },

      forget
    })
  },
  { name: 'feature-flags', fastify: '5.x', dependencies: ['clock', 'database', 'peers'] }
)
