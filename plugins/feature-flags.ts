import { hash } from 'node:crypto'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { FlagState } from '../db/repositories/feature-flags.ts'

declare module 'fastify' {
  interface FastifyInstance {
    flags: {
      /**
       * Whether a flag is on for the user with this `id`, or without one for everybody. An unknown
       * flag is off. Another process's change shows at once where processes share messages, and after
       * five seconds at most.
       */
      isEnabled(flag: string, userId?: number): Promise<boolean>
      /** Every flag by name, as the database has it now. */
      evaluateAll(userId?: number): Promise<Record<string, boolean>>
      /** Call it after a change of flags or overrides: this process, and those that hear it, ask anew. */
      forget(): void
    }
  }
}

/** How long an answer of the database is believed. */
const keepMs = 5000
/** Pairs of flag and user remembered at once; the one not asked for longest is forgotten first. */
const maxRemembered = 10_000

/** Where a user stands in the rollout of a flag, 0 to 99; always the same place. */
export const bucket = (flag: string, userId: number) =>
  hash('sha256', `${flag}:${userId}`, 'buffer').readUInt32BE(0) % 100

/** The contract's order: the user's override, the global value, the user's place in the rollout. */
function evaluate({ flag_name, is_enabled, rollout_pct, override }: FlagState, userId?: number) {
  if (override !== null) return override
  if (is_enabled) return true
  return userId !== undefined && bucket(flag_name, userId) < rollout_pct
}

/** Feature flags that any area can ask (contract: Feature flag). */
export default fp(
  async (app) => {
    const { featureFlags } = app.repos
    // Promises, so that an answer that was under way when a flag changed is forgotten with the rest.
    const remembered = new LRUCache<string, { value: Promise<boolean>; until: number }>({
      max: maxRemembered
    })

    async function ask(flag_name: string, userId?: number) {
      const state = await featureFlags.state({ flag_name, user_id: userId ?? null })
      return state !== undefined && evaluate(state, userId)
    }

    app.shared.subscribe('flags', () => remembered.clear())

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

      forget() {
        remembered.clear()
        app.shared.publish('flags', 'changed')
      }
    })
  },
  { name: 'feature-flags', fastify: '5.x', dependencies: ['clock', 'database', 'shared'] }
)
