import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../../plugins/http/errors/index.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { oneOf, PageQuery, pageOf, paginate } from '../../../schemas/common.ts'
import type { FeatureFlag } from '../../../schemas/feature-flag.ts'
import { FlagSetting } from '../../../schemas/feature-flag.ts'
import { Login } from './login.ts'

const { flag_name, is_enabled, rollout_pct } = FlagSetting.properties

/** How many flags a page shows; each needs two queries. */
const page = { limit: 20 }
/** How many overrides are listed. The form can change the others too. */
const overridesShown = 50

/** An override for one user, or its removal. */
const Override = Type.Object({
  flag_name,
  user_id: Login,
  value: oneOf(['on', 'off', 'none'])
})
const Setting = Type.Object({ flag_name, is_enabled, rollout_pct })
const Query = Type.Object({ cursor: PageQuery.properties.cursor })

const words = {
  flag_name: 'Use letters, digits, and after the first one also _ . : and -, at most 128.'
}

/** Feature flags with their overrides, and the share of users that each flag reaches. */
export function flags(app: FastifyInstance): Page<typeof Query> {
  const { featureFlags, users } = app.repos

  async function set(setting: Static<typeof Setting>, request: FastifyRequest) {
    await app.flags.set(request, setting)
    return undefined
  }

  async function describe(flag: FeatureFlag, everybody: number) {
    const { flag_name } = flag
    const [overrides, counts] = await Promise.all([
      featureFlags.overrides({ flag_name, limit: overridesShown }),
      featureFlags.countOverrides({ flag_name })
    ])
    const count = (is_enabled: boolean) =>
      counts.find((row) => row.is_enabled === is_enabled)?.count ?? 0
    const [granted, denied] = [count(true), count(false)]
    const share = flag.is_enabled ? 1 : flag.rollout_pct / 100
    // An average: an exact number would need the bucket of every user without an override.
    const reached = granted + share * (everybody - granted - denied)
    return {
      ...flag,
      overrides,
      unlisted: granted + denied - overrides.length,
      isExact: share === 0 || share === 1,
      reached: Math.round(reached),
      percent: everybody === 0 ? 0 : Math.round((reached / everybody) * 1000) / 10
    }
  }

  return {
    url: '/admin/flags',
    title: 'Feature flags',
    view: 'routes/admin/pages/flags',
    query: Query,
    key: 'flag_name',
    forms: {
      add: form(app, Setting, { run: set, done: 'The flag was set.', words }),
      set: form(app, Setting, { run: set, words }),
      override: form(app, Override, {
        async run({ user_id, value, flag_name }, request) {
          const user = (await users.findNamed(user_id)) ?? fail('USER-NOT-FOUND')
          const key = { flag_name, user_id: user.id }
          if (value === 'none') await app.flags.removeOverride(request, key)
          else await app.flags.override(request, { ...key, is_enabled: value === 'on' })
          return undefined
        },
        at: { 'USER-NOT-FOUND': 'user_id' }
      })
    },
    async load(_request, { cursor }) {
      const query = { ...page, ...(cursor !== undefined && { cursor }) }
      const { items, next_cursor } = paginate(await featureFlags.list(pageOf(query)), query)
      const everybody = await users.count({})
      const flags = await Promise.all(items.map((flag) => describe(flag, everybody)))
      return { flags, everybody, next_cursor }
    }
  }
}
