import { once } from 'node:events'
import { readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { kinds, pluralOf } from '../../../schemas/kinds.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { freshPlace, runSql } from '../../support/database.ts'
import { addressOf } from '../../support/events.ts'
import { samples, upload } from '../../support/form.ts'
import { outcome, restart, type Service, signIn, startService } from '../../support/helper.ts'
import { startLimited, until } from '../../support/hostile.ts'
import { noStore, objectStore } from '../../support/object-store.ts'
import { addPasskey } from '../../support/passkey.ts'
import { slow } from '../../support/selection.ts'
import { signInOver } from '../../support/server-process.ts'
import { openBrowser } from '../../support/visitor.ts'
import { filesOfZip } from '../../support/zip.ts'

const shared = await startService(t)
const { app, sql } = shared

const url = '/account/export'
const done = '200 success'
type Browser = Awaited<ReturnType<typeof signIn>>

/** The export of a user: its files, and what the JSON of one says. */
async function exported(browser: Browser) {
  const response = await browser.send('GET', url)
  t.equal(response.statusCode, 200)
  const files = filesOfZip(response.rawPayload)
  return {
    ...response,
    zip: response.rawPayload,
    files,
    json: (name: string) => JSON.parse(String(files.get(name)))
  }
}

t.test('all that is a user’s, and nobody else’s, in one zip (contract ACCOUNT-3)', async (t) => {
  await restart(shared)
  const [demo, admin] = [await signIn(app), await signIn(app, 'admin')]
  for (const [browser, title] of [
    [demo, 'Brød & smør'],
    [admin, 'not yours']
  ] as const) {
    for (const [url, body] of [
      ['/todo/index', { title }],
      ['/memo/index', { body: title }]
    ] as const) {
      t.equal(outcome(await browser.send('POST', url, body)), done)
    }
    await browser.send('PUT', '/reaction/toggle/type_memo/id_1/reaction_like')
    await upload(app, browser, title)
    await upload(app, browser, samples.png, 'dot.png')
  }
  await demo.send('DELETE', '/attachment/item/id_2')
  await demo.send('PATCH', '/account/profile', { e_mail: 'new@example.com' })

  const { files, json, headers } = await exported(demo)
  t.equal(headers['content-type'], 'application/zip')
  t.equal(headers['content-disposition'], 'attachment; filename="gatehouse-2026-11-21.zip"')
  t.equal(headers['cache-control'], 'no-store')
  const readme = String(files.get('README.txt'))
  t.equal([...files.keys()][0], 'README.txt')
  for (const name of files.keys()) {
    const [place = ''] = name.split(/(?<=\/)/)
    if (name !== 'README.txt') t.ok(readme.includes(place), `README.txt says what ${place} is`)
  }
  for (const kind of kinds) t.ok(files.has(`${pluralOf(kind)}.json`), kind)
  t.match(json('account.json'), [
    { id: 2, user_id: 'demo', role: 'user', pending_e_mail: 'new@example.com' }
  ])
  t.match(json('sessions.json'), [{ current: true, via: 'password' }])
  for (const [name, field] of [
    ['todos.json', 'title'],
    ['memos.json', 'body']
  ] as const) {
    t.match(json(name), [{ [field]: 'Brød & smør' }])
    t.equal(json(name).length, 1)
  }
  t.match(json('files.json'), [{ id: 1, name: 'a.txt' }], 'not what was deleted')
  t.equal(String(files.get('files/1 a.txt')), 'Brød & smør')
  t.equal([...files.keys()].filter((name) => name.startsWith('files/')).length, 1)
  t.same(
    json('activity.json').map(({ kind, action }: Record<string, string>) => `${action} ${kind}`),
    ['delete attachment', 'create attachment', 'create attachment', 'create memo', 'create todo']
  )
  t.match(json('reactions.json'), [{ target_type: 'memo', target_id: 1, reaction_type: 'like' }])
  t.same(json('plans.json'), [])
  const all = [...files.values()].map(String).join('\n')
  t.notMatch(all, /not yours/)
  const [event] = await sql("SELECT * FROM audit_events WHERE event = 'data-exported'")
  t.match(event, { user_id: 2, subject: 'demo', via: 'session' })
})

t.test('nothing in it lets anybody in (contract ACCOUNT-3)', async (t) => {
  await restart(shared)
  const demo = await signIn(app)
  const { token } = await makeAccessToken(app)
  await addPasskey(app, demo)
  const hook = { url: 'https://receiver.example/hook' }
  const { secret } = (await demo.send('POST', '/subscription/index', hook)).json().Data
  await demo.send('PATCH', '/account/profile', { e_mail: 'new@example.com' })
  await demo.send('POST', '/account/totp', {})
  const rows = [
    ...(await sql('SELECT password_hash FROM users')),
    ...(await sql('SELECT id_hash, csrf_token FROM sessions')),
    ...(await sql('SELECT token_hash FROM access_tokens')),
    ...(await sql('SELECT token_hash FROM address_changes')),
    ...(await sql('SELECT secret FROM second_factors')),
    ...(await sql('SELECT secrets FROM subscriptions')),
    ...(await sql('SELECT public_key, credential_id FROM passkeys'))
  ]
  const secrets = rows.flatMap((row) => Object.values(row)).map(String)
  t.ok(secrets.length > 9)
  const { zip, json } = await exported(demo)
  for (const [name, count] of Object.entries({ 'access-tokens': 1, passkeys: 1, webhooks: 1 })) {
    t.equal(json(`${name}.json`).length, count, name)
  }
  for (const one of [...secrets, token, secret, demo.csrfToken, demo.cookie.slice(-20)]) {
    t.notOk(zip.includes(one), one)
  }
})

t.test('names that no disk takes, or that lead elsewhere, are made plain', async (t) => {
  await restart(shared)
  const demo = await signIn(app)
  const names = [
    '..%2F..%2Fetc%2Fpasswd.txt',
    'a:b*c?.txt',
    `${'ä'.repeat(200)}.txt`,
    '\u202etxt.exe',
    'same.txt',
    'same.txt'
  ]
  for (const name of names) t.equal((await upload(app, demo, name, name)).statusCode, 200, name)
  const { files } = await exported(demo)
  const found = [...files].filter(([name]) => name.startsWith('files/'))
  t.equal(found.length, names.length)
  for (const [name, content] of found) {
    t.match(name, /^files\/\d+ [^/\\:*?"<>|\p{Cc}\p{Cf}]+\.txt$/u)
    t.ok(Buffer.byteLength(name.slice(6)) <= 255, name)
    t.ok(names.includes(String(content)))
  }
})

t.test('a file that the store has lost is named, and the rest is there', async (t) => {
  const { folder } = await restart(shared)
  const demo = await signIn(app)
  for (const content of ['one', 'two']) await upload(app, demo, content)
  const [row] = await sql('SELECT file FROM attachments WHERE id = 1')
  rmSync(join(folder, 'uploads', String(row?.file)))
  const { files } = await exported(demo)
  t.match(String(files.get('files/missing.txt')), 'files/1 a.txt')
  t.equal(String(files.get('files/2 a.txt')), 'two')
})

t.test('from an object store too', { skip: noStore }, async (t) => {
  const { app } = await startService(t, (await objectStore(t)).env)
  const demo = await signIn(app)
  const content = 'x'.repeat(300_000)
  await upload(app, demo, content)
  const { files } = await exported(demo)
  t.equal(String(files.get('files/1 a.txt')), content)
})

t.test('who may not', async (t) => {
  await restart(shared)
  const { bearer } = await makeAccessToken(app, { user_id: 'admin' })
  t.equal(outcome(await app.inject({ url })), '401 SESSION-CLOSED')
  t.equal(outcome(await app.inject({ url, headers: bearer })), '401 SESSION-CLOSED')
  const browser = openBrowser(app)
  await browser.signIn()
  const head = await browser.send('HEAD', url)
  t.same([head.statusCode, head.body], [200, ''])
  t.same(await sql("SELECT id FROM audit_events WHERE event = 'data-exported'"), [])
})

/** Gives demo memos of this many characters, faster than they can be sent. */
const addMemos = (run: (text: string) => Promise<unknown>, count: number, length: number) =>
  run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO memos (user_id, body, state, version, created_at, updated_at)
    SELECT 2, '${'x'.repeat(length)}', 'draft', 1, '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z' FROM n`)

/** A download that reads only as much as it is told to. */
async function download(t: Test, address: string, cookie: string) {
  const request = get(address + url, { headers: { cookie }, agent: false })
  request.on('error', () => {})
  t.teardown(() => request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  await once(response, 'readable')
  return { request, response, status: response.statusCode }
}

/** Waits until the service has stopped to read from its database. */
async function untilQuiet({ app }: Pick<Service, 'app'>) {
  let before = -1
  await until('it waits for its reader', () => {
    const { queries } = app.db.usage
    const isSame = queries === before
    before = queries
    return isSame
  })
}

t.test(
  '10,000 rows, read slowly: by pages, and no further than they are read (contract ACCOUNT-3)',
  async (t) => {
    const service = await startService(t, { SVC_USER_MEMOS_MAX: '100000' })
    const { app } = service
    const address = await addressOf(app)
    await addMemos(service.sql, 10_000, 5000)
    const demo = await signIn(app)
    const before = app.db.usage.queries
    const held = process.memoryUsage().arrayBuffers
    const { response } = await download(t, address, demo.cookie)
    await untilQuiet(service)
    const read = app.db.usage.queries - before
    // 50 MB are 50 pages and more; the sockets of the machine take some of them.
    t.ok(read < 35, `${read} statements`)
    const more = process.memoryUsage().arrayBuffers - held
    t.ok(more < 32 * 2 ** 20, `${more} bytes in flight`)
    const reacted = await demo.send('PUT', '/reaction/toggle/type_memo/id_1/reaction_like')
    t.equal(outcome(reacted), done, 'it holds nothing')
    const files = filesOfZip(await buffer(response))
    t.equal(JSON.parse(String(files.get('memos.json'))).length, 10_000)
    t.equal(JSON.parse(String(files.get('reactions.json'))).length, 1, 'what came meanwhile')
  }
)

/** How many files of uploads this process has open. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('/uploads/')
    } catch {
      return false
    }
  }).length

t.test('cut in the middle of a file: nothing stays open, and it can begin again', async (t) => {
  const service = await startService(t, { SVC_USER_UPLOAD_BYTES: String(2 ** 30) })
  const { app, folder, log } = service
  const address = await addressOf(app)
  const demo = await signIn(app)
  await upload(app, demo, 'text')
  // Much larger than what sockets take. Nobody looks at the content again.
  const [row] = await service.sql('SELECT file FROM attachments')
  truncateSync(join(folder, 'uploads', String(row?.file)), 200 * 2 ** 20)
  for (let n = 0; n < 3; n++) {
    const { request, status } = await download(t, address, demo.cookie)
    t.equal(status, 200)
    await until('it reads the file', () => openFiles() > 0)
    request.destroy()
    await until('it has closed the file', () => openFiles() === 0)
  }
  const two = [await download(t, address, demo.cookie), await download(t, address, demo.cookie)]
  t.equal(outcome(await demo.send('GET', url)), '429 RATE-LIMIT-EXCEEDED', 'two at a time')
  for (const { request } of two) request.destroy()
  await until('they have ended', async () => (await demo.send('HEAD', url)).statusCode === 200)
  await until('they have ended', () => openFiles() === 0)
  const errors = log.filter((line) => JSON.parse(line).level >= 50)
  t.same(errors, [], 'a reader that goes away is no error')
})

for (const [how, end] of [
  ['a sign-out', (demo: Browser) => demo.send('POST', '/session/logout')],
  ['the end of the account', (demo: Browser) => demo.send('POST', '/account/remove', {})]
] as const) {
  t.test(`${how} in the middle cuts it off: it never looks whole`, async (t) => {
    const service = await startService(t, { SVC_USER_MEMOS_MAX: '100000' })
    await addMemos(service.sql, 6000, 5000)
    const demo = await signIn(service.app)
    const { response } = await download(t, await addressOf(service.app), demo.cookie)
    await untilQuiet(service)
    t.equal((await end(demo)).statusCode, 200)
    await t.rejects(buffer(response), /aborted/)
  })
}

t.test('a failure in the middle cuts it off too', async (t) => {
  await restart(shared)
  const demo = await signIn(app)
  const { list } = app.repos.plans
  Object.assign(app.repos.plans, {
    list: async () => {
      throw new Error('the disk is on fire')
    }
  })
  t.teardown(() => Object.assign(app.repos.plans, { list }))
  await t.rejects(demo.send('GET', url))
  Object.assign(app.repos.plans, { list })
  t.ok((await exported(demo)).files.has('plans.json'))
})

t.test('2 GB of files and 10,000 rows within a memory that stays flat', slow, async (t) => {
  const place = await freshPlace(t)
  const service = await startLimited(t, {
    env: { ...place, SVC_ENV: 'development', SVC_USER_UPLOAD_BYTES: String(2 ** 40) }
  })
  const demo = await signInOver(service.address)
  await addMemos((text) => runSql(place, text), 10_000, 5000)
  // Sparse files: they cost no space.
  const size = 2 ** 29
  for (let n = 1; n <= 5; n++) {
    const path = join(String(place.SVC_DATA_DIR), 'uploads', `sparse-${n}`)
    writeFileSync(path, '')
    truncateSync(path, size)
    await runSql(
      place,
      `INSERT INTO attachments (user_id, name, mime, size, sha256, file, created_at)
        VALUES (2, '${n}.txt', 'text/plain', ${size}, '', 'sparse-${n}', '2026-11-21T09:30:00.000Z')`
    )
  }
  const { response } = await download(t, service.address, String(demo.headers.cookie))
  const ends: Buffer[] = []
  let [bytes, most] = [0, 0]
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    ends.push(chunk)
    if (ends.length > 20) ends.shift()
    most = Math.max(most, service.memory())
  }
  t.ok(bytes > 5 * size + 50_000_000, `${bytes} bytes`)
  t.ok(Buffer.concat(ends).includes('PK\x05\x06'), 'it is whole')
  t.comment(`${bytes} bytes; memory ${service.rest} MB at rest, ${most} MB at most`)
  t.ok(most - service.rest < 250, `${most - service.rest} MB more`)
})
