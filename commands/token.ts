import { insertToken, revokeToken } from '../db/actions/tokens.ts'
import {
  createAccessToken,
  dayMs,
  minuteMs,
  parseScopes
} from '../plugins/identity/access-token.ts'
import { recordCommand } from '../plugins/identity/audit.ts'
import {
  accessTokenDays,
  accessTokenMinutes,
  accessTokenName,
  isAdminScope,
  scopes as known,
  maxAccessTokens,
  maxChanges
} from '../schemas/access-token.ts'
import { loginPattern } from '../schemas/user.ts'
import {
  CannotRun,
  type Commands,
  checked,
  columns,
  knownUser,
  loginForm,
  onDatabase,
  UsageError
} from './command.ts'

export const tokenCommands: Commands = {
  'token add': {
    operands: ['LOGIN', 'NAME', 'SCOPES'],
    options: { days: 'DAYS', minutes: 'MINUTES', asks: '', changes: 'CHANGES' },
    about: `Create an access token for a user and print it; it is shown only once. SCOPES are separated by commas, from ${known.join(', ')}. It expires after DAYS, ${accessTokenDays.min} to ${accessTokenDays.max} (default ${accessTokenDays.default}), or after MINUTES, ${accessTokenMinutes.min} to ${accessTokenMinutes.max}. With --asks a person must approve each change; with --changes it may make at most CHANGES changes, 1 to ${maxChanges}.`,
    async run({ operands: [login = '', name = '', list = ''], options }, load) {
      checked('LOGIN', login, loginPattern, loginForm)
      checked('NAME', name, accessTokenName, 'a text of 1 to 64 characters')
      const scopes = scopesOf(list)
      const limits = {
        ms: lifeOf(options),
        asks: options.asks !== undefined,
        changes_max: options.changes === undefined ? null : changesOf(options.changes)
      }
      const config = load()
      if (limits.asks && config.SVC_ACTIVITY_DAYS === 0) {
        throw new CannotRun(
          '--asks needs plans, which are made from recorded changes: SVC_ACTIVITY_DAYS is 0'
        )
      }
      return onDatabase(config, async ({ repos, transaction }) => {
        const user = await knownUser(repos, login)
        if (user.role !== 'admin' && scopes.some(isAdminScope)) {
          throw new Error(`${login} is not an administrator and cannot have admin scopes`)
        }
        const at = new Date()
        const { token, row } = createAccessToken({ name, scopes, ...limits }, at)
        await transaction(async (repos) => {
          await repos.users.hold(user)
          const inserted = await insertToken(repos, { ...row, user_id: user.id })
          if (!inserted) throw new Error(`${login} has ${maxAccessTokens} access tokens already`)
          const subject = { subject: user.user_id, detail: `${row.hint} ${row.scopes}` }
          await recordCommand(repos, 'access-token-created', at, subject)
        })
        return `${token}\n`
      })
    }
  },
  'token list': {
    operands: ['LOGIN'],
    about: 'List the live access tokens of a user, newest first.',
    async run({ operands: [login = ''] }, load) {
      checked('LOGIN', login, loginPattern, loginForm)
      return onDatabase(load(), async ({ repos }) => {
        const user = await knownUser(repos, login)
        const tokens = await repos.accessTokens.list({ user_id: user.id, now: Date.now() })
        return columns([
          ['ID', 'TOKEN', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES', 'LIMITS', 'NAME'],
          ...tokens.map((token) => [
            `${token.id}`,
            `${token.hint}...`,
            token.created_at,
            time(token.expires_at),
            token.last_used_at === null ? '-' : time(token.last_used_at),
            parseScopes(token.scopes).join(','),
            limitsOf(token),
            token.name
          ])
        ])
      })
    }
  },
  'token revoke': {
    operands: ['LOGIN', 'ID'],
    about: 'Revoke an access token of a user: it stops working at once.',
    async run({ operands: [login = '', id = ''] }, load) {
      checked('LOGIN', login, loginPattern, loginForm)
      checked('ID', id, /^\d{1,15}$/, 'a number, as token list shows it')
      return onDatabase(load(), async ({ repos, transaction }) => {
        const user = await knownUser(repos, login)
        const at = new Date()
        const key = { id: Number(id), user_id: user.id, now: at.getTime() }
        const revoked = await transaction(async (repos) => {
          const done = await revokeToken(repos, key)
          const detail = `${done?.hint} ${done?.scopes}`
          const what = { subject: user.user_id, detail }
          if (done) await recordCommand(repos, 'access-token-revoked', at, what)
          return done
        })
        if (!revoked) throw new Error(`${login} has no live access token ${id}`)
        return `revoked ${revoked.hint}... of ${login}\n`
      })
    }
  }
}

const time = (ms: number) => new Date(ms).toISOString()

function scopesOf(list: string) {
  const names = list.split(',')
  const scopes = known.filter((scope) => names.includes(scope))
  if (scopes.length !== names.length)
    throw new UsageError(`SCOPES must be from ${known.join(', ')}, each once`)
  return scopes
}

/** How long a token is valid, in milliseconds. */
function lifeOf({ days, minutes }: { days?: string; minutes?: string }) {
  if (minutes === undefined) return daysOf(days ?? String(accessTokenDays.default)) * dayMs
  if (days !== undefined) throw new UsageError('take --days or --minutes, not both')
  return minutesOf(minutes) * minuteMs
}

/** What a list says of the limits of a token: `asks`, and how many changes are left. */
function limitsOf({ asks, changes_left: left }: { asks: boolean; changes_left: number | null }) {
  const limits = [...(asks ? ['asks'] : []), ...(left === null ? [] : [`changes:${left}`])]
  return limits.join(',') || '-'
}

const daysOf = wholeNumber('DAYS', 'days', accessTokenDays)
const minutesOf = wholeNumber('MINUTES', 'minutes', accessTokenMinutes)
const changesOf = wholeNumber('CHANGES', 'changes', { min: 1, max: maxChanges })

function wholeNumber(name: string, unit: string, { min, max }: { min: number; max: number }) {
  const form = `a number of ${unit} from ${min} to ${max}`
  return (word: string) => {
    const number = Number(checked(name, word, /^\d{1,7}$/, form))
    if (number < min || number > max)
      throw new UsageError(`${name} is not valid: it must be ${form}`)
    return number
  }
}
