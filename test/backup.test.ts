import { spawn } from 'node:child_process'
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { format, readArchive, sumLine, writeArchive } from '../commands/backup/archive.ts'
import { writeBackup } from '../commands/backup/write.ts'
import { newestMigration } from '../db/migrate.ts'
import { loadConfig } from '../fastify.config.ts'
import { runInProcess } from './support/command.ts'
import { onPostgres, onSqlite } from './support/database.ts'
import { upload } from './support/form.ts'
import { newService, signIn, startService, temporaryFolder } from './support/helper.ts'
import { until } from './support/hostile.ts'
import { startReceiver } from './support/receiver.ts'
import { codeAt, step } from './support/second-factor.ts'
import { slow } from './support/selection.ts'
import { signInOver, startServer } from './support/server-process.ts'

// A folder without `.env`.
process.chdir(temporaryFolder(t))

const line = (text: string | RegExp) =>
  new RegExp(`^gatehouse: [^\\n]*${typeof text === 'string' ? text : text.source}[^\\n]*\\n$`)

const namesIn = async (file: string, passphrase = '') => {
  const names: string[] = []
  for await (const { name, content } of readArchive(file, async () => passphrase)) {
    names.push(name)
    for await (const _ of content);
  }
  return names
}

t.test(
  'a restored copy sends nothing to the receivers until it is told to',
  onSqlite,
  async (t) => {
    const folder = temporaryFolder(t)
    const data = join(folder, 'data')
    const env = { SVC_ENV: 'development', SVC_WEBHOOK_PRIVATE: '1' }
    const first = await startServer(t, { ...env, SVC_DATA_DIR: data })
    const demo = await signInOver(first.address)
    const receiver = await startReceiver(t)
    receiver.answer = (_request, response) => response.writeHead(503).end()
    const path = async () => {
      const { subscription } = (await demo('POST', '/subscription/index', { url: receiver.url }))
        .Data as { subscription: { id: number } }
      return `/subscription/item/id_${subscription.id}`
    }
    const item = await path()
    await demo('PATCH', await path(), { is_active: false })
    await demo('POST', '/todo/index', { title: 'before the backup' })
    await until('an attempt', () => receiver.arrived.length > 0)
    const file = join(folder, 'all.tar.zst')
    t.equal((await runInProcess({ SVC_DATA_DIR: data }, ['backup', file])).code, 0)
    first.child.kill('SIGTERM')
    await first.exit

    const copy = join(folder, 'copy')
    const restored = await runInProcess({}, ['restore', file, '--into', copy])
    t.match(restored, { code: 0, stderr: '' })
    t.match(restored.stdout, /^1 outgoing webhook is paused: [^\n]+--deliver/m)
    const second = await startServer(t, { ...env, SVC_DATA_DIR: copy })
    const again = demo.at(second.address)
    receiver.arrived.length = 0
    receiver.answer = (_request, response) => response.writeHead(204).end()
    await again('POST', '/todo/index', { title: 'of the drill' })
    t.match((await again('GET', item)).Data, { subscription: { is_active: false } })
    await sleep(3000)
    t.same(receiver.arrived, [])
    await again('PATCH', item, { is_active: true })
    await again('POST', '/todo/index', { title: 'after it' })
    // The backup may have the lease of a delivery that the first service had begun.
    await until('the deliveries', () => receiver.arrived.length > 1, 60)
    t.match(
      receiver.arrived.map(({ body }) => JSON.parse(body).data.after.title),
      ['before the backup', 'after it'],
      'as after any pause'
    )
  }
)

t.test('after a lost disk everything works as before', onSqlite, async (t) => {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const env = { SVC_ENV: 'development', SVC_WEBHOOK_PRIVATE: '1' }
  const bookmark = { name: 'bookmark', fields: { label: { type: 'text' } } }
  fs.mkdirSync(join(data, 'areas'), { recursive: true, mode: 0o700 })
  writeFileSync(join(data, 'areas/bookmark.json'), JSON.stringify(bookmark), { mode: 0o600 })
  const first = await startServer(t, { ...env, SVC_DATA_DIR: data })
  const demo = await signInOver(first.address)
  const admin = await signInOver(first.address, 'admin')

  const { id } = await demo.upload('a file', 'a.txt')
  const { url } = (await demo('GET', `/attachment/link/id_${id}`)).Data as { url: string }
  const { pathname, search } = new URL(url, first.address)
  await demo('POST', '/bookmark/index', { label: 'kept' })
  const run = { 'x-run-id': 'before-the-loss' }
  await demo('POST', '/todo/index', { title: 'undone later' }, run)
  const receiver = await startReceiver(t)
  const { secret } = (await demo('POST', '/subscription/index', { url: receiver.url })).Data as {
    secret: string
  }
  const totp = (await admin('POST', '/account/totp')).Data as { secret: string }
  const now = Date.now()
  t.equal((await admin('PUT', '/account/totp', { code: codeAt(totp.secret, now) })).statusCode, 200)

  // Others write, upload and delete while it is made.
  let isDone = false
  const others = (async () => {
    for (let n = 0; !isDone; n++) {
      const { id } = await demo.upload(`file ${n}`, 'b.txt')
      await demo('POST', '/todo/index', { title: `todo ${n}` })
      if (n % 2) await demo('DELETE', `/attachment/item/id_${id}`)
    }
  })()
  const file = join(folder, 'all.tar.zst')
  const made = await runInProcess({ SVC_DATA_DIR: data }, ['backup', file])
  isDone = true
  await others
  t.match(made, { code: 0, stderr: '' })
  t.match(made.stdout, /1 declared area, the generated SVC_URL_SECRET, the files \(\d+\)/)
  t.match(made.stdout, /keep it safe, or add --seal/)
  t.equal(fs.statSync(file).mode & 0o777, 0o600)
  t.notOk(existsSync(join(data, 'backup')), 'no snapshot is left')
  first.child.kill('SIGKILL')
  await first.exit
  fs.rmSync(data, { recursive: true })

  const fresh = join(folder, 'fresh')
  const restored = await runInProcess({}, ['restore', file, '--into', fresh, '--deliver'])
  t.match(restored, { code: 0, stderr: '' })
  t.notMatch(restored.stdout, 'paused')
  t.same(
    readdirSync(fresh)
      .filter((name) => !name.endsWith('.lock'))
      .sort(),
    [...['areas', 'gatehouse.db', 'secrets', 'uploads']]
  )
  const second = await startServer(t, { ...env, SVC_DATA_DIR: fresh })
  const again = demo.at(second.address)
  t.match((await again('GET', '/health/index')).Data, { healthStatus: 'ok' })
  t.match((await again('GET', '/bookmark/index')).Data, { bookmarks: [{ label: 'kept' }] })
  const byLink = await fetch(second.address + pathname + search)
  t.same([byLink.status, await byLink.text()], [200, 'a file'], 'a link that was signed before')
  const { attachments } = (await again('GET', '/attachment/index?limit=500')).Data as {
    attachments: { id: number; sha256: string }[]
  }
  for (const { id, sha256 } of attachments) {
    const { url } = (await again('GET', `/attachment/link/id_${id}`)).Data as { url: string }
    const content = await (await fetch(new URL(url, second.address))).bytes()
    if (hash('sha256', content) !== sha256) t.fail(`attachment ${id}`)
  }
  const undone = await again('POST', '/activity/undo', { run: 'before-the-loss' })
  t.match(undone, { statusCode: 200, Data: { undone: [{ kind: 'todo', action: 'create' }] } })
  // The backup may have the lease of a delivery that the first service had begun.
  const isDelivered = () => receiver.arrived.some(({ body }) => /undone later/.test(body))
  await until('a delivery', isDelivered, 60)
  const last = receiver.arrived.at(-1)
  t.ok(new Webhook(secret).verify(last?.body ?? '', { ...last?.headers } as Record<string, string>))
  const login = async (code: string) => {
    const body = JSON.stringify({ user_id: 'admin', user_pass: 'admin', code })
    return (await fetch(`${second.address}/session/login`, { method: 'POST', body })).status
  }
  t.equal(await login(codeAt(totp.secret, now + step)), 200, 'a second factor')

  // Had the backup no secret, the start would say so.
  second.child.kill('SIGTERM')
  await second.exit
  fs.rmSync(join(fresh, 'secrets'), { recursive: true })
  const third = await startServer(t, { ...env, SVC_DATA_DIR: fresh })
  t.match((await demo.at(third.address)('GET', '/health/index')).Data, {
    healthStatus: 'degraded',
    cause: /sealed with another SVC_URL_SECRET/
  })
  third.child.kill('SIGTERM')
  t.match(await third.stderr, line('sealed with another SVC_URL_SECRET.* accept-secret'))
})

t.test(
  'killed at any place, nothing looks finished, and the next one works',
  { ...onSqlite, ...slow },
  async (t) => {
    const { app, folder } = await startService(t)
    const demo = await signIn(app)
    for (let n = 0; n < 30; n++) await upload(app, demo, randomBytes(6000).toString('hex'))
    const into = temporaryFolder(t)
    const script = new URL('support/killed-backup.ts', import.meta.url).pathname
    /** Runs it, and kills it this many milliseconds after it has begun. Returns how long it took. */
    async function run(args: string[], afterMs?: number) {
      const child = spawn(process.execPath, [script, ...args], {
        stdio: ['ignore', 'pipe', 'inherit']
      })
      await once(child.stdout, 'data')
      const start = performance.now()
      const exit = once(child, 'exit')
      if (afterMs !== undefined) {
        await sleep(afterMs)
        child.kill('SIGKILL')
      }
      await exit
      return performance.now() - start
    }
    const whole = join(into, 'whole.tar.zst')
    const backupMs = await run(['backup', whole, folder])
    let unfinished = 0
    for (let place = 0; place < 5; place++) {
      const file = join(into, `${place}.tar.zst`)
      await run(['backup', file, folder], (backupMs * place) / 5)
      if (!existsSync(file)) unfinished += 1
      else t.match(await runInProcess({}, ['restore', '--check', file]), { code: 0 }, 'it is whole')
    }
    t.ok(unfinished > 0)
    const after = join(into, 'after.tar.zst')
    t.match(await runInProcess({ SVC_DATA_DIR: folder }, ['backup', after]), { code: 0 })
    t.notOk(existsSync(join(folder, 'backup')), 'what the killed ones left is gone')

    const target = join(into, 'target')
    const restoreMs = await run(['restore', whole, target])
    unfinished = 0
    for (let place = 0; place < 5; place++) {
      fs.rmSync(target, { recursive: true, force: true })
      await run(['restore', whole, target], (restoreMs * place) / 5)
      if (existsSync(join(target, 'gatehouse.db'))) continue
      unfinished += 1
      // It is taken up where it was left.
      t.match(await runInProcess({}, ['restore', whole, '--into', target]), { code: 0 })
      t.equal(readdirSync(join(target, 'uploads')).length, 30)
      t.notOk(existsSync(join(target, 'restoring')))
    }
    t.ok(unfinished > 0)
  }
)

t.test('a file that is missing, damaged or removed meanwhile is named', onSqlite, async (t) => {
  const { app, folder, place, sql } = await startService(t)
  const demo = await signIn(app)
  for (const content of ['kept', 'lost', 'damaged']) await upload(app, demo, content)
  const rows = (await sql('SELECT file FROM attachments ORDER BY id')) as { file: string }[]
  const [, lost = '', damaged = ''] = rows.map(({ file }) => file)
  fs.rmSync(join(folder, 'uploads', lost))
  writeFileSync(join(folder, 'uploads', damaged), 'DAMAGED')
  const file = join(temporaryFolder(t), 'all')
  const problems = `missing: uploads/${lost} (attachment 2)\ndamaged: uploads/${damaged} (attachment 3)\n`
  const made = await runInProcess(place, ['backup', file])
  t.equal(made.code, 1)
  t.ok(made.stdout.startsWith(problems), made.stdout)
  const checked = await runInProcess({}, ['restore', '--check', file])
  t.ok(checked.stdout.startsWith(`${problems}${file} is whole\n`), checked.stdout)
})

t.test('a file that its user removes meanwhile is no loss', onSqlite, async (t) => {
  const { app, folder, place, sql } = await startService(t)
  const demo = await signIn(app)
  for (const content of ['first', 'second']) await upload(app, demo, content)
  const { signal } = new AbortController()
  const rows = (await sql('SELECT file FROM attachments ORDER BY id')) as { file: string }[]
  const removed = String(rows[1]?.file)
  // It is asked for each entry, when there is a snapshot.
  signal.throwIfAborted = () => {
    const database = new SQLite(join(folder, 'gatehouse.db'))
    database.prepare('DELETE FROM attachments WHERE file = ?').run(removed)
    database.close()
    fs.rmSync(join(folder, 'uploads', removed), { force: true })
  }
  const file = join(temporaryFolder(t), 'all')
  const config = loadConfig({ SVC_ENV: 'test', ...place })
  const options = { passphrase: undefined, withSecret: true, signal }
  const { code, stdout } = await writeBackup(file, config, options)
  t.equal(code, 0)
  t.match(stdout, `removed during the backup: uploads/${removed} (attachment 2)`)
  t.match((await runInProcess({}, ['restore', '--check', file])).stdout, /^removed during/)

  // Stopped by a signal, it leaves nothing.
  const folderOfStopped = temporaryFolder(t)
  signal.throwIfAborted = () => {
    throw new Error('stopped before the end')
  }
  await t.rejects(writeBackup(join(folderOfStopped, 'all'), config, options), {
    message: 'stopped before the end'
  })
  t.same(readdirSync(folderOfStopped), [])
  t.notOk(existsSync(join(folder, 'backup')))
})

t.test(
  'restore refuses what it cannot restore whole, in one line, and leaves nothing',
  async (t) => {
    const into = temporaryFolder(t)
    const target = join(into, 'target')
    const signal = new AbortController().signal
    const text = (value: string) => new TextEncoder().encode(value)
    const manifest = { format, gatehouse: '9.9.9', schema: newestMigration, made_at: '' }
    /** An archive with these entries; undefined for the right sums. */
    async function archive(
      name: string,
      given: object,
      entries: [string, string][],
      sums?: string
    ) {
      const file = join(into, name)
      const contents = JSON.stringify({ ...manifest, contains: [], left_out: [], ...given })
      const all: [string, string][] = [['manifest.json', contents], ...entries]
      const right = all.map(([name, value]) => sumLine(hash('sha256', value), name)).join('')
      await writeArchive(file, { passphrase: undefined, signal }, async (tar) => {
        for (const [name, value] of [...all, ['SHA256SUMS', sums ?? right]]) {
          const bytes = text(value ?? '')
          const writer = tar.add({ name: name ?? '', size: bytes.length }).getWriter()
          await writer.write(bytes)
          await writer.close()
        }
        tar.finalize()
      })
      return file
    }
    const random = randomBytes(300_000).toString('hex')
    const right = await archive('right', {}, [['uploads/x', random]])
    const bytes = readFileSync(right)
    const cut = (length: number) => {
      const file = join(into, `cut-${length}`)
      writeFileSync(file, bytes.subarray(0, length))
      return file
    }
    const changed = join(into, 'changed')
    const other = Buffer.from(bytes)
    other.writeUInt8(other.readUInt8(200_000) ^ 1, 200_000)
    writeFileSync(changed, other)
    writeFileSync(join(into, 'text'), 'a text that is long enough')
    writeFileSync(join(into, 'database'), 'SQLite format 3\0 and so on')
    const cases = [
      [join(into, 'none'), /there is no /],
      [into, /is not a file/],
      [join(into, 'text'), /not a backup of Gatehouse/],
      [join(into, 'database'), /use database restore/],
      [cut(0), /not a backup/],
      ...[20, 300, 100_000, 299_000, bytes.length - 1].map(
        (length) => [cut(length), /cut off/] as const
      ),
      [changed, /damaged/],
      [await archive('sums', {}, [['uploads/x', 'x']], 'other'), /what SHA256SUMS in it says/],
      [await archive('format', { format: format + 1 }, []), /another version .*9\.9\.9.* newer/],
      [await archive('schema', { schema: '2999-01-01-99-x' }, []), /another version/],
      [await archive('outside', {}, [['uploads/../../x', 'x']]), /which is not of a backup/],
      [await archive('no-database', {}, [['gatehouse.db', random]]), /not a database/]
    ] as const
    for (const [file, reason] of cases) {
      const { code, stdout, stderr } = await runInProcess({}, ['restore', file, '--into', target])
      t.same({ code, stdout }, { code: 1, stdout: '' }, file)
      t.match(stderr, line(reason), file)
      t.notOk(existsSync(target), `${file} leaves nothing`)
    }
    fs.mkdirSync(target)
    writeFileSync(join(target, 'mine'), '')
    t.match(await runInProcess({}, ['restore', right, '--into', target]), {
      code: 1,
      stderr: line('is not empty \\(mine\\)')
    })
    t.same(readdirSync(target), ['mine'])
    fs.rmSync(join(target, 'mine'))
    t.match(await runInProcess({ SVC_DATA_DIR: target }, ['restore', right]), { code: 0 })
    t.equal(readFileSync(join(target, 'uploads/x'), 'utf8'), random)
  }
)

t.test('a sealed backup needs its passphrase', onSqlite, async (t) => {
  const { place } = await startService(t)
  const file = join(temporaryFolder(t), 'sealed.age')
  const words = 'grün horse battery staple'
  t.match(await runInProcess(place, ['backup', '--seal', file], 'short\n'), {
    code: 2,
    stderr: /12 characters or more/
  })
  t.match(await runInProcess(place, ['backup', '--seal', file], `${words.normalize('NFD')}\n`), {
    code: 0
  })
  t.ok(readFileSync(file, 'latin1').startsWith('age-encryption.org/v1\n'), 'age opens it too')
  t.ok((await namesIn(file, words.normalize('NFC'))).includes('gatehouse.db'))
  t.match(await runInProcess({}, ['restore', '--check', file], 'wrong horse battery\n'), {
    code: 1,
    stderr: line('the passphrase is wrong')
  })
})

t.test('a backup says what it lacks, and who keeps that', onSqlite, async (t) => {
  const { app, place } = await newService(t)
  await upload(app, await signIn(app), 'a file')
  const folder = temporaryFolder(t)
  for (const [given, options, said, lacks] of [
    [{}, ['--without-secret'], /it lacks the generated SVC_URL_SECRET .*second factors/, /secrets/],
    [
      { SVC_URL_SECRET: 'x'.repeat(32) },
      [],
      /the database was sealed with, which is not the one here/,
      /secrets/
    ],
    [
      { SVC_FILES_URL: 's3://files/x?endpoint=http://127.0.0.1:1' },
      [],
      /let it keep versions/,
      /uploads/
    ]
  ] as const) {
    const file = join(folder, randomUUID())
    const { code, stdout } = await runInProcess({ ...place, ...given }, [
      'backup',
      file,
      ...options
    ])
    t.equal(code, 0)
    t.match(stdout, said)
    const names = await namesIn(file)
    t.notOk(names.some((name) => lacks.test(name)))
    t.match((await runInProcess({}, ['restore', '--check', file])).stdout, said)
  }
  const taken = join(folder, 'taken')
  writeFileSync(taken, 'mine')
  for (const [file, reason] of [
    [taken, 'exists already'],
    ['/no/x', 'there is no folder /no']
  ] as const) {
    t.match(await runInProcess(place, ['backup', file]), { code: 1, stderr: line(reason) })
  }
  t.equal(readFileSync(taken, 'utf8'), 'mine')
})

t.test('on PostgreSQL a backup has the files, and names pg_dump', onPostgres, async (t) => {
  const { app, place } = await startService(t)
  await upload(app, await signIn(app), 'a file')
  const file = join(temporaryFolder(t), 'all')
  const made = await runInProcess(place, ['backup', file])
  t.match(made, { code: 0, stdout: /it lacks the database, .*pg_dump/ })
  const names = await namesIn(file)
  t.notOk(names.includes('gatehouse.db'))
  t.equal(names.filter((name) => name.startsWith('uploads/')).length, 1)
})
