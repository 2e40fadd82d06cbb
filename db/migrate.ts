import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import packageJson from '../package.json' with { type: 'json' }
import { declaredAreas } from '../schemas/area/declared.ts'
import { keepDeclared } from './declared/index.ts'
import { migrationFiles } from './migrations/files.ts'
import { migrations } from './migrations/index.ts'
import type { Tables } from './types.ts'

/** How a database lets one process migrate while the others wait. The lock is a transaction, and ends with it. */
export interface Transaction {
  lock(): unknown
  commit(): unknown
  rollback(): unknown
}

interface MigrationLock extends Transaction {
  /** The schema with the tables of the migrations; SQLite has one. */
  schema?: string
  /** Keeps a copy of a database that will be migrated, and returns its name. */
  copy?: () => Promise<string>
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

const migratorOf = (db: Kysely<Tables>, schema: string | undefined) =>
  new Migrator({
    db,
    provider: { getMigrations: async () => listed },
    disableTransactions: true,
    ...(schema && { migrationTableSchema: schema })
  })

/**
 * Compares the migrations that a database has with the list. Returns the newest that it has, empty if it is new, and
 * those that it lacks. @throws Error that says what to do.
 */
async function checkApplied(migrator: Migrator) {
  const known = await migrator.getMigrations()
  const newest = known.findLast(({ executedAt }) => executedAt)?.name ?? ''
  const late = known.find(({ name, executedAt }) => !executedAt && name < newest)
  if (late) {
    throw new Error(
      `db/migrations/${late.name}.ts sorts before '${newest}', which the database has already: give it the next number, and list it last`
    )
  }
  const due = known.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
  return { newest, due }
}

/** The newest migration that a database has, and those that the next start will make. Changes nothing. @throws Error as `migrate` */
export async function migrationsDue(db: Kysely<Tables>, schema?: string) {
  const found = await checkApplied(migratorOf(db, schema))
  if (found.newest !== '') {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name desc limit 1`.execute(db)
    const [{ name } = { name: '' }] = rows
    if (!(name in listed)) throw new Error(await whoMade(db, name))
  }
  return found
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
  { schema, lock, commit, rollback, copy }: MigrationLock
) {
  checkMigrations(Object.keys(migrations), migrationFiles)
  const migrator = migratorOf(db, schema)
  await lock()
  try {
    const { newest, due } = await checkApplied(migrator)
    const isOlder = newest !== '' && due.length > 0
    const kept = isOlder ? await copy?.() : undefined
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    await keepDeclared(db, declaredAreas())
    if (due.length > 0) await markVersion(db)
    await commit()
    if (!isOlder) return
    process.stderr.write(
      `gatehouse: the database was migrated from '${newest}' to '${newestMigration}'${kept ? `; ${kept} is a copy from before` : ''}\n`
    )
  } catch (error) {
    await rollback()
    const reason = error instanceof Error ? error.message : String(error)
    const unknown = /previously executed migration (\S+) is missing/.exec(reason)?.[1]
    throw unknown ? new Error(await whoMade(db, unknown)) : error
  }
}

/** The name under which a database keeps the version that migrated it last. */
export const versionMark = 'version'

/** Says which version migrated a database, for older ones that find it. */
async function markVersion(db: Kysely<Tables>) {
  const { version: value } = packageJson
  await db
    .insertInto('marks')
    .values({ name: versionMark, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Who made a database that has a migration that is unknown here, and what to do. */
async function whoMade(db: Kysely<Tables>, unknown: string) {
  if (unknown < oldestMigration)
    return `it was made before the first release of Gatehouse (it has '${unknown}'): move SVC_DATA_DIR away, or name an empty database in SVC_DATABASE_URL, and start again`
  const found = await db
    .selectFrom('marks')
    .select('value')
    .where('name', '=', versionMark)
    .executeTakeFirst()
    // A database of another program lacks the table.
    .catch(() => undefined)
  const made = found
    ? `Gatehouse ${found.value} has migrated it to '${unknown}'`
    : `another version of Gatehouse made it (it has '${unknown}')`
  return `${made}, and this is ${packageJson.version}, which ends at '${newestMigration}': start that version, or a newer one`
}
