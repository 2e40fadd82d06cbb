import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Database } from '../db/database.ts'
import { lockoutAt } from '../db/lockout.ts'
import { type Repositories, readsOf } from '../db/repositories/index.ts'
import { createChecker } from '../plugins/http/validation/checker.ts'
import type { Identity } from '../plugins/identity/identity.ts'
import { exported } from '../plugins/patterns/area/export.ts'
import { type Format, formats } from '../plugins/patterns/area/formats.ts'
import { importOf } from '../plugins/patterns/area/import.ts'
import { type FieldArea, ofDeclarations } from '../schemas/area/index.ts'
import type { Config } from '../schemas/config.ts'
import { kinds } from '../schemas/kinds.ts'
import { type Commands, knownUser, onDatabase, UsageError } from './command.ts'

/** After how many rows the command says how far it is. */
const toldEvery = 10_000

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
  const check = createChecker({ isEager: false }).checkOf<object>(area.created, 'body')
  const rows = importOf({ activity: { readable: () => kinds } }, area, check)
  const telling = (what: string) => ({
    tell(rows: number) {
      if (rows % toldEvery === 0 && process.stderr.isTTY)
        process.stderr.write(`${what} ${rows} rows\n`)
    }
  })
  const judged = await rows.check(file, telling('read'))
  const { left } = judged
  if (judged.faults.length > 0) return judged
  const viewer: Identity = { user, via: 'session', expiresAt: null, token: null }
  const actor = {
    user_id: user.id,
    at: new Date().toISOString(),
    via: 'session',
    token_id: null,
    run,
    request_id: run
  }
  let written: Pick<typeof judged, 'faults' | 'rows'> = judged
  const work = async (repos: Repositories) => {
    written = await rows.write({ repos, viewer, actor }, file, telling('wrote'))
    if (isDry || written.faults.length > 0) throw new NotKept()
  }
  await database.transaction(work).catch((error) => {
    if (!(error instanceof NotKept)) throw error
  })
  return { ...written, left }
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
        const { faults, rows, left } = await importRows(database, { area, file, user, run, isDry })
        if (faults.length > 0) {
          const told = faults.map(({ line, field, message }) =>
            [`${file}:${line}`, ...(field === undefined ? [] : [field]), `${message}\n`].join(': ')
          )
          return { code: 1, stdout: told.join(''), problem: 'nothing was added' }
        }
        const what = `${rows} ${rows === 1 ? area.kind : area.many}`
        const said = isDry ? `${what} can be added\n` : `added ${what} (run ${run})\n`
        return left.length > 0
          ? `${said}left out, as the service writes them: ${left.join(', ')}\n`
          : said
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
