import './support/declared.ts'
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { ofDeclarations } from '../schemas/area/index.ts'
import { pageBytes } from '../schemas/common.ts'
import { testArea } from './support/area.ts'
import { listen, noBrowser, openWindow, signInWith } from './support/browser.ts'
import { freshPlace, onPostgres, runMigration, runSql } from './support/database.ts'
import { upload } from './support/form.ts'
import { moveToPostgres, outcome, signIn, startService } from './support/helper.ts'
import { slow } from './support/selection.ts'

const [specimen] = ofDeclarations
if (!specimen) throw new Error('nothing is declared')
testArea(specimen)

t.test('a default stands for what is left out; a number is any that JSON has', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const least = { url: 'https://example.com/', mail: 'a@example.com', stars: 1, state: 'draft' }
  const usual = { weight: 1.5, minutes: 30, note: 'Süß', course: 'main' }
  const own = { weight: -2.5e-7, minutes: 5, note: 'x', course: 'starter', price: 0.1 }
  const row = async (body: object) => (await demo.send('POST', '/specimen/index', body)).json().Data
  t.match((await row(least)).specimen, usual)
  const { specimen } = await row({ ...least, ...own })
  t.match(specimen, own)
  const url = `/specimen/item/id_${specimen.id}`
  const changed = await demo.send('PATCH', url, { stars: 2 })
  t.match(changed.json().Data.specimen, { ...own, stars: 2 }, 'a change clears nothing')
  t.match((await demo.send('PUT', url, least)).json().Data.specimen, { ...usual, price: null })
  t.equal((await demo.send('GET', '/specimen/index?q=suss')).json().Data.specimens.length, 2)
  for (const weight of ['NaN', '1e309', 'null', '"1"', '[1]', 'true']) {
    const text = JSON.stringify({ ...least, weight: 0 }).replace('"weight":0', `"weight":${weight}`)
    const { cookie, csrfToken } = demo
    const refused = await app.inject({
      ...{ method: 'POST', url: '/specimen/index', payload: text },
      headers: { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
    })
    t.match(outcome(refused), /^4\d\d /, text)
  }
  for (const weight of [-0, 1e300, 5e-324, 0.1234567890123456, 2 ** 53 + 2]) {
    const made = await row({ ...least, weight })
    t.equal(made.specimen.weight + 0, weight + 0, String(weight))
  }
})

t.test('database copy brings each type to PostgreSQL as it was', onPostgres, async (t) => {
  const used = await startService(t, { SVC_DATABASE_URL: '' })
  const demo = await signIn(used.app)
  const least = { url: 'https://example.com/', mail: 'a@example.com', stars: 1, state: 'draft' }
  const essay = (await demo.send('POST', '/essay/index', { content: 'ä👋' })).json().Data.essay.id
  const most = { label: '"', due_on: '2026-02-28', seen_at: '2026-02-28T01:02:03.004Z', essay }
  const numbers = { price: 0.1, weight: 1.2345678901234567, minutes: 7 }
  for (const extra of [{ a: [1, null, '"x"'], b: { c: -0.5e-7 } }, [], undefined]) {
    const body = { ...least, ...most, ...numbers, pinned: true, done: true, extra }
    t.equal(outcome(await demo.send('POST', '/specimen/index', body)), '200 success')
  }
  await demo.send('POST', '/specimen/index', least)
  const seen = ['/specimen/index?with=essay', '/essay/index', '/activity/index']
  const before = await Promise.all(seen.map(async (url) => (await demo.send('GET', url)).json()))

  const { app } = await moveToPostgres(t, used)
  const headers = { cookie: demo.cookie }
  const after = await Promise.all(
    seen.map(async (url) => (await app.inject({ url, headers })).json())
  )
  t.same(after, before)
})

t.test('a page of long texts ends at its bytes (contract SERVICE-5)', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const content = 'ä'.repeat(10_000)
  for (let i = 0; i < 60; i++) {
    t.equal(outcome(await demo.send('POST', '/essay/index', { content })), '200 success')
  }
  const { body } = await demo.send('GET', '/essay/index?limit=500')
  t.ok(Buffer.byteLength(body) <= pageBytes + 1024)
  const { essays, next_cursor } = JSON.parse(body).Data
  t.ok(essays.length > 40)
  t.equal(next_cursor, essays.at(-1).id)
})

t.test('what is declared stands in /llms.txt, and in what models are told', async (t) => {
  const { app } = await startService(t)
  const { body } = await app.inject('/llms.txt')
  for (const line of [
    /^- GET \/specimen\/index\?[^\n]*: list specimens$/m,
    /^- POST \/specimen\/batch `[^\n]*"stars"[^\n]*`: create many$/m,
    /^- PATCH \/specimen\/batch `[^\n]*`: change many$/m
  ]) {
    t.match(body, line)
  }
  const demo = await signIn(app)
  const scopes = ['specimen:read', 'specimen:write']
  const made = await demo.send('POST', '/accesstoken/index', { name: 'm', scopes })
  const { token } = made.json().Data
  const answer = await app.inject({
    ...{ method: 'POST', url: '/mcp' },
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    payload: {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' }
      }
    }
  })
  t.match(answer.body, /has these areas for you: [^.]*specimen/)
})

t.test(
  'tools of a declared area are described by plain schemas, and take null all the same',
  async (t) => {
    const { app } = await startService(t)
    const demo = await signIn(app)
    const scopes = ['specimen:read', 'specimen:write']
    const made = await demo.send('POST', '/accesstoken/index', { name: 'm', scopes })
    const headers = {
      authorization: `Bearer ${made.json().Data.token}`,
      accept: 'application/json, text/event-stream'
    }
    const ask = async (method: string, params: object = {}) => {
      const payload = { jsonrpc: '2.0', id: 1, method, params }
      return (await app.inject({ method: 'POST', url: '/mcp', headers, payload })).json().result
    }
    const { tools } = await ask('tools/list')
    const properties = tools.find(({ name }: { name: string }) => name === 'change_specimens')
      .inputSchema.properties.items.items.properties
    t.same(properties.due_on, {
      description: 'Its due date, such as 2026-12-24; null for none.',
      type: 'string'
    })
    t.match(properties.stars, { type: 'integer', minimum: 1, maximum: 5 })
    t.notMatch(JSON.stringify(tools), /"anyOf"|"null"|"format":"(uri|date|email)"/)
    const call = async (name: string, item: object) => {
      const given = { name, arguments: { items: [item], return: 'full' } }
      return (await ask('tools/call', given)).structuredContent.items[0].specimen
    }
    const required = { url: 'https://example.com', mail: 'a@example.com', stars: 1, state: 'draft' }
    const { id } = await call('create_specimens', { ...required, label: 'x', due_on: null })
    t.match(await call('change_specimens', { id, due_on: '2026-12-24' }), { due_on: '2026-12-24' })
    t.match(await call('change_specimens', { id, due_on: null }), { label: 'x', due_on: null })
  }
)

t.test('a URL has a scheme in any case, and no white space or controls', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const flags = { pinned: true, done: true, stars: 1, state: 'draft', change: 'big' }
  const create = (url: string) =>
    demo.send('POST', '/specimen/index', { url, mail: 'a@example.com', ...flags })
  for (const url of ['HTTPS://EXAMPLE.COM', 'https://example.com/ä?ö=1']) {
    t.equal((await create(url)).json().Data.specimen.url, url, 'as it was typed')
  }
  for (const url of [
    'https://example.com/a b',
    'https://a\u00a0/',
    'https://a/\tb',
    'https://a@b/'
  ]) {
    t.match((await create(url)).json().Data.details, [{ field: 'url', message: /white space/ }])
  }
})

t.test('its page: add, edit, delete and undo in a real browser', { skip: noBrowser }, async (t) => {
  const { address: baseURL } = await listen(t)
  const { page, complaints } = await openWindow(t, { baseURL })
  await signInWith(page)
  await page.waitForURL('/')
  await page.goto('/essay/board')
  const main = page.getByRole('main')
  const essay = main.getByRole('row').nth(1)
  await main.getByLabel('Content').fill('first words')
  await main.getByRole('button', { name: 'Add' }).click()
  await essay.getByText('first words').first().waitFor()

  await essay.getByRole('link', { name: 'Edit' }).click()
  const field = main.locator('#change-1-content')
  await field.fill('other words')
  await main.getByRole('button', { name: 'Save' }).click()
  await essay.getByText('other words').first().waitFor()
  await field.waitFor({ state: 'detached' })

  await essay.getByRole('button', { name: /^Delete/ }).click()
  await essay.waitFor({ state: 'detached' })
  await main.getByRole('button', { name: 'Undo' }).click()
  await essay.getByText('other words').first().waitFor()
  t.same(complaints, [])
})

t.test('its page is not filtered by a field that has the name of its own parameter', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const shown = await demo.send('GET', '/specimen/board?done=change&undo=1')
  t.equal(shown.statusCode, 200)
  t.match(shown.body, 'Changed.')
})

t.test('its page says which fields may be empty, and shows times as other pages do', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const values = { url: 'https://example.com/', mail: 'anna@example.com', stars: 3 }
  const more = { state: 'draft', change: 'big', seen_at: '2026-12-24T18:00:00Z' }
  t.equal(
    outcome(await demo.send('POST', '/specimen/index', { ...values, ...more })),
    '200 success'
  )
  const { body } = await demo.send('GET', '/specimen/board')
  t.match(body, /<time datetime="2026-12-24T18:00:00(.000)?Z">2026-12-24 18:00 UTC<\/time>/)
  const labels = [...body.matchAll(/<label for="add-[^>]*>([^<]+)</g)].map(([, label]) => label)
  t.same(labels.filter((label) => label?.endsWith(' (optional)')).toSorted(), [
    'Change (optional)',
    'Due on (optional)',
    'Essay (optional)',
    'Extra (optional)',
    'Label (optional)',
    'Price (optional)',
    'Seen at (optional)'
  ])
})

/** Those that look at every operation, kind, list or tool. */
const tests = [
  ...['contract/codes', 'contract/document', 'contract/lists', 'contract/ownership'],
  ...['contract/dry-run', 'contract/quotas', 'db/columns', 'db/plans'],
  ...['plugins/reporting/mcp/endpoint', 'routes/search'],
  ...['routes/activity/recorded', 'routes/subscription/subscription', 'examples'],
  'verify/verify'
]

t.test('what holds of every area holds of declared ones', slow, async (t) => {
  const files = tests.map((test) => `test/${test}.test.ts`)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './test/support/declared.ts', 'test/support/together.ts', ...files],
    { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }
  )
  const failed = stdout.match(/^ *not ok.*/gm) ?? [stderr]
  t.equal(status, 0, failed.slice(0, 20).join('\n'))
})

/** Texts of one search each: whichever of them is typed, all of them are found. */
const alike = [
  ['Zürich', 'zurich', 'ZÜRICH', 'Zu\u0308rich'],
  ['äpfel', 'ÄPFEL', 'Apfel'],
  ['Straße', 'STRASSE', 'STRAẞE'],
  ['Οδός', 'ΟΔΟΣ', 'οδοσ'],
  ['Ёлка', 'елка'],
  ['İstanbul', 'ıstanbul', 'istanbul'],
  ['Łódź', 'lodz'],
  ['شَمْس', 'شمس'],
  ['한국', '한국'.normalize('NFD')],
  ['Tom\u00adate', 'tomate']
]

t.test('a search sees neither case nor accents, of no script and in no form', async (t) => {
  const places = [
    ...['/todo/index todos title', '/memo/index memos body', '/attachment/index attachments name'],
    ...['/essay/index essays content', '/admin/user/index users user_name']
  ].map((place) => place.split(' '))
  const place = await freshPlace(t)
  let { app } = await startService(t, place)
  const admin = await signIn(app, 'admin')

  async function find(q: string) {
    const get = async (url: string) =>
      (await app.inject({ url, headers: { cookie: admin.cookie } })).json().Data
    const all = (await get(`/search/index?q=${encodeURIComponent(q)}`)).results.length
    const found: Record<string, unknown> = { all }
    for (const [url, list = '', name = ''] of places) {
      const rows = (await get(`${url}?q=${encodeURIComponent(q)}`))[list]
      found[list] = rows.map((row: Record<string, string>) => row[name]?.replace('.txt', ''))
    }
    return found
  }
  async function findAll(when: string) {
    for (const texts of alike) {
      const found = texts.toReversed()
      const lists = Object.fromEntries(places.map(([, list]) => [list, found]))
      for (const q of texts) {
        t.same(await find(q), { ...lists, all: 4 * texts.length }, `${q} ${when}`)
      }
    }
    t.same((await find('zurìch')).todos, alike[0]?.toReversed())
    t.same((await find('straße 2')).todos, [], 'no more than is there')
  }

  for (const [at, text] of alike.flat().entries()) {
    await admin.send('POST', '/todo/index', { title: text })
    await admin.send('POST', '/memo/index', { body: text })
    await upload(app, admin, 'x', `${text}.txt`)
    await admin.send('POST', '/essay/index', { content: text })
    const user_id = `user ${at}`
    const names = { user_id, user_name: text, e_mail: `${at}@example.org`, role: 'user' as const }
    const times = { now: app.timestamp(), now_ms: app.now() }
    await app.db.repos.users.insert({ ...names, password_hash: '', ...times })
  }
  await findAll('as they were made')

  await admin.send('PUT', '/todo/item/id_1', { title: 'plain' })
  t.same((await find('zurich')).todos, alike[0]?.slice(1).toReversed(), 'changed to ASCII')
  await admin.send('PATCH', '/todo/item/id_1', { title: 'Genève' })
  await admin.send('PATCH', '/todo/item/id_1', { is_completed: true })
  t.same((await find('geneve')).todos, ['Genève'], 'and back; another field leaves it')
  await admin.send('DELETE', '/todo/item/id_1')
  const [{ id: deletion }] = (await admin.send('GET', '/activity/index?limit=1')).json().Data
    .changes
  t.equal(outcome(await admin.send('POST', '/activity/undo', { ids: [deletion] })), '200 success')
  t.same((await find('geneve')).todos, ['Genève'], 'a deletion undone')
  await admin.send('PATCH', '/todo/item/id_1', { title: alike[0]?.[0] })

  await app.close()
  const of = [
    ...['users.user_id', 'users.user_name', 'users.e_mail', 'todos.title', 'memos.body'],
    ...['attachments.name', 'declared_essays.content', 'declared_specimens.url'],
    ...['declared_specimens.label', 'declared_specimens.mail', 'declared_specimens.note']
  ]
  for (const [table, column] of of.map((name) => name.split('.'))) {
    await runSql(place, `ALTER TABLE ${table} DROP COLUMN ${column}__folded`)
  }
  await runMigration(place, 'folded-texts')
  app = (await startService(t, place)).app
  await findAll('after a migration')
})
