import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../db/folder.ts'
import { databaseFile } from '../db/sqlite/file.ts'
import { secretMark } from '../plugins/runtime/secret-mark.ts'
import { type Commands, columns, onDatabase, program } from './command.ts'

/** Commands on the whole database; they open it themselves. */
export const databaseCommands: Commands = {
  'database backup': {
    operands: ['FILE'],
    about:
      'Copy the SQLite database alone to a new file: no files, declared areas or generated secret, which backup has. The service may be running.',
    async run({ operands: [file = ''] }, load) {
      const config = load()
      if (config.SVC_DATABASE_URL) throw new Error('use pg_dump for PostgreSQL')
      const { backupSqlite } = await import('../db/sqlite/backup.ts')
      const source = existing(databaseFile(config.SVC_DATA_DIR))
      await backupSqlite(source, file).catch((cause: Error) => {
        throw new Error(`cannot copy ${source} to ${file}: ${cause.message}`, { cause })
      })
      return `copied ${source} to ${file}\nit has the database alone, without files, declared areas and a generated SVC_URL_SECRET: ${program} backup has all\n`
    }
  },
  'database restore': {
    operands: ['FILE'],
    about:
      'Replace the SQLite database by a backup, which is checked first, and copy the files of the folder uploads beside FILE, if there is one. The database before is kept beside it. The service must not run.',
    async run({ operands: [backup = ''] }, load) {
      const config = load()
      if (config.SVC_DATABASE_URL) throw new Error('use pg_restore for PostgreSQL')
      const { restoreSqlite } = await import('../db/sqlite/restore.ts')
      if (!statSync(existing(backup)).isFile()) throw new Error(`${backup} is not a file`)
      let copied = 0
      const before = await restoreSqlite(backup, databaseFile(config.SVC_DATA_DIR), () => {
        copied = copyMissing(join(dirname(backup), 'uploads'), join(config.SVC_DATA_DIR, 'uploads'))
      }).catch((cause: Error) => {
        throw new Error(`cannot restore ${backup}: ${cause.message}`, { cause })
      })
      const kept = before ? `; the database before is kept as ${before}` : ''
      return `restored ${backup}; uploads copied: ${copied}${kept}\n`
    }
  },
  'database accept-secret': {
    operands: [],
    about:
      'Take the SVC_URL_SECRET of now as the one of the database, after it was changed on purpose. What was sealed with the one before stays lost.',
    async run(_words, load) {
      const config = load()
      return onDatabase(config, async ({ repos }) => {
        await secretMark(config).accept(repos)
        return 'the SVC_URL_SECRET of now is the one of the database\n'
      })
    }
  },
  'database copy': {
    operands: [],
    about:
      'Copy every row of the SQLite database to the PostgreSQL database of SVC_DATABASE_URL, which must be empty. The service must not run.',
    async run(_words, load) {
      const config = load()
      if (!config.SVC_DATABASE_URL)
        throw new Error('SVC_DATABASE_URL is not set: it names the database to copy to')
      const { copyToPostgres } = await import('../db/actions/copy.ts')
      const counts = await copyToPostgres(existing(databaseFile(config.SVC_DATA_DIR)), config)
      return columns([['TABLE', 'ROWS'], ...counts.map(({ table, rows }) => [table, `${rows}`])])
    }
  }
}

/** Copies the files of a folder that another lacks; those of one name never differ. Returns how many. */
function copyMissing(from: string, to: string) {
  if (!existsSync(from)) return 0
  makeFolder(to)
  const files = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile())
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
  // By size too: a copy may have been cut off.
  const missing = files.filter(({ name }) => sizeOf(join(to, name)) !== sizeOf(join(from, name)))
  for (const { name } of missing) copyFileSync(join(from, name), join(to, name))
  return missing.length
}

function existing(file: string) {
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  return file
}
