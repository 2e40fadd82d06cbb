import { type Static, Type } from '@sinclair/typebox'
import { Created, Key, Updated } from './common.ts'

const FlagName = Type.String({
  maxLength: 128,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:\\-]*$',
  'x-must': 'be letters, digits, `_`, `.`, `:` or `-`, the first one a letter or a digit',
  description:
    '1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case matters.',
  examples: ['checkout.new-form']
})

const IsEnabled = Type.Boolean({ description: 'Whether it is on.', examples: [true] })

const RolloutPct = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Percentage of users who have the flag while it is not on for everybody.',
  examples: [25]
})

export const FeatureFlag = Type.Object(
  {
    id: Key,
    flag_name: Type.String({ description: 'Its name.', examples: FlagName.examples ?? [] }),
    is_enabled: Type.Boolean({ description: 'On for everybody.', examples: [false] }),
    rollout_pct: Type.Integer({
      description: 'Percentage of users who have it if it is not on for everybody.',
      examples: [25]
    }),
    created_at: Created,
    updated_at: Updated
  },
  {
    $id: 'FeatureFlag',
    description: 'A feature that is on for everybody or for some users.'
  }
)
export type FeatureFlag = Static<typeof FeatureFlag>

export const FlagOverride = Type.Object(
  {
    id: Key,
    flag_name: Type.String({ description: 'Its name.', examples: FlagName.examples ?? [] }),
    user_id: Type.Integer({ description: "The user's `id`.", examples: [2] }),
    is_enabled: Type.Boolean({ description: 'Whether the user has it.' }),
    created_at: Created,
    updated_at: Updated
  },
  {
    $id: 'FlagOverride',
    description: 'Turns a flag on or off for one user.'
  }
)

export type FlagOverride = Static<typeof FlagOverride>

export const FlagSetting = Type.Object(
  {
    flag_name: FlagName,
    is_enabled: Type.Optional(IsEnabled),
    rollout_pct: Type.Optional(RolloutPct)
  },
  {
    $id: 'FlagSetting',
    description: 'A flag and its new setting.',
    examples: [{ flag_name: 'checkout.new-form', rollout_pct: 25 }]
  }
)
export type FlagSetting = Static<typeof FlagSetting>

export const OverrideSetting = Type.Object(
  { flag_name: FlagName, is_enabled: IsEnabled },
  {
    $id: 'OverrideSetting',
    description: 'Whether the user has the flag.',
    examples: [{ flag_name: 'checkout.new-form', is_enabled: true }]
  }
)
export type OverrideSetting = Static<typeof OverrideSetting>

/** The user whom an override is for. */
export const OverrideQuery = Type.Object({
  flag_name: { ...FlagName, description: 'Name of the flag.' }
})

/** Flag name -> whether the caller has it. */
export const FlagValues = Type.Unsafe<Record<string, boolean>>({
  type: 'object',
  additionalProperties: { type: 'boolean' },
  description: 'Every flag, by name: whether the caller has it.',
  examples: [{ 'checkout.new-form': true }]
})
