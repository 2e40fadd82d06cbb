import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import t, { type Test } from 'tap'
import { checkMigrations, newestMigration } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { openDatabase } from '../../db/open.ts'
import { databaseFile } from '../../db/sqlite/file.ts'
import { schemaOf } from '../../db/sqlite/snapshot.ts'
import type { Tables } from '../../db/types.ts'
import { loadConfig } from '../../fastify.config.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { emptyDatabase, isPostgres, onSqlite, runSql } from '../support/database.ts'
import { temporaryFolder } from '../support/helper.ts'
import { runServer, server, startServer } from '../support/server-process.ts'

const first = '2026-11-22-01-users'
const refused: [title: string, names: string[], files: string[], message: string][] = [
  [
    'not listed',
    [first],
    [first, '2026-11-22-02-due-on'],
    "db/migrations/2026-11-22-02-due-on.ts is not listed: add it at the end of db/migrations/index.ts as '2026-11-22-02-due-on'"
  ],
  [
    'listed under another name',
    [first, '2026-11-22-02-due-on'],
    [first],
    "db/migrations/index.ts lists '2026-11-22-02-due-on', but there is no such file: give both one name"
  ],
  [
    'misnumbered',
    [first, '2026-11-22-03-due-on'],
    [first, '2026-11-22-03-due-on'],
    'db/migrations/2026-11-22-03-due-on.ts must be named YYYY-MM-DD-02-what: it is number 02 of db/migrations/index.ts'
  ],
  [
    'without a number',
    [first, '2026-11-22-due-on'],
    [first, '2026-11-22-due-on'],
    'db/migrations/2026-11-22-due-on.ts must be named YYYY-MM-DD-02-what: it is number 02 of db/migrations/index.ts'
  ],
  [
    'out of order',
    [first, '2026-11-21-02-due-on'],
    [first, '2026-11-21-02-due-on'],
    `db/migrations/2026-11-21-02-due-on.ts sorts before '${first}', which db/migrations/index.ts has first: give it a later date`
  ]
]

for (const [title, names, files, message] of refused) {
  t.test(`a migration that is ${title} stops the start, with file and remedy`, async (t) => {
    t.throws(
      () =>
        checkMigrations(
          names,
          files.map((name) => `${name}.ts`)
        ),
      { message }
    )
  })
}

t.test('a migration older than one that was run stops the start', async (t) => {
  const config = loadConfig({
    SVC_DATA_DIR: temporaryFolder(t),
    SVC_DATABASE_URL: isPostgres ? await emptyDatabase(t) : ''
  })
  await (await openDatabase(config)).close()
  await runSql(config, "DELETE FROM kysely_migration WHERE name LIKE '%-01-users'")
  await t.rejects(openDatabase(config), {
    message: new RegExp(
      `db/migrations/${first}.ts sorts before '${newestMigration}', which the database has already: give it the next number`
    )
  })
})

const unknown: [title: string, name: string, message: RegExp][] = [
  [
    'made before the first release',
    '2026-11-21-01-users',
    /^cannot use the database [^\n]*: it was made before the first release of Gatehouse \(it has '2026-11-21-01-users'\): move SVC_DATA_DIR away, or name an empty database in SVC_DATABASE_URL, and start again$/
  ],
  [
    'of a later version',
    '9999-12-31-later',
    new RegExp(
      `^cannot use the database [^\\n]*: Gatehouse 99\\.0\\.0 has migrated it to '9999-12-31-later', and this is ${packageJson.version}, which ends at '${newestMigration}': start that version, or a newer one$`
    )
  ]
]

for (const [title, name, message] of unknown) {
  t.test(`a database ${title} is refused in one line, and left as it is`, async (t) => {
    const config = loadConfig({
      SVC_DATA_DIR: temporaryFolder(t),
      SVC_DATABASE_URL: isPostgres ? await emptyDatabase(t) : ''
    })
    await (await openDatabase(config)).close()
    await runSql(config, `DELETE FROM kysely_migration WHERE name <> '${newestMigration}'`)
    await runSql(config, `UPDATE kysely_migration SET name = '${name}'`)
    await runSql(config, "UPDATE marks SET value = '99.0.0' WHERE name = 'version'")
    await t.rejects(openDatabase(config), { message })
    t.match(await runSql(config, 'SELECT name FROM kysely_migration'), [{ name }])
  })
}

/** A database as the version before the newest migration left it. */
async function older(t: Test) {
  const place = { SVC_DATA_DIR: temporaryFolder(t), SVC_DATABASE_URL: '' }
  const database = new SQLite(join(place.SVC_DATA_DIR, 'gatehouse.db'))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  const all = await Promise.all(
    Object.entries(migrations).map(async ([name, load]) => [name, await load()] as const)
  )
  const getMigrations = async () => Object.fromEntries(all.slice(0, -1))
  await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()
  await db.destroy()
  return { place, newest: all.at(-2)?.[0] ?? '' }
}

t.test('--check says what the next start migrates, and changes nothing', onSqlite, async (t) => {
  const { place, newest } = await older(t)
  const { code, stdout, stderr } = await runServer(t, place, {
    ...server,
    args: [...server.args, '--check']
  })
  t.same({ code, stderr }, { code: 0, stderr: '' })
  t.equal(
    stdout,
    `gatehouse: configuration, schemas and statements have no mistake
gatehouse: the next start migrates the database from '${newest}' to '${newestMigration}', and keeps a copy of it
`
  )
  t.same(readdirSync(place.SVC_DATA_DIR), ['gatehouse.db'])
  t.equal(schemaOf(databaseFile(place.SVC_DATA_DIR)), newest)
})

t.test('a database is copied before it is migrated, once', onSqlite, async (t) => {
  const { place, newest } = await older(t)
  const copy = `${databaseFile(place.SVC_DATA_DIR)}.before-migration`
  const { child, exit, stderr } = await startServer(t, place)
  child.kill('SIGTERM')
  await exit
  t.match(await stderr, `'${newest}' to '${newestMigration}'; ${copy} is a copy from before\n`)
  t.equal(schemaOf(copy), newest)
  t.equal(statSync(copy).mode & 0o777, 0o600)
  rmSync(copy)
  await (await openDatabase(loadConfig(place))).close()
  t.notOk(existsSync(copy), 'there was nothing to migrate')
})

t.test('released migrations are as they were released', async (t) => {
  const folder = new URL('../../db/migrations/', import.meta.url)
  // Written by `npm run docs:release`; empty before the first release.
  const released = readFileSync(new URL('released.sha256', folder), 'utf8')
  for (const [, sum, name = ''] of released.matchAll(/^(\w{64}) {2}(.+)$/gm)) {
    const file = new URL(name, folder)
    const now = existsSync(file) ? hash('sha256', readFileSync(file)) : 'no file'
    t.equal(now, sum, `db/migrations/${name} was released: leave it as it was, and add a migration`)
  }
})
