import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Database } from '../db/database.ts'
import { lockoutAt } from '../db/lockout.ts'
import { type Repositories, readsOf } from '../db/repositories/index.ts'
import { Failure } from '../plugins/http/errors/index.ts'
import { createChecker } from '../plugins/http/validation/checker.ts'
import type { Identity } from '../plugins/identity/identity.ts'
import { exported } from '../plugins/patterns/area/export.ts'
import { type Format, formats } from '../plugins/patterns/area/formats.ts'
import { type Found, recordsOf } from '../plugins/patterns/area/records.ts'
import { writesOf } from '../plugins/patterns/area/writes.ts'
import { type FieldArea, ofDeclarations } from '../schemas/area/index.ts'
import type { Config } from '../schemas/config.ts'
import type { Detail } from '../schemas/failures.ts'
import { kinds } from '../schemas/kinds.ts'
import { type Commands, knownUser, onDatabase, UsageError } from './command.ts'

/** How many faults of a file are told. */
const maxFaults = 20
/** After how many rows the command says how far it is. */
const toldEvery = 10_000

interface Fault {
  line: number
  what: string
}

function areaNamed(name: string): FieldArea {
  const found = ofDeclarations.find(({ one }) => one === name)
  if (!found) throw new UsageError(`there is no declared area ${name}`)
  return found
}

/** Whose rows: of this login, or of the only user. */
async function ownerOf(repos: Repositories, config: Config, login: string | undefined) {
  if (login !== undefined) return knownUser(repos, login)
  const users = await repos.userAccounts.list(lockoutAt(config, Date.now()))
  const [only, ...others] = users
  if (!only || others.length > 0) throw new UsageError('say whose rows they are: --user LOGIN')
  return knownUser(repos, only.user_id)
}

const described = ({ field, message }: Detail) => (field ? `${field}: ${message}` : message)

/** What is wrong with a row, in words. */
const faultsOf = (line: number, { code, data }: Failure): Fault[] => {
  const { details, message = code }: { details?: Detail[]; message?: string } = data ?? {}
  return (details?.map(described) ?? [message]).map((what) => ({ line, what }))
}

/** The rows of a file that may have none but these members. */
function checkerOf({ created, row }: FieldArea) {
  const check = createChecker({ isEager: false }).checkOf<object>(created, 'body')
  return ({ line, value, problem }: Found): { faults: Fault[]; value: object } => {
    if (problem !== undefined) return { faults: [{ line, what: problem }], value: {} }
    const names = Object.keys(Object(value))
    const unknown = names.filter((name) => !Object.hasOwn(row.properties, name))
    const { failure, value: body } = check(value)
    const faults = [
      ...unknown.map((name) => ({ line, what: `there is no field ${name}` })),
      ...(failure ? faultsOf(line, failure) : [])
    ]
    return { faults, value: body ?? {} }
  }
}

interface Import {
  area: FieldArea
  file: string
  user: Identity['user']
  run: string
  isDry: boolean
}

/** Thrown to end a transaction that is not kept. */
class NotKept extends Error {}

async function importRows(database: Database, { area, file, user, run, isDry }: Import) {
  const judge = checkerOf(area)
  const records = () => recordsOf(createReadStream(file, 'utf8'), area.fields)
  const faults: Fault[] = []
  let rows = 0
  const tell = (what: string) => {
    if (rows % toldEvery === 0 && process.stderr.isTTY)
      process.stderr.write(`${what} ${rows} rows\n`)
  }
  for await (const record of records()) {
    faults.push(...judge(record).faults)
    rows++
    tell('read')
    if (faults.length >= maxFaults) break
  }
  if (faults.length > 0) return { faults, rows }

  const write = writesOf({ activity: { readable: () => kinds } }, area, area.max)
  const viewer: Identity = { user, via: 'session', expiresAt: null, token: null }
  const actor = {
    at: new Date().toISOString(),
    via: 'session',
    token_id: null,
    run,
    request_id: run
  }
  const work = async (repos: Repositories) => {
    rows = 0
    faults.length = 0
    for await (const record of records()) {
      const { value } = judge(record)
      try {
        await write.create({ repos, viewer, actor }, value as Record<string, unknown>)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        faults.push(...faultsOf(record.line, error))
        // Each that follows has no room either.
        if (error.data?.reason === 'quota') break
      }
      rows++
      tell('wrote')
      if (faults.length >= maxFaults) break
    }
    if (isDry || faults.length > 0) throw new NotKept()
  }
  await database.transaction(work).catch((error) => {
    if (!(error instanceof NotKept)) throw error
  })
  return { faults, rows }
}

export const areaRowCommands: Commands = {
  'area import': {
    operands: ['NAME', 'FILE'],
    options: { user: 'LOGIN', 'dry-run': '' },
    about:
      'Add the rows of a file to a declared area, in the name of a user: a list of JSON, lines of JSON, or CSV with a header, as area export writes them. All rows are added, or none: the first faults are told by line and field. With --dry-run nothing is kept. The service may be running; on SQLite its writes wait meanwhile.',
    async run({ operands: [name = '', file = ''], options }, load) {
      const config = load()
      const area = areaNamed(name)
      const isDry = options['dry-run'] !== undefined
      return onDatabase(config, async (database) => {
        const user = await ownerOf(database.repos, config, options.user)
        const run = `import-${randomUUID()}`
        const { faults, rows } = await importRows(database, { area, file, user, run, isDry })
        if (faults.length > 0) {
          const told = faults
            .slice(0, maxFaults)
            .map(({ line, what }) => `${file}:${line}: ${what}\n`)
          return { code: 1, stdout: told.join(''), problem: 'nothing was added' }
        }
        if (isDry) return `${rows} ${area.many} can be added\n`
        return `added ${rows} ${area.many} (run ${run})\n`
      })
    }
  },
  'area export': {
    operands: ['NAME'],
    options: { format: formats.join('|'), user: 'LOGIN' },
    about:
      'Print all rows of a declared area that a user has, oldest first: JSON, or CSV for spreadsheets.',
    async run({ operands: [name = ''], options: { format = 'json', user: login } }, load) {
      const config = load()
      const area = areaNamed(name)
      if (!formats.some((one) => one === format))
        throw new UsageError(`--format is one of ${formats.join(', ')}`)
      return onDatabase(config, async ({ repos }) => {
        const user = await ownerOf(repos, config, login)
        const what = { user_id: user.id, format: format as Format }
        for await (const text of exported(readsOf(repos, area), area, what))
          if (!process.stdout.write(text)) await once(process.stdout, 'drain')
        return ''
      })
    }
  }
}
