import { existsSync } from 'node:fs'
import { databaseFile } from '../db/sqlite/file.ts'
import { type Commands, columns } from './command.ts'

/** Commands on the whole database; they open it themselves. */
export const databaseCommands: Commands = {
  'database backup': {
    operands: ['FILE'],
    about: 'Copy the SQLite database to a new file. The service may be running.',
    async run({ operands: [file = ''] }, load) {
      const config = load()
      if (config.SVC_DATABASE_URL) throw new Error('use pg_dump for PostgreSQL')
      const { backupSqlite } = await import('../db/sqlite/backup.ts')
      const source = existing(databaseFile(config.SVC_DATA_DIR))
      await backupSqlite(source, file).catch((cause: Error) => {
        throw new Error(`cannot copy ${source} to ${file}: ${cause.message}`, { cause })
      })
      return `copied ${source} to ${file}\n`
    }
  },
  'database copy': {
    operands: [],
    about:
      'Copy every row of the SQLite database to the PostgreSQL database of SVC_DATABASE_URL, which must be empty. The service must not run.',
    async run(_words, load) {
      const config = load()
      if (!config.SVC_DATABASE_URL) throw new Error('SVC_DATABASE_URL is not set')
      const { copyToPostgres } = await import('../db/actions/copy.ts')
      const counts = await copyToPostgres(existing(databaseFile(config.SVC_DATA_DIR)), config)
      return columns([['TABLE', 'ROWS'], ...counts.map(({ table, rows }) => [table, `${rows}`])])
    }
  }
}

function existing(file: string) {
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  return file
}
