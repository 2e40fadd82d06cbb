import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { isSea } from 'node:sea'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { changePassword } from './db/change-password.ts'
import { type Database, openDatabase } from './db/open.ts'
import { databaseFile, loadConfig } from './fastify.config.ts'
import { auditCommand } from './plugins/audit.ts'
import { hashPassword } from './plugins/passwords.ts'
import { type AuditEventName, auditEvents } from './schemas/audit.ts'
import type { Config } from './schemas/config.ts'
import { passwordProblem, type Role, roles } from './schemas/user.ts'

/** A command line that makes no sense: exit code 2, where any other failure is 1. */
class UsageError extends Error {}

/** What a command works on: the database, and the checked words of its command line. */
interface Context {
  database: Database
  config: Config
  login: string
  role: Role
  name: string | undefined
  email: string | undefined
  /** Login name to filter by. */
  user: string | undefined
  event: AuditEventName | undefined
  limit: number
}

type Command = {
  operands: string[]
  /** Options it takes, each with its value as help shows it. */
  options?: Record<string, string>
  about: string
} & (
  | {
      /** Returns what is printed. */
      run(context: Context): Promise<string>
      maintain?: undefined
    }
  | {
      /** The same for a command on the database as a whole, which is not open. */
      maintain(config: Config, operands: string[]): Promise<string>
      run?: undefined
    }
)

const commands: Record<string, Command> = {
  'user add': {
    operands: ['LOGIN'],
    options: { name: 'NAME', email: 'ADDRESS', role: roles.join('|') },
    about:
      'Add a user. NAME defaults to LOGIN, ADDRESS to LOGIN (or LOGIN@localhost), role to user.',
    async run({ database, config, login, role, name = login, email = addressOf(login) }) {
      const { users } = database.repos
      if (await users.find({ user_id: login })) throw new Error(`user ${login} exists already`)
      const password_hash = await readPasswordHash(config)
      const account = { user_id: login, user_name: name, e_mail: email, role, password_hash }
      const added = await users.insert({ ...account, ...timestamps() })
      if (!added) throw new Error(`another user has the address ${email}`)
      return `added ${role} ${login}\n`
    }
  },
  'user list': {
    operands: [],
    about: 'List all users.',
    async run({ database }) {
      const users = await database.repos.users.list()
      return columns([
        ['ID', 'LOGIN', 'ROLE', 'CREATED', 'ADDRESS', 'NAME'],
        ...users.map((u) => [`${u.id}`, u.user_id, u.role, u.created_at, u.e_mail, u.user_name])
      ])
    }
  },
  'user password': {
    operands: ['LOGIN'],
    about: 'Set the password of a user, and end the sessions and tokens that rest on the old one.',
    async run({ database, config, login }) {
      if (!(await database.repos.users.find({ user_id: login }))) throw unknownUser(login)
      const password_hash = await readPasswordHash(config)
      const change = { user_id: login, password_hash, at: new Date() }
      const changed = await database.transaction(async (repos) => {
        const done = await changePassword(repos, change)
        const event = auditCommand('password-change', change.at, { subject: login })
        if (done) await repos.audit.insert(event)
        return done
      })
      if (!changed) throw unknownUser(login)
      return `changed the password of ${login}\n`
    }
  },
  'user role': {
    operands: ['LOGIN', 'ROLE'],
    about: `Set the role of a user: ${roles.join(' or ')}.`,
    async run({ database, login, role }) {
      const at = new Date()
      const found = await database.transaction(async ({ users, audit }) => {
        const done = await users.setRole({ user_id: login, role, now: at.toISOString() })
        const event = auditCommand('role-change', at, { subject: login, detail: role })
        if (done) await audit.insert(event)
        return done
      })
      if (!found) throw unknownUser(login)
      return `${login} is now ${role}\n`
    }
  },
  'user unlock': {
    operands: ['LOGIN'],
    about: 'Forget the failed sign-ins that locked an account.',
    async run({ database, login }) {
      const cleared = await database.transaction(async ({ loginFailures, audit }) => {
        const done = await loginFailures.clear({ user_id: login })
        if (done) await audit.insert(auditCommand('unlock', new Date(), { subject: login }))
        return done
      })
      if (cleared) return `unlocked ${login}\n`
      if (!(await database.repos.users.find({ user_id: login }))) throw unknownUser(login)
      return `${login} was not locked\n`
    }
  },
  'database backup': {
    operands: ['FILE'],
    about: 'Copy the SQLite database to a new file, while the service may be running.',
    async maintain(config, [file = '']) {
      if (config.SVC_DATABASE_URL) throw new Error('use pg_dump for PostgreSQL')
      const { backupSqlite } = await import('./db/backup.ts')
      await backupSqlite(existing(databaseFile(config)), file)
      return `copied ${databaseFile(config)} to ${file}\n`
    }
  },
  'database copy': {
    operands: [],
    about:
      'Copy every row of the SQLite database to the PostgreSQL database of SVC_DATABASE_URL, which must have none. The service must not run.',
    async maintain(config) {
      if (!config.SVC_DATABASE_URL) throw new Error('SVC_DATABASE_URL is not set')
      const { copyToPostgres } = await import('./db/copy.ts')
      const counts = await copyToPostgres(existing(databaseFile(config)), config)
      return columns([['TABLE', 'ROWS'], ...counts.map(({ table, rows }) => [table, `${rows}`])])
    }
  },
  audit: {
    operands: [],
    options: { user: 'LOGIN', event: 'EVENT', limit: 'NUMBER' },
    about: `Show the audit trail, newest first. EVENT is one of ${auditEvents.join(', ')}.`,
    async run({ database: { repos }, user, event, limit }) {
      const found = user === undefined ? undefined : await repos.users.find({ user_id: user })
      if (user !== undefined && !found) throw unknownUser(user)
      const before = Number.MAX_SAFE_INTEGER
      const events = await repos.audit.list({ before, limit, event, user_id: found?.id })
      return columns([
        ['TIME', 'EVENT', 'USER', 'VIA', 'ADDRESS', 'SUBJECT', 'DETAIL', 'REQUEST'],
        ...events.map((e) =>
          [
            e.created_at,
            e.event,
            e.user_id,
            e.via,
            e.address,
            e.subject,
            e.detail,
            e.request_id
          ].map((cell) => `${cell ?? '-'}`)
        )
      ])
    }
  }
}

const addressOf = (login: string) => (login.includes('@') ? login : `${login}@localhost`)

function existing(file: string) {
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  return file
}

const unknownUser = (login: string) => new Error(`there is no user ${login}`)

function timestamps() {
  const now = new Date()
  return { now: now.toISOString(), now_ms: now.getTime() }
}

/** Left-aligned columns, two spaces apart. */
function columns(rows: string[][]) {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(width(i))).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

/** Asks twice and without echo on a terminal; elsewhere takes the first line of standard input. */
async function readPasswordHash({ SVC_BCRYPT_COST }: Config) {
  const { stdin: input, stderr } = process
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = input.isTTY === true
  const reader = createInterface({ input, output, terminal, historySize: 0 })
  const lines = reader[Symbol.asyncIterator]()
  const ask = async (prompt: string) => {
    if (terminal) stderr.write(prompt)
    const line = await lines.next()
    if (terminal) stderr.write('\n')
    if (line.done) throw new Error('no password was given')
    return line.value
  }
  try {
    const password = await ask('New password: ')
    const problem = passwordProblem(password)
    if (problem) throw new Error(`the password ${problem}`)
    const isRepeated = !terminal || (await ask('The same again: ')) === password
    if (!isRepeated) throw new Error('the two passwords differ')
    return await hashPassword(password, SVC_BCRYPT_COST)
  } finally {
    reader.close()
  }
}

/** Of one command, or of all. */
function help(only: string | undefined) {
  const shown = Object.entries(commands).filter(([name]) => name === (only ?? name))
  const usage = shown.map(([name, { operands, options = {}, about }]) => {
    const optional = Object.entries(options).map(([option, value]) => `[--${option} ${value}]`)
    return `  ${[name, ...operands, ...optional].join(' ')}\n      ${about}\n`
  })
  const start = isSea()
    ? 'gatehouse COMMAND (without one it runs the service)'
    : 'npm run cli -- COMMAND'
  return `Usage: ${start}\n\n${usage.join('')}
Passwords are asked for, or taken from the first line of standard input; never from arguments.
SVC_* variables say which database, as for the service, which may be running meanwhile.
`
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const options = {
    name: text,
    email: text,
    role: text,
    user: text,
    event: text,
    limit: text,
    help: { type: 'boolean' }
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    // Its first line; Node adds advice.
    throw new UsageError(String(error).replace(/^.*?\]: |[.\n].*/gs, ''))
  }
}

/** Ends with a usage error where a word would not do as that part of an account. */
function check(what: string, word: string | undefined, pattern: RegExp) {
  if (word !== undefined && !pattern.test(word)) throw new UsageError(`${what} is not valid`)
}

async function run(args: string[]): Promise<string> {
  const { values, positionals } = parse(args)
  // `user add` or `audit`.
  const words = Object.hasOwn(commands, String(positionals[0])) ? 1 : 2
  const name = positionals.slice(0, words).join(' ')
  const operands = positionals.slice(words)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const isArea = ['', 'user', 'database'].includes(name)
  if (values.help && (command || isArea)) return help(command && name)
  if (isArea) throw new UsageError('a command is missing')
  if (!command) throw new UsageError(`unknown command ${name}`)

  const foreign = Object.keys(values).find((option) => !(option in (command.options ?? {})))
  if (foreign) throw new UsageError(`${name} takes no option --${foreign}`)
  const missing = command.operands[operands.length]
  if (missing) throw new UsageError(`${name} needs ${missing}`)
  // What is too much is not shown: it may be a password.
  if (operands.length > command.operands.length) throw new UsageError('too many arguments')
  const [login = '', roleName = values.role ?? 'user'] = operands
  const role = roles.find((known) => known === roleName)
  if (!role) throw new UsageError(`ROLE is one of ${roles.join(', ')}`)
  if (command.operands.includes('LOGIN')) check('LOGIN', login, /^[^\s\p{Cc}]{1,255}$/u)
  check('NAME', values.name, /^(?=.*\S)\P{Cc}{1,255}$/u)
  // Without the characters that mail headers give a meaning (RFC 5322 §3.2.3): one address, never two.
  const part = String.raw`[^\s\p{Cc}@,;:<>()[\]\\"]+`
  const address = command.options?.email && (values.email ?? addressOf(login))
  check('ADDRESS', address, new RegExp(`^(?=.{3,255}$)${part}@${part}$`, 'u'))

  const event = auditEvents.find((known) => known === values.event)
  if (values.event !== undefined && !event)
    throw new UsageError('EVENT is not known (see audit --help)')
  check('NUMBER', values.limit, /^[1-9]\d{0,5}$/)

  const config = loadConfig()
  if (command.maintain) return command.maintain(config, operands)
  const database = await openDatabase(config)
  try {
    const { name: userName, email, user, limit = '100' } = values
    return await command.run({
      database,
      config,
      login,
      role,
      name: userName,
      email,
      user,
      event,
      limit: Number(limit)
    })
  } finally {
    await database.close()
  }
}

try {
  process.stdout.write(await run(process.argv.slice(2)))
} catch (error) {
  const { message } = error instanceof Error ? error : new Error(String(error))
  const isUsage = error instanceof UsageError
  process.stderr.write(`gatehouse: ${message}${isUsage ? ' (see --help)' : ''}\n`)
  process.exitCode = isUsage ? 2 : 1
}
