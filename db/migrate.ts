import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { declaredAreas } from '../schemas/area/declared.ts'
import { keepDeclared } from './declared/index.ts'
import { migrationFiles } from './migrations/files.ts'
import { migrations } from './migrations/index.ts'
import type { Tables } from './types.ts'

/** For a statement with a column or table that no migration has made: adds the remedy to the error. */
export const notMigrated = (cause: Error) =>
  new Error(`${cause.message}; a migration has to make it (db/migrations/index.ts)`, { cause })

/** How a database lets one process migrate while the others wait. The lock is a transaction, and ends with it. */
export interface Transaction {
  lock(): unknown
  commit(): unknown
  rollback(): unknown
}

interface MigrationLock extends Transaction {
  /** The schema with the tables of the migrations; SQLite has one. */
  schema?: string
}

const [oldestMigration = ''] = Object.keys(migrations)

/** Name of the newest migration that this version knows. */
export const newestMigration = Object.keys(migrations).at(-1) ?? ''

/**
 * Checks that every migration file is listed under its name, and that the numbers in the names follow
 * the order of the list. @throws Error that names the file and how to correct it.
 */
export function checkMigrations(names: string[], files: string[]) {
  const list = 'db/migrations/index.ts'
  for (const file of files) {
    const name = file.replace(/\.ts$/, '')
    if (!names.includes(name)) {
      throw new Error(
        `db/migrations/${file} is not listed: add it at the end of ${list} as '${name}'`
      )
    }
  }
  for (const [index, name] of names.entries()) {
    if (!files.includes(`${name}.ts`)) {
      throw new Error(`${list} lists '${name}', but there is no such file: give both one name`)
    }
    const before = names[index - 1] ?? ''
    if (name < before) {
      throw new Error(
        `db/migrations/${name}.ts sorts before '${before}', which ${list} has first: give it a later date`
      )
    }
    const number = String(index + 1).padStart(2, '0')
    if (!new RegExp(`^\\d{4}-\\d\\d-\\d\\d-${number}-[a-z0-9-]+$`).test(name)) {
      throw new Error(
        `db/migrations/${name}.ts must be named YYYY-MM-DD-${number}-what: it is number ${number} of ${list}`
      )
    }
  }
}

const listed = Object.fromEntries(
  Object.entries(migrations).map(([name, load]): [string, Migration] => [
    name,
    { up: async (db) => (await load()).up(db) }
  ])
)

/** Compares the migrations that a database has with the list. @throws Error that says what to do. */
async function checkApplied(migrator: Migrator) {
  const known = await migrator.getMigrations()
  const newest = known.findLast(({ executedAt }) => executedAt)?.name ?? ''
  const late = known.find(({ name, executedAt }) => !executedAt && name < newest)
  if (late) {
    throw new Error(
      `db/migrations/${late.name}.ts sorts before '${newest}', which the database has already: give it the next number, and list it last`
    )
  }
}

/**
 * Brings the schema up to date, in one transaction: if the process dies meanwhile, the schema is as
 * before. Processes that start together wait for each other.
 * Then makes the tables of declared areas.
 * @throws Error if the migrations are not in order, the database has one that is unknown here, or a declared area has
 * changed in a way that its rows do not allow.
 */
export async function migrate(
  db: Kysely<Tables>,
  { schema, lock, commit, rollback }: MigrationLock
) {
  checkMigrations(Object.keys(migrations), migrationFiles)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => listed },
    disableTransactions: true,
    ...(schema && { migrationTableSchema: schema })
  })
  await lock()
  try {
    await checkApplied(migrator)
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    await keepDeclared(db, declaredAreas())
    await commit()
  } catch (error) {
    await rollback()
    const reason = error instanceof Error ? error.message : String(error)
    const unknown = /previously executed migration (\S+) is missing/.exec(reason)?.[1]
    throw unknown ? new Error(whoMade(unknown)) : error
  }
}

/** Who made a database that has a migration that is unknown here, and what to do. */
const whoMade = (unknown: string) =>
  unknown < oldestMigration
    ? `it was made before the first release of Gatehouse (it has '${unknown}'): move SVC_DATA_DIR away, or name an empty database in SVC_DATABASE_URL, and start again`
    : `it was made by another version of Gatehouse (it has '${unknown}', which this one lacks): start that version, or a newer one`
