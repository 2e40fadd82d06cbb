import { type Static, Type } from '@sinclair/typebox'
import { Timestamp } from './common.ts'

const FlagName = Type.String({
  maxLength: 128,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]*$',
  description:
    '1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case counts.',
  examples: ['checkout.new-form']
})

const IsEnabled = Type.Boolean({ examples: [true] })

const RolloutPct = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Percentage of users who have the flag where it is not on for everybody.',
  examples: [25]
})

const times = {
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z'
}

export const FeatureFlag = Type.Object(
  {
    id: Type.Integer(),
    flag_name: Type.String(),
    is_enabled: Type.Boolean({ description: 'On for everybody.' }),
    rollout_pct: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp
  },
  {
    $id: 'FeatureFlag',
    examples: [
      { id: 1, flag_name: 'checkout.new-form', is_enabled: false, rollout_pct: 25, ...times }
    ]
  }
)
export type FeatureFlag = Static<typeof FeatureFlag>

export const FlagOverride = Type.Object(
  {
    id: Type.Integer(),
    flag_name: Type.String(),
    user_id: Type.Integer({ description: "The user's `id`." }),
    is_enabled: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp
  },
  {
    $id: 'FlagOverride',
    examples: [{ id: 1, flag_name: 'checkout.new-form', user_id: 2, is_enabled: true, ...times }]
  }
)

export const FlagSetting = Type.Object(
  {
    flag_name: FlagName,
    is_enabled: Type.Optional(IsEnabled),
    rollout_pct: Type.Optional(RolloutPct)
  },
  { $id: 'FlagSetting', examples: [{ flag_name: 'checkout.new-form', rollout_pct: 25 }] }
)

export const OverrideSetting = Type.Object(
  { flag_name: FlagName, is_enabled: IsEnabled },
  { $id: 'OverrideSetting', examples: [{ flag_name: 'checkout.new-form', is_enabled: true }] }
)

/** The user whom an override is for. */
export const OverrideUser = Type.Object({
  id: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The user's `id`.",
    examples: [2]
  })
})

export const OverrideQuery = Type.Object({ flag_name: FlagName })

/** Flag name -> whether the caller has it. */
export const FlagValues = Type.Unsafe<Record<string, boolean>>({
  type: 'object',
  additionalProperties: { type: 'boolean' },
  description: 'Every flag, by name: whether the caller has it.',
  examples: [{ 'checkout.new-form': true }]
})
