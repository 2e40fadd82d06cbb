import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../fastify.config.ts'
import { openObjects } from '../../../routes/attachment/stores/open.ts'
import { FileSweep } from '../../../routes/attachment/sweep.ts'
import { setVariable } from '../../support/command.ts'
import { freshPlace, isPostgres, runSql } from '../../support/database.ts'
import { ageFiles, partBytes, post, samples, upload } from '../../support/form.ts'
import {
  loseCommit,
  outcome,
  type Service,
  signIn,
  startService,
  temporaryFolder
} from '../../support/helper.ts'
import { noStore, objectStore } from '../../support/object-store.ts'
import { slow } from '../../support/selection.ts'
import { childrenOf, signInOver, startServer } from '../../support/server-process.ts'

/** A service that keeps its files in an object store, with a signed-in user. */
async function start(t: Test, env: Record<string, string> = {}) {
  const store = await objectStore(t)
  const service = await startService(t, { ...store.env, ...env })
  return { ...service, store, demo: await signIn(service.app) }
}

/** Sweeps as a service does to which every file is old. */
async function sweep(
  { app, folder }: Pick<Service, 'app' | 'folder'>,
  env: Record<string, string>
) {
  const store = await openObjects(loadConfig({ SVC_DATA_DIR: folder, ...env }), {
    mark: () => app.markOf('files'),
    guard: (call) => call()
  })
  // Some stores tell the time in whole seconds.
  await new FileSweep(app, { store, temporary: join(folder, 'uploads/tmp'), afterMs: -2000 }).all()
  store.close?.()
}

/** The path of the link to an attachment. */
async function linkOf(demo: Awaited<ReturnType<typeof signIn>>, id = 1) {
  const { url } = (await demo.send('GET', `/attachment/link/id_${id}`)).json().Data
  const { pathname, search } = new URL(url)
  return pathname + search
}

const filesIn = (folder: string) =>
  readdirSync(join(folder, 'uploads'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile()
  )

t.test('a file is kept in the store, and only there', { skip: noStore }, async (t) => {
  const { app, demo, store, folder, sql } = await start(t)
  t.equal(outcome(await upload(app, demo, samples.png, 'a.png')), '200 success')
  t.same(await store.files(), [(await sql('SELECT file FROM attachments'))[0]?.file])
  t.same(filesIn(folder), [])
  const response = await app.inject(await linkOf(demo))
  t.same(response.rawPayload, samples.png)
  t.match(response.headers, {
    'content-type': 'image/png',
    'content-length': String(samples.png.length),
    'content-disposition': 'inline; filename=a.png',
    'cache-control': 'private, no-cache',
    etag: `"${hash('sha256', samples.png)}"`
  })
})

t.test('a file of several parts comes back as it was', { skip: noStore }, async (t) => {
  const { app, demo, store } = await start(t, { SVC_UPLOAD_MAX_BYTES: '50000000' })
  const content = Buffer.alloc(34 * 1024 ** 2, 'All work and no play. ')
  const { attachment } = (await upload(app, demo, content)).json().Data
  t.equal(attachment.sha256, hash('sha256', content))
  const response = await app.inject(await linkOf(demo))
  t.equal(hash('sha256', response.rawPayload), attachment.sha256)
  t.same(await store.unfinished(), [])
})

t.test(
  'GET honours one range, HEAD ignores it (contract UPLOAD-3)',
  { skip: noStore },
  async (t) => {
    const { app, demo } = await start(t)
    await upload(app, demo, '0123456789')
    const url = await linkOf(demo)
    const ranges: [range: string, status: number, body: string, part?: string][] = [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-2', 206, '89', 'bytes 8-9/10'],
      ['bytes=0-1', 206, '01', 'bytes 0-1/10'],
      ['bytes=0-1,4-5', 200, '0123456789']
    ]
    for (const [range, status, body, part] of ranges) {
      const response = await app.inject({ url, headers: { range } })
      t.equal(response.statusCode, status, range)
      t.equal(response.body, body)
      t.equal(response.headers['content-range'], part)
      t.equal(response.headers['content-length'], String(body.length))
      const head = await app.inject({ method: 'HEAD', url, headers: { range } })
      t.equal(head.statusCode, 200)
      t.equal(head.headers['content-length'], '10')
      t.equal(head.body, '')
    }
    const beyond = await app.inject({ url, headers: { range: 'bytes=10-' } })
    t.equal(outcome(beyond), '416 RANGE-NOT-SATISFIABLE')
    const same = await app.inject({
      url,
      headers: { 'if-none-match': `"${hash('sha256', '0123456789')}"` }
    })
    t.equal(same.statusCode, 304)
  }
)

t.test(
  'what is refused never comes to the store (contract UPLOAD-1)',
  { skip: noStore },
  async (t) => {
    const { app, demo, store, folder } = await start(t, { SVC_UPLOAD_MAX_BYTES: '1000' })
    t.equal(outcome(await upload(app, demo, samples.zip)), '415 UPLOAD-MIME-REJECTED')
    t.equal(outcome(await upload(app, demo, 'a'.repeat(1001))), '413 UPLOAD-TOO-LARGE')
    t.equal(outcome(await upload(app, demo, '')), '400 UPLOAD-FILE-REQUIRED')
    const cut = partBytes({ filename: 'a.txt', content: 'hello' })
    t.equal(outcome(await post(app, demo, cut)), '400 UPLOAD-FILE-REQUIRED')
    t.same(await store.files(), [])
    t.same(filesIn(folder), [])
  }
)

t.test(
  'a sweep removes files without a row, unfinished ones and nothing else',
  { skip: noStore },
  async (t) => {
    const service = await start(t)
    const { app, demo, store } = service
    await upload(app, demo, 'hello')
    const kept = await store.files()
    const orphan = '11111111-1111-4111-8111-111111111111'
    for (const name of [orphan, 'notes.txt', `sub/${orphan}`]) await store.write(name, 'x')
    await store.begin(orphan)
    await store.begin('notes.txt')
    await sweep(service, store.env)
    t.same(await store.files(), [...kept, 'notes.txt', `sub/${orphan}`].sort())
    t.same(await store.unfinished(), ['notes.txt'])
  }
)

t.test(
  'a deleted file is kept until its deletion cannot be undone',
  { skip: noStore },
  async (t) => {
    const service = await start(t)
    const { app, demo, store, clock } = service
    await upload(app, demo, 'hello')
    const url = await linkOf(demo)
    await demo.send('DELETE', '/attachment/item/id_1')
    t.equal(outcome(await app.inject(url)), '404 ATTACHMENT-NOT-FOUND')
    await sweep(service, store.env)
    t.equal((await store.files()).length, 1)
    const { changes } = (await demo.send('GET', '/activity/index')).json().Data
    const undone = await demo.send('POST', '/activity/undo', { ids: [changes[0].id] })
    t.equal(outcome(undone), '200 success')
    t.equal((await app.inject(url)).body, 'hello')

    await demo.send('DELETE', '/attachment/item/id_1')
    clock.now += 31 * 86_400_000
    const { app: next } = await startService(
      t,
      { ...service.place, ...store.env },
      undefined,
      clock.now
    )
    await next.background.idle()
    t.same(await store.files(), [])
  }
)

t.test('if the row cannot be written, the file is removed', { skip: noStore }, async (t) => {
  const service = await start(t)
  const { app, demo, store } = service
  await upload(app, demo, 'first')
  const kept = await store.files()
  loseCommit(app)
  t.equal(outcome(await upload(app, demo, 'hello')), '503 SERVICE-OVERLOADED')
  t.equal((await store.files()).length, 2, 'the row may be there')
  await sweep(service, store.env)
  t.equal((await app.inject(await linkOf(demo, 2))).body, 'hello')
  const { transaction } = app.db
  app.db.transaction = async () => {
    throw new Error('the database is gone')
  }
  t.equal(outcome(await upload(app, demo, 'hello')), '500 INTERNAL-ERROR')
  app.db.transaction = transaction
  t.equal((await store.files()).length, kept.length + 1)
})

t.test('a file that the store has lost is not found', { skip: noStore }, async (t) => {
  const { app, demo, store } = await start(t)
  await upload(app, demo, 'hello')
  for (const name of await store.files()) await store.remove(name)
  const url = await linkOf(demo)
  t.equal(outcome(await app.inject(url)), '404 ATTACHMENT-NOT-FOUND')
  t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 404)
})

const health = async ({ app }: Service) => (await app.inject('/health/index')).json().Data

t.test(
  'while the store is away, all but files goes on (contract UPLOAD-4)',
  { skip: noStore },
  async (t) => {
    const service = await start(t)
    const { app, demo, store, folder, clock } = service
    await upload(app, demo, 'hello')
    const url = await linkOf(demo)
    store.line.set('down')
    const first = await upload(app, demo, 'hello')
    t.equal(outcome(first), '503 SERVICE-OVERLOADED')
    t.match(first.headers['retry-after'], /^[1-9]\d*$/)
    for (let i = 0; i < 8; i++) {
      const response = await app.inject(url)
      t.match(outcome(response), /^503 (SERVICE-OVERLOADED|CIRCUIT-OPEN)$/)
      t.match(response.headers['retry-after'], /^[1-9]\d*$/)
    }
    t.match(await health(service), {
      healthStatus: 'degraded',
      cause: 'The circuit files is open.',
      circuits: { files: 'open' }
    })
    t.equal(outcome(await upload(app, demo, 'hello')), '503 CIRCUIT-OPEN')
    t.same(filesIn(folder), [], 'what was received is gone')
    t.equal((await demo.send('GET', '/attachment/index')).json().Data.attachments.length, 1)
    t.equal(outcome(await demo.send('POST', '/todo/index', { title: 'x' })), '200 success')
    t.equal(outcome(await demo.send('DELETE', '/attachment/item/id_1')), '200 success')
    store.line.set('up')
    clock.now += 31_000
    t.equal(outcome(await upload(app, demo, 'hello')), '200 success')
    t.match(await health(service), { healthStatus: 'ok', circuits: { files: 'closed' } })
  }
)

t.test('a start does not wait for the store', { skip: noStore }, async (t) => {
  const store = await objectStore(t)
  store.line.set('down')
  const { app, log } = await startService(t, store.env)
  t.equal(outcome(await app.inject('/health/index')), '200 success')
  t.match(log.join(''), /the object store does not answer/)
  store.line.set('up')
  t.equal(outcome(await upload(app, await signIn(app), 'hello')), '200 success')
})

t.test('a store belongs to one database', { skip: noStore }, async (t) => {
  const service = await start(t)
  const { app, demo, store } = service
  await upload(app, demo, 'hello')
  const mark = await store.read('gatehouse-database')
  t.equal(mark, await app.markOf('files'))
  const kept = await store.files()
  await t.rejects(
    startService(t, store.env),
    /^SVC_FILES_URL: the place belongs to another database[^\n]+$/
  )
  t.equal(await store.read('gatehouse-database'), mark)

  const again = await startService(t, { ...service.place, ...store.env })
  t.equal((await again.app.inject(await linkOf(demo))).body, 'hello')

  // The mark of another one, as if both had begun at once.
  await store.write('gatehouse-database', 'another')
  await store.write('11111111-1111-4111-8111-111111111111', 'x')
  await sweep(service, store.env)
  t.equal((await store.files()).length, kept.length + 1)
  t.match(service.log.join(''), /belongs to another database/)
})

t.test(
  'a wrong setting stops the start with one line that names it',
  { skip: noStore },
  async (t) => {
    const store = await objectStore(t)
    const { SVC_FILES_URL, SVC_FILES_SECRET } = store.env
    const cases: [env: Record<string, string>, name: string][] = [
      [{ SVC_FILES_URL: SVC_FILES_URL.replace('//files', '//no-such-bucket') }, 'SVC_FILES_URL'],
      [{ SVC_FILES_SECRET: `${SVC_FILES_SECRET}x` }, 'SVC_FILES_SECRET'],
      // Some stores do not tell the two apart.
      [{ SVC_FILES_KEY: 'nobody' }, 'SVC_FILES_(KEY|SECRET)']
    ]
    for (const [env, name] of cases) {
      await t.rejects(
        startService(t, { ...store.env, ...env }),
        new RegExp(`^${name}: [^\\n]+$`),
        name
      )
    }
  }
)

t.test(
  'SVC_FILES_REDIRECT sends callers to the store, for as long as the link lives',
  { skip: noStore },
  async (t) => {
    const { app, demo, clock } = await start(t, { SVC_FILES_REDIRECT: '1' })
    await upload(app, demo, 'hello', 'a b.html')
    const path = await linkOf(demo)
    clock.now += 1_000_000
    const response = await app.inject(path)
    t.equal(response.statusCode, 307)
    t.equal(response.headers['cache-control'], 'no-store')
    t.equal(response.headers.etag, undefined)
    t.match(response.headers, { 'cross-origin-resource-policy': 'cross-origin' })
    t.equal(response.body, '')
    const location = String(response.headers.location)
    t.equal(new URL(location).searchParams.get('X-Amz-Expires'), String(3600 - 1000))
    const answer = await fetch(location)
    t.equal(await answer.text(), 'hello')
    t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    t.equal(answer.headers.get('content-disposition'), 'attachment; filename="a b.html.txt"')
    const part = await fetch(location, { headers: { range: 'bytes=1-2' } })
    t.equal(await part.text(), 'el')
    const altered = await fetch(location.replace(/Signature=./, 'Signature=x'))
    t.equal(altered.status, 403)
    await altered.body?.cancel()

    const etag = `"${hash('sha256', 'hello')}"`
    const own: [headers: Record<string, string>, status: number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '"x"' }, 412],
      [{ 'if-range': etag, range: 'bytes=0-1' }, 206]
    ]
    for (const [headers, status] of own) {
      t.equal(
        (await app.inject({ url: path, headers })).statusCode,
        status,
        JSON.stringify(headers)
      )
    }
    const head = await app.inject({ method: 'HEAD', url: path })
    t.equal(head.statusCode, 200)
    t.equal(head.headers['content-length'], '5')
    clock.now += 3_600_000
    t.equal(outcome(await app.inject(path)), '410 SIGNED-URL-EXPIRED')
  }
)

t.test(
  'a store that falls silent is given up in time',
  { skip: noStore || slow.skip || false },
  async (t) => {
    const { app, demo, store, folder } = await start(t)
    await upload(app, demo, 'hello')
    const path = await linkOf(demo)
    store.line.set('silent')
    const begun = performance.now()
    t.equal(outcome(await upload(app, demo, 'hello')), '503 SERVICE-OVERLOADED')
    t.equal(outcome(await app.inject(path)), '503 SERVICE-OVERLOADED')
    t.ok(performance.now() - begun < 45_000)
    t.same(filesIn(folder), [])
  }
)

t.test(
  'after a kill -9 while a file is put, the next start cleans up (contract UPLOAD-2)',
  { skip: noStore },
  async (t) => {
    const store = await objectStore(t)
    const place = await freshPlace(t)
    const env = { ...place, ...store.env }
    const first = await startServer(t, env)
    const demo = await signInOver(first.address)
    await demo.upload('kept', 'a.txt')
    store.line.set('silent')
    const lost = demo.upload('lost', 'b.txt').catch(() => 'cut')
    const temporary = join(place.SVC_DATA_DIR, 'uploads', 'tmp')
    while (readdirSync(temporary).length === 0) await sleep(5)
    first.child.kill('SIGKILL')
    t.equal(await lost, 'cut')
    await first.exit
    ageFiles(temporary)
    store.line.set('up')
    await store.write('11111111-1111-4111-8111-111111111111', 'lost')
    const second = await startServer(t, env)
    while (readdirSync(temporary).length > 0) await sleep(5)
    second.child.kill('SIGTERM')
    await second.exit
    const { app } = await startService(t, env)
    await sweep({ app, folder: place.SVC_DATA_DIR }, store.env)
    const rows = await runSql(place, 'SELECT file FROM attachments')
    t.equal(rows.length, 1)
    t.same(
      await store.files(),
      rows.map(({ file }) => file)
    )
  }
)

t.test(
  'workers, and a machine, are killed: no acknowledged file is lost',
  { skip: noStore },
  async (t) => {
    const store = await objectStore(t)
    const place = await freshPlace(t)
    const env = { ...place, ...store.env, SVC_URL_SECRET: 's'.repeat(32), SVC_WORKERS: '2' }
    const folders = [place.SVC_DATA_DIR, ...(isPostgres ? [temporaryFolder(t)] : [])]
    const machines = await Promise.all(
      folders.map((folder) => startServer(t, { ...env, SVC_DATA_DIR: folder }))
    )
    for (const { stdout } of machines) {
      while (stdout().split('listening on').length < 3) await sleep(5)
    }
    const [first, last] = [machines[0], machines.at(-1)]
    if (!first || !last) throw new Error('no machine')
    const workers = childrenOf(first.child)
    const demo = await signInOver(first.address)
    const content = (n: number) => `${n} `.repeat(10_000)
    const kept: { id: number; n: number }[] = []
    let begun = 0
    async function uploadAll() {
      while (begun < 80) {
        const n = begun++
        if (n === 20) process.kill(workers[0] ?? 0, 'SIGKILL')
        if (n === 50 && last !== first) last?.child.kill('SIGKILL')
        const to = demo.at(machines[n % machines.length]?.address ?? '')
        // A connection to what is killed breaks.
        const attachment = await to.upload(content(n), `${n}.txt`).catch(() => undefined)
        if (attachment) kept.push({ id: attachment.id, n })
      }
    }
    await Promise.all([uploadAll(), uploadAll(), uploadAll(), uploadAll()])
    t.ok(kept.length > 20, `${kept.length} uploads were acknowledged`)
    for (const { id, n } of kept) {
      const { Data } = await demo('GET', `/attachment/link/id_${id}`)
      const { pathname, search } = new URL((Data as { url: string }).url)
      t.equal(await (await fetch(first.address + pathname + search)).text(), content(n))
    }
    first.child.kill('SIGTERM')
    await first.exit
    const { app } = await startService(t, env)
    await sweep({ app, folder: place.SVC_DATA_DIR }, store.env)
    const rows = await runSql(place, 'SELECT file FROM attachments')
    t.same(await store.files(), rows.map(({ file }) => String(file)).sort())
  }
)

t.test('credentials may be those of the environment', { skip: noStore }, async (t) => {
  const { SVC_FILES_KEY, SVC_FILES_SECRET, ...env } = (await objectStore(t)).env
  setVariable(t, 'AWS_EC2_METADATA_DISABLED', 'true')
  await t.rejects(startService(t, env), /^SVC_FILES_KEY: it is not set[^\n]+$/)
  setVariable(t, 'AWS_ACCESS_KEY_ID', SVC_FILES_KEY)
  setVariable(t, 'AWS_SECRET_ACCESS_KEY', SVC_FILES_SECRET)
  const { app } = await startService(t, env)
  t.equal(outcome(await upload(app, await signIn(app), 'hello')), '200 success')
})

t.test('a reader who goes away ends the download from the store', { skip: noStore }, async (t) => {
  const { app, demo, store } = await start(t, { SVC_UPLOAD_MAX_BYTES: '50000000' })
  await upload(app, demo, Buffer.alloc(40 * 1024 ** 2, 'a'))
  const path = await linkOf(demo)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const before = store.line.connections()
  for (let i = 0; i < 3; i++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    const reader = answer.body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  while (store.line.connections() > before) await sleep(5)
  t.pass('its connections are closed')
})
