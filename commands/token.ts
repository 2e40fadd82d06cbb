import { insertToken, revokeToken } from '../db/actions/tokens.ts'
import { createAccessToken, dayMs, parseScopes } from '../plugins/identity/access-token.ts'
import { recordCommand } from '../plugins/identity/audit.ts'
import {
  accessTokenDays,
  accessTokenName,
  isAdminScope,
  scopes as known,
  maxAccessTokens
} from '../schemas/access-token.ts'
import { loginPattern } from '../schemas/user.ts'
import {
  type Commands,
  checked,
  columns,
  knownUser,
  loginForm,
  onDatabase,
  UsageError
} from './command.ts'

const { min, max, default: usual } = accessTokenDays

export const tokenCommands: Commands = {
  'token add': {
    operands: ['LOGIN', 'NAME', 'SCOPES'],
    options: { days: 'DAYS' },
    about: `Create an access token for a user and print it; it is shown only once. SCOPES are separated by commas, from ${known.join(', ')}. It expires after DAYS, ${min} to ${max} (default ${usual}).`,
    async run({ operands: [login = '', name = '', list = ''], options }, load) {
      checked('LOGIN', login, loginPattern, loginForm)
      checked('NAME', name, accessTokenName, 'a text of 1 to 64 characters')
      const scopes = scopesOf(list)
      const days = daysOf(options.days ?? String(usual))
      return onDatabase(load(), async ({ repos, transaction }) => {
        const user = await knownUser(repos, login)
        if (user.role !== 'admin' && scopes.some(isAdminScope)) {
          throw new Error(`${login} is not an administrator and cannot have admin scopes`)
        }
        const at = new Date()
        const { token, row } = createAccessToken({ name, scopes, ms: days * dayMs }, at)
        await transaction(async (repos) => {
          await repos.users.hold(user)
          const inserted = await insertToken(repos, { ...row, user_id: user.id })
          if (!inserted) throw new Error(`${login} has ${maxAccessTokens} access tokens already`)
          const subject = { subject: login, detail: `${row.hint} ${row.scopes}` }
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
          ['ID', 'TOKEN', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES', 'NAME'],
          ...tokens.map((token) => [
            `${token.id}`,
            `${token.hint}...`,
            token.created_at,
            time(token.expires_at),
            token.last_used_at === null ? '-' : time(token.last_used_at),
            parseScopes(token.scopes).join(','),
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
          const what = { subject: login, detail }
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

function daysOf(word: string) {
  const form = `a number of days from ${min} to ${max}`
  const days = Number(checked('DAYS', word, /^\d{1,3}$/, form))
  if (days < min || days > max) throw new UsageError(`DAYS is not valid: it must be ${form}`)
  return days
}
