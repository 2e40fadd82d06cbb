import { randomUUID } from 'node:crypto'
import { changeAccount } from '../db/actions/change-account.ts'
import { changePassword } from '../db/actions/change-password.ts'
import { removeAccount } from '../db/actions/remove-account.ts'
import { lockoutAt } from '../db/lockout.ts'
import type { Repositories } from '../db/repositories/index.ts'
import { recordCommand } from '../plugins/identity/audit.ts'
import { hashPassword } from '../plugins/identity/passwords/bcrypt.ts'
import { type Owner, passwordProblem } from '../plugins/identity/passwords/policy.ts'
import type { Config } from '../schemas/config.ts'
import { addressPattern, loginPattern, type Role, roles, userNamePattern } from '../schemas/user.ts'
import {
  type Commands,
  checked,
  columns,
  knownUser,
  loginForm,
  onDatabase,
  UsageError,
  unknownUser,
  withSecrets
} from './command.ts'
import { openStore } from './files.ts'

export const userCommands: Commands = {
  'user add': {
    operands: ['LOGIN'],
    options: { name: 'NAME', email: 'ADDRESS', role: roles.join('|') },
    about:
      'Add a user. NAME defaults to LOGIN, ADDRESS to LOGIN (or LOGIN@localhost), role to user.',
    async run({ operands, options }, load) {
      const role = roleOf(options.role ?? 'user')
      const login = loginOf(operands)
      const user_name = checked(
        'NAME',
        options.name ?? login,
        userNamePattern,
        'a text of up to 255 characters'
      )
      const e_mail = checked(
        'ADDRESS',
        options.email ?? addressOf(login),
        addressPattern,
        'an address such as ann@example.com'
      )
      const config = load()
      return onDatabase(config, async ({ repos: { users }, transaction }) => {
        const known = await users.findNamed(login)
        if (known) throw new Error(`user ${known.user_id} already exists`)
        const password_hash = await readPasswordHash(config, { user_id: login, e_mail })
        const account = { user_id: login, user_name, e_mail, role, password_hash }
        const added = await transaction(async (repos) => {
          const at = new Date()
          const done = await repos.users.insert({
            ...account,
            now: at.toISOString(),
            now_ms: at.getTime()
          })
          if (done) await recordCommand(repos, 'user-add', at, { subject: login, detail: role })
          return done
        })
        if (!added) throw new Error(`another user has the address ${e_mail}`)
        return `added ${role} ${login}\n`
      })
    }
  },
  'user list': {
    operands: [],
    about: 'List all users, and what locked them: an administrator or failed sign-ins.',
    run(_words, load) {
      const config = load()
      return onDatabase(config, async ({ repos }) => {
        const users = await repos.userAccounts.list(lockoutAt(config, Date.now()))
        return columns([
          ['ID', 'LOGIN', 'ROLE', 'LOCKED', 'CREATED', 'ADDRESS', 'NAME'],
          ...users.map((u) => {
            const names = [u.created_at, u.e_mail, u.user_name]
            return [`${u.id}`, u.user_id, u.role, u.locked_by ?? '-', ...names]
          })
        ])
      })
    }
  },
  'user password': {
    operands: ['LOGIN'],
    about:
      'Set the password of a user, and end the sessions and tokens that depend on the old one.',
    async run({ operands }, load) {
      const name = loginOf(operands)
      const config = load()
      return onDatabase(config, async (database) => {
        const user = await knownUser(database.repos, name)
        const { user_id: login } = user
        const password_hash = await readPasswordHash(config, user)
        const change = { user_id: login, password_hash, at: new Date() }
        const changed = await database.transaction(async (repos) => {
          const done = await changePassword(repos, change)
          if (done) await recordCommand(repos, 'password-change', change.at, { subject: login })
          return done
        })
        if (!changed) throw unknownUser(login)
        return `changed the password of ${login}\n`
      })
    }
  },
  'user role': {
    operands: ['LOGIN', 'ROLE'],
    about: `Set the role of a user: ${roles.join(' or ')}. The last administrator stays one.`,
    async run({ operands }, load) {
      const role = roleOf(operands[1])
      const { login } = await change(load(), loginOf(operands), { role })
      return `${login} is now ${role}\n`
    }
  },
  'user lock': {
    operands: ['LOGIN'],
    about:
      'Lock an account until it is unlocked, and end its sessions and tokens. The last administrator cannot be locked.',
    async run({ operands }, load) {
      const { login, events } = await change(load(), loginOf(operands), { locked: true })
      return events.length > 0 ? `locked ${login}\n` : `${login} was locked already\n`
    }
  },
  'user totp-off': {
    operands: ['LOGIN'],
    about: 'Switch off the second factor of a user who has lost it.',
    async run({ operands }, load) {
      const { login, events } = await change(load(), loginOf(operands), { second_factor: false })
      return events.length > 0
        ? `switched off the second factor of ${login}\n`
        : `${login} has no second factor\n`
    }
  },
  'user unlock': {
    operands: ['LOGIN'],
    about: 'Lift whatever locks a user: failed sign-ins, or an administrator.',
    async run({ operands }, load) {
      const { login, events } = await change(load(), loginOf(operands), { locked: false })
      return events.length > 0 ? `unlocked ${login}\n` : `${login} was not locked\n`
    }
  },
  'user remove': {
    operands: ['LOGIN'],
    about:
      'Remove a user for good, with all that is theirs: todos, memos, files, sessions, tokens, webhooks. Their reactions stay counted. The last administrator cannot be removed.',
    async run({ operands }, load) {
      const name = loginOf(operands)
      const config = load()
      return onDatabase(config, async ({ repos, transaction }) => {
        const { id, user_id: login } = await knownUser(repos, name)
        const files = await transaction(async (repos) => {
          const at = new Date()
          const removed = await removeAccount(repos, {
            id,
            by: {
              ...{ at: at.toISOString(), via: 'administrator', token_id: null, run: null },
              request_id: randomUUID()
            },
            ...lockoutAt(config, at.getTime())
          })
          if (removed === 'unknown') throw unknownUser(login)
          if (removed === 'last administrator') throw lastAdministrator(login)
          await recordCommand(repos, 'user-remove', at, { subject: login, detail: `${id}` })
          return removed.files
        })
        const left = await removeFiles(config, repos, files)
        return `removed ${login}${left}\n`
      })
    }
  }
}

/** Removes files whose rows are gone. Returns what is to be said of those that could not be removed. */
async function removeFiles(config: Config, repos: Repositories, files: { file: string }[]) {
  const store = await openStore(config, repos)
  try {
    for (const { file } of files) await store.remove(file)
    return ''
  } catch (error) {
    return `; the service will remove their files: ${(error as Error).message}`
  } finally {
    store.close?.()
  }
}

/** Changes a user. Fails if there is no such user, or if no administrator would be left. */
async function change(
  config: Config,
  name: string,
  wanted: { role?: Role; locked?: boolean; second_factor?: false }
) {
  return onDatabase(config, async ({ repos, transaction }) => {
    const { id, user_id: login } = await knownUser(repos, name)
    return transaction(async (repos) => {
      const at = new Date()
      const lockout = lockoutAt(config, at.getTime())
      const changed = await changeAccount(repos, { id, ...wanted, at, ...lockout })
      if (changed === 'unknown') throw unknownUser(login)
      if (changed === 'last administrator') throw lastAdministrator(login)
      if (changed === 'taken') throw new Error('another user has the address')
      for (const { event, ...what } of changed.events) {
        await recordCommand(repos, event, at, { subject: login, ...what })
      }
      return { login, events: changed.events }
    })
  })
}

const lastAdministrator = (login: string) =>
  new Error(`${login} is the last administrator who is not locked`)

const loginOf = ([login = '']: readonly string[]) =>
  checked('LOGIN', login, loginPattern, loginForm)

function roleOf(word: string | undefined) {
  const role = roles.find((known) => known === word)
  if (!role) throw new UsageError(`ROLE must be one of ${roles.join(', ')}`)
  return role
}

const addressOf = (login: string) => (login.includes('@') ? login : `${login}@localhost`)

/** On a terminal, asks twice without echo. Otherwise reads the first line of standard input. */
async function readPasswordHash({ SVC_BCRYPT_COST }: Config, owner: Owner) {
  return withSecrets(async (ask, isTerminal) => {
    const password = await ask('New password: ')
    const problem = await passwordProblem(password, owner)
    if (problem) throw new Error(`the password ${problem}`)
    const isRepeated = !isTerminal || (await ask('Repeat it: ')) === password
    if (!isRepeated) throw new Error('the two passwords differ')
    return hashPassword(password, SVC_BCRYPT_COST)
  })
}
