import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { checkMigrations, newestMigration } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open.ts'
import { loadConfig } from '../../fastify.config.ts'
import { emptyDatabase, isPostgres, runSql } from '../support/database.ts'
import { temporaryFolder } from '../support/helper.ts'

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
    /^cannot use the database [^\n]*: it was made by another version of Gatehouse \(it has '9999-12-31-later', which this one lacks\): start that version, or a newer one$/
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
    await t.rejects(openDatabase(config), { message })
    t.match(await runSql(config, 'SELECT name FROM kysely_migration'), [{ name }])
  })
}

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
