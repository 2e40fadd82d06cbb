import { Type } from '@sinclair/typebox'
import { fail } from '../../../plugins/http/errors/index.ts'
import { oneOf, pageOf, paginate } from '../../../schemas/common.ts'
import type { FeatureFlag } from '../../../schemas/feature-flag.ts'
import { FlagSetting } from '../../../schemas/feature-flag.ts'
import { type Desk, formRoute, Login, type Section, url } from './section.ts'

const name = 'flags'
const { flag_name, is_enabled, rollout_pct } = FlagSetting.properties

/** How many flags a page shows; each needs two queries. */
const page = { limit: 20 }
/** How many overrides are listed. The form can change the others too. */
const overridesShown = 50

/** What a form does: sets a flag, or an override for one user. */
const Form = Type.Object(
  {
    flag_name,
    is_enabled,
    rollout_pct,
    user_id: Type.Optional(Login),
    value: Type.Optional(oneOf(['on', 'off', 'none']))
  },
  { 'x-form': true }
)

/** Feature flags with their overrides, and the share of users that each flag reaches. */
export function flags(desk: Desk): Section {
  const { app, answer } = desk
  const { featureFlags, users } = app.repos

  app.post(`${url}/${name}`, { ...formRoute(desk), schema: { body: Form } }, (request, reply) =>
    answer(name, request, reply, async () => {
      const { user_id, value, ...setting } = request.body
      if (value === undefined) return app.flags.set(request, setting)
      const user = (await users.findIdentity({ user_id: user_id ?? '' })) ?? fail('USER-NOT-FOUND')
      const key = { flag_name: setting.flag_name, user_id: user.id }
      if (value === 'none') return app.flags.removeOverride(request, key)
      return app.flags.override(request, { ...key, is_enabled: value === 'on' })
    })
  )

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
    name,
    title: 'Feature flags',
    fields: ['flags_cursor'],
    labels: {
      flag_name: 'Name',
      is_enabled: 'Switch',
      rollout_pct: 'Percentage',
      user_id: 'User ID',
      value: 'Override',
      flags_cursor: 'Page'
    },
    async load({ flags_cursor: cursor }) {
      const query = { ...page, cursor }
      const { items, next_cursor } = paginate(await featureFlags.list(pageOf(query)), query)
      const everybody = await users.count({})
      const flags = await Promise.all(items.map((flag) => describe(flag, everybody)))
      return { flags, everybody, next_cursor }
    }
  }
}
