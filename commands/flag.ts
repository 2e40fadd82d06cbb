import { Value } from '@sinclair/typebox/value'
import { recordCommand } from '../plugins/identity/audit.ts'
import { flagChange } from '../plugins/patterns/feature-flags.ts'
import { FlagSetting } from '../schemas/feature-flag.ts'
import { type Commands, checked, columns, onDatabase, UsageError } from './command.ts'

export const flagCommands: Commands = {
  'flag list': {
    operands: [],
    about:
      'List the feature flags, newest first: who has each, unless a user has a value of their own.',
    run: (_words, load) =>
      onDatabase(load(), async ({ repos }) => {
        const all = { before: Number.MAX_SAFE_INTEGER, limit: 1_000_000 }
        const flags = await repos.featureFlags.list(all)
        return columns([
          ['FLAG', 'ON FOR', 'CHANGED'],
          ...flags.map((flag) => [flag.flag_name, audience(flag), flag.updated_at])
        ])
      })
  },
  'flag set': {
    operands: ['NAME', 'on|off|PERCENT'],
    about:
      'Turn a feature flag on or off for everybody, or on for a percentage of users. Adds the flag if there is none. Values of single users stay.',
    async run({ operands: [flag_name = '', state = ''] }, load) {
      if (!Value.Check(FlagSetting, { flag_name })) {
        throw new UsageError(
          'NAME is not valid: it must be 1 to 128 letters, digits, _ . : or -, the first one a letter or a digit'
        )
      }
      const setting = settingOf(state)
      return onDatabase(load(), async ({ transaction }) => {
        const at = new Date()
        const set = await transaction(async (repos) => {
          const now = at.toISOString()
          const flag = await repos.featureFlags.set({ flag_name, ...setting, now })
          await recordCommand(repos, 'flag-change', at, flagChange(flag))
          return flag
        })
        return `${flag_name} is on for ${audience(set)}\n`
      })
    }
  }
}

/** `off` also ends a rollout, so that it is off for everybody. `on` keeps the percentage, as the desk does. */
function settingOf(state: string) {
  if (state === 'on') return { is_enabled: true, rollout_pct: undefined }
  if (state === 'off') return { is_enabled: false, rollout_pct: 0 }
  const form = /^\d{1,3}$/
  const rollout_pct = Number(checked('on|off|PERCENT', state, form, 'on, off, or 0 to 100'))
  if (rollout_pct > 100) throw new UsageError('PERCENT is not valid: it must be 0 to 100')
  return { is_enabled: false, rollout_pct }
}

function audience({ is_enabled, rollout_pct }: { is_enabled: boolean; rollout_pct: number }) {
  if (is_enabled) return 'everybody'
  return rollout_pct === 0 ? 'nobody' : `${rollout_pct}% of users`
}
