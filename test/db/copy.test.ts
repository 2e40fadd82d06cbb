import { spawnSync } from 'node:child_process'
import fs, { readdirSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openDatabase } from '../../db/open.ts'
import { databaseFile, lockFile } from '../../db/sqlite/file.ts'
import { takeFile } from '../../db/sqlite/file-lock.ts'
import { openSqlite } from '../../db/sqlite/index.ts'
import { loadConfig } from '../../fastify.config.ts'
import { runInProcess } from '../support/command.ts'
import { emptyDatabase, freshPlace, onPostgres, type Place, runSql } from '../support/database.ts'
import { upload } from '../support/form.ts'
import { signIn, startService, temporaryFolder } from '../support/helper.ts'
import { todoRow } from '../support/todo.ts'

const cli = new URL('../../cli.ts', import.meta.url).pathname

// A folder without `.env`.
process.chdir(temporaryFolder(t))

const run = (place: Partial<Place>, ...args: string[]) => runInProcess(place, ['database', ...args])

/** A service on SQLite with rows of most kinds, and a signed-in administrator. */
async function startUsed(t: Test) {
  const service = await startService(t, { SVC_DATABASE_URL: '' })
  const admin = await signIn(service.app, 'admin')
  for (const title of ['deleted later', 'Grüße 👋', 'done'])
    await admin.send('POST', '/todo/index', { title })
  await admin.send('PATCH', '/todo/item/id_3', { is_completed: true })
  await admin.send('POST', '/todo/index', { title: 'the last id, deleted' })
  for (const id of [1, 4]) await admin.send('DELETE', `/todo/item/id_${id}`)
  await admin.send('POST', '/memo/index', { body: 'x\ny' })
  await admin.send('POST', '/admin/featureflag/index', { flag_name: 'f', rollout_pct: 50 })
  await admin.send('PUT', '/admin/featureflag/override/id_2', { flag_name: 'f', is_enabled: true })
  return { ...service, admin }
}

const seen = ['/todo/index', '/memo/index', '/admin/featureflag/index', '/featureflag/index']

t.test('database copy moves a service to PostgreSQL, sessions included', onPostgres, async (t) => {
  const { app, place, admin } = await startUsed(t)
  const answers = async (send: typeof admin.send) =>
    Promise.all(seen.map(async (url) => (await send('GET', url)).json()))
  const before = await answers(admin.send)
  await app.close()

  const both = { ...place, SVC_DATABASE_URL: await emptyDatabase(t) }
  const { code, stdout, stderr } = await run(both, 'copy')
  t.same({ code, stderr }, { code: 0, stderr: '' })
  t.match(stdout, /^TABLE +ROWS\n/)
  for (const [table, count] of [
    ['users', 2],
    ['todos', 2],
    ['sessions', 1],
    ['flag_overrides', 1]
  ]) {
    t.match(stdout, new RegExp(`^${table} +${count}$`, 'm'))
  }

  const moved = await startService(t, both)
  const send: typeof admin.send = (method, url, payload) =>
    moved.app.inject({
      method,
      url,
      headers: { cookie: admin.cookie, 'x-csrf-token': admin.csrfToken },
      ...(payload !== undefined && { payload: JSON.stringify(payload) })
    })
  t.same(await answers(send), before)
  const { todo } = (await send('POST', '/todo/index', { title: 'new' })).json().Data
  t.equal(todo.id, 5, 'an id that was used is not given again')

  const again = await run(both, 'copy')
  t.equal(again.code, 1)
  t.match(again.stderr, /^gatehouse: table \w+ of the PostgreSQL database has rows already\n$/)
})

t.test('a copy that fails names the row, and leaves nothing behind', onPostgres, async (t) => {
  const { app, place, sql } = await startUsed(t)
  await app.close()
  // SQLite does not check that it is a time.
  await sql(`UPDATE todos SET created_at = 'no time' WHERE id = 3`)
  const both = { ...place, SVC_DATABASE_URL: (await freshPlace(t)).SVC_DATABASE_URL }
  const { code, stderr } = await run(both, 'copy')
  t.equal(code, 1)
  t.match(stderr, /^gatehouse: table todos, the row with id 3: [^\n]*no time[^\n]*\n$/)
  t.same(await runSql(both, 'SELECT * FROM users'), [])
})

t.test('database backup copies the state of one moment, while writes go on', async (t) => {
  const { app, place, folder, admin } = await startUsed(t)
  const file = join(folder, 'backup.db')
  let writing = true
  const writes = (async () => {
    while (writing) await admin.send('POST', '/todo/index', { title: 'meanwhile' })
  })()
  const config = loadConfig(place)
  const { backupSqlite } = await import('../../db/sqlite/backup.ts')
  await backupSqlite(join(folder, 'gatehouse.db'), file)
  writing = false
  await writes
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.same(
    readdirSync(folder).filter((name) => name.includes('.part')),
    []
  )
  await app.close()

  const restored = await openSqlite(file)
  t.teardown(() => restored.close())
  const todos = await restored.repos.todos.list({ user_id: 1, limit: 500, before: 1e6 })
  t.same(todos.at(-1), todoRow(2, 'Grüße 👋'))
  const original = await openDatabase(config)
  t.teardown(() => original.close())
  t.ok(todos.length >= 2)
  const check = new SQLite(file, { readonly: true })
  t.teardown(() => check.close())
  t.same(check.pragma('integrity_check'), [{ integrity_check: 'ok' }])
})

t.test('of backups to one name one is whole, the others say that the file exists', async (t) => {
  const { folder } = await startService(t, { SVC_DATABASE_URL: '' })
  const into = temporaryFolder(t)
  const file = join(into, 'backup.db')
  const { backupSqlite } = await import('../../db/sqlite/backup.ts')
  const failures: string[] = []
  const backups: Promise<unknown>[] = []
  // They begin at different moments of the first one.
  for (let count = 0; count < 20; count++) {
    const backup = backupSqlite(join(folder, 'gatehouse.db'), file)
    backups.push(backup.catch(({ message }) => failures.push(message)))
    await turn()
  }
  await Promise.all(backups)
  t.equal(failures.length, 19)
  t.same(
    failures.filter((message) => message !== `${file} exists already`),
    []
  )
  t.same(readdirSync(into), ['backup.db'])
  t.equal(statSync(file).mode & 0o777, 0o600)
  const check = new SQLite(file, { readonly: true })
  t.teardown(() => check.close())
  t.same(check.pragma('integrity_check'), [{ integrity_check: 'ok' }])
})

t.test('a backup needs no hard links, which some file systems lack', async (t) => {
  const { folder } = await startService(t, { SVC_DATABASE_URL: '' })
  const into = temporaryFolder(t)
  const file = join(into, 'backup.db')
  const { linkSync } = fs
  t.teardown(() => {
    fs.linkSync = linkSync
    syncBuiltinESMExports()
  })
  let refused = 0
  fs.linkSync = () => {
    refused++
    throw new Error('EPERM: operation not permitted')
  }
  syncBuiltinESMExports()
  const { backupSqlite } = await import('../../db/sqlite/backup.ts')
  await backupSqlite(join(folder, 'gatehouse.db'), file)
  t.equal(refused, 1)
  t.same(readdirSync(into), ['backup.db'])
  t.equal(statSync(file).mode & 0o777, 0o600)
  const check = new SQLite(file, { readonly: true })
  t.teardown(() => check.close())
  t.same(check.pragma('integrity_check'), [{ integrity_check: 'ok' }])
})

t.test('a backup that finds no room leaves nothing, and can be tried again', async (t) => {
  const { place } = await startService(t, { SVC_DATABASE_URL: '' })
  const into = temporaryFolder(t)
  const file = join(into, 'backup.db')
  // The limit of 128 blocks of 512 bytes stands for a full disk: SQLite's writes fail.
  const command = [process.execPath, cli, 'database', 'backup', file]
  const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 128; exec "$@"', '-', ...command], {
    env: { SVC_ENV: 'test', SVC_DATA_DIR: place.SVC_DATA_DIR },
    encoding: 'utf8'
  })
  t.equal(status, 1)
  t.match(stderr, /^gatehouse: [^\n]+\n$/)
  t.same(readdirSync(into), [])
  t.match(await run(place, 'backup', file), { code: 0, stderr: '' })
  t.ok(statSync(file).size > 128 * 1024, 'larger than the limit')
})

t.test('database restore brings back rows and files, and keeps the database before', async (t) => {
  const { app, place, folder, admin } = await startUsed(t)
  t.equal((await upload(app, admin, 'kept')).statusCode, 200)
  const backups = temporaryFolder(t)
  const file = join(backups, 'gatehouse.db')
  t.match(await run(place, 'backup', file), { code: 0 })
  fs.cpSync(join(folder, 'uploads'), join(backups, 'uploads'), { recursive: true })
  await admin.send('POST', '/todo/index', { title: 'after the backup' })
  const database = join(folder, 'gatehouse.db')
  t.same(await run(place, 'restore', file), {
    ...{ code: 1, stdout: '' },
    stderr: `gatehouse: cannot restore ${file}: ${database} is in use: stop the service first\n`
  })
  await app.close()

  // The log of a process that was killed belongs to the database before, not to the backup.
  const killed = new SQLite(database)
  killed.exec("UPDATE users SET user_name = 'changed'")
  fs.copyFileSync(`${database}-wal`, join(backups, 'log'))
  killed.close()
  fs.copyFileSync(join(backups, 'log'), `${database}-wal`)
  fs.rmSync(join(folder, 'uploads'), { recursive: true })
  const { code, stdout, stderr } = await run(place, 'restore', file)
  t.same({ code, stderr }, { code: 0, stderr: '' })
  const [, before = ''] = /^restored \S+; uploads copied: 1; .* kept as (\S+)\n$/.exec(stdout) ?? []
  t.equal(readdirSync(folder).filter((name) => /wal|shm|part/.test(name)).length, 0)
  t.equal(statSync(database).mode & 0o777, 0o600)
  const titles = async (of: string) => {
    const opened = await openSqlite(of)
    const todos = await opened.repos.todos.list({ user_id: 1, limit: 500, before: 1e6 })
    await opened.close()
    return todos.map(({ title }) => title)
  }
  t.same(await titles(database), ['done', 'Grüße 👋'])
  t.same(await titles(before), ['after the backup', 'done', 'Grüße 👋'])
  t.same(await runSql(place, "SELECT * FROM users WHERE user_name = 'changed'"), [])
  const [{ file: name } = {}] = await runSql(place, 'SELECT file FROM attachments')
  t.equal(fs.readFileSync(join(folder, 'uploads', String(name)), 'utf8'), 'kept')

  // What a damaged disk leaves is no reason to refuse.
  fs.writeFileSync(database, 'not a database')
  t.match(await run(place, 'restore', file), { code: 0, stdout: /uploads copied: 0;/ })
  t.same(await titles(database), ['done', 'Grüße 👋'])
})

t.test('no service starts while a backup is restored', async (t) => {
  const place = { ...(await freshPlace(t)), SVC_DATABASE_URL: '' }
  const config = loadConfig(place)
  const file = databaseFile(config.SVC_DATA_DIR)
  const lock = takeFile(lockFile(file), 'EXCLUSIVE')
  await t.rejects(openDatabase(config), { message: /cannot use .*: a backup is being restored$/ })
  lock?.close()
  const services = [await openDatabase(config), await openDatabase(config)]
  t.equal(takeFile(lockFile(file), 'EXCLUSIVE'), undefined)
  for (const service of services) await service.close()
  const free = takeFile(lockFile(file), 'EXCLUSIVE')
  t.ok(free)
  free?.close()
})

t.test('database restore refuses what is no intact backup, and changes nothing', async (t) => {
  const { place, app, folder } = await startUsed(t)
  const into = temporaryFolder(t)
  const make = async (name: string, change: (file: string) => void) => {
    const file = join(into, name)
    await run(place, 'backup', file)
    change(file)
    return file
  }
  const sql = (text: string) => (file: string) => {
    const database = new SQLite(file)
    database.exec(text)
    database.close()
  }
  const newer = "INSERT INTO kysely_migration VALUES ('2999-01-01-future', '2999-01-01')"
  const cases = [
    ['/no/file', /there is no \/no\/file/],
    [into, /\S+ is not a file/],
    [await make('text', (file) => fs.writeFileSync(file, 'text'.repeat(999))), /not a database/],
    [await make('empty', (file) => fs.truncateSync(file)), /it is not a database of Gatehouse/],
    [await make('cut', (file) => fs.truncateSync(file, 20_480)), /malformed|it is damaged/],
    [await make('other', sql('DROP TABLE kysely_migration')), /it is not a database of Gatehouse/],
    [
      await make('newer', sql(newer)),
      /Gatehouse [\d.]+ has migrated it to '2999-01-01-future', and this is/
    ]
  ] as const
  await app.close()
  const database = join(folder, 'gatehouse.db')
  const before = fs.readFileSync(database)
  const names = readdirSync(folder)
  for (const [file, reason] of cases) {
    const { code, stdout, stderr } = await run(place, 'restore', file)
    t.same({ code, stdout }, { code: 1, stdout: '' }, file)
    t.match(stderr, new RegExp(`^gatehouse: [^\\n]*(${reason.source})[^\\n]*\\n$`))
    t.ok(fs.readFileSync(database).equals(before))
    t.same(readdirSync(folder), names, 'no draft is left')
  }
})

t.test('the commands refuse mistakes, in one line', async (t) => {
  const { place, folder } = await startService(t, { SVC_DATABASE_URL: '' })
  const file = join(folder, 'backup.db')
  t.same(await run(place, 'backup', file), {
    code: 0,
    stdout: `copied ${folder}/gatehouse.db to ${file}\nit has the database alone, without files, declared areas and a generated SVC_URL_SECRET: npm run cli -- backup has all\n`,
    stderr: ''
  })
  for (const [name, where, args, message] of [
    ['a backup to a file that exists', place, ['backup', file], /exists already/],
    [
      'no database',
      { SVC_DATA_DIR: `${folder}/no` },
      ['backup', file],
      /there is no .*no\/gatehouse.db/
    ],
    ['a backup into no folder', place, ['backup', '/no/x'], /\/no\/x: there is no folder \/no/],
    [
      'a backup below a file',
      place,
      ['backup', `${file}/x`],
      /gatehouse.db to \S+backup.db\/x: not a directory/
    ],
    ['nowhere to copy to', place, ['copy'], /SVC_DATABASE_URL is not set/],
    ['PostgreSQL', { SVC_DATABASE_URL: 'postgres://x' }, ['backup', 'x'], /use pg_dump/],
    ['PostgreSQL too', { SVC_DATABASE_URL: 'postgres://x' }, ['restore', 'x'], /use pg_restore/]
  ] as const) {
    const { code, stderr } = await run(where, ...args)
    t.equal(code, 1, name)
    t.match(stderr, new RegExp(`^gatehouse: [^\\n]*${message.source}[^\\n]*\\n$`), name)
  }
})
