import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const letter = {
  name: 'letter',
  fields: fieldsFrom(['text:text', 'extra:json?']),
  versions: true,
  states: { draft: ['sent'], sent: ['read', 'draft'], read: [] }
}
const parcel = {
  name: 'parcel',
  fields: fieldsFrom(['text:text']),
  states: { new: ['done'], done: [] }
}
for (const area of [letter, parcel]) checkDeclaration(area)
declareAreas([letter, parcel])

const { default: t } = await import('tap')
const { outcome, restart, signIn, startService } = await import('./support/helper.ts')
const { openBrowser } = await import('./support/visitor.ts')
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const service = await startService(t)
const { app } = service

async function start() {
  await restart(service)
  const { cookie, csrfToken } = await signIn(app)
  /** A request; a payload that is a text is sent as it is. */
  const send = (method: Method, url: string, payload?: object | string, headers = {}) =>
    app.inject({
      ...{ method, url },
      headers: {
        ...{ cookie, 'x-csrf-token': csrfToken, ...headers },
        ...(payload !== undefined && { 'content-type': 'application/json' })
      },
      ...(payload !== undefined && { payload })
    })
  const made = await send('POST', '/letter/index', { text: 'Dear Anna' })
  return { send, made, id: Number(made.json().Data.letter.id) }
}
const ofVersion = (version: number) => ({ 'if-match': `"v${version}"` })

t.test('a declared area has versions by a word (contract MEMO-1)', async (t) => {
  const { send, made, id } = await start()
  const url = `/letter/item/id_${id}`
  t.equal(made.headers.etag, '"v1"')
  t.match(made.json().Data.letter, { state: 'draft', version: 1 })
  const body = { text: 'Dear Bob' }
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
    const sent = method === 'DELETE' ? undefined : body
    t.equal(outcome(await send(method, url, sent)), '428 PRECONDITION-REQUIRED', method)
    const stale = await send(method, url, sent, ofVersion(9))
    t.equal(outcome(stale), '412 PRECONDITION-FAILED', method)
    t.equal(stale.json().Data.version, 1)
  }
  const changed = await send('PATCH', url, body, ofVersion(1))
  t.equal(changed.headers.etag, '"v2"')
  t.equal((await send('GET', url, undefined, { 'if-none-match': '"v2"' })).statusCode, 304)
  t.equal((await send('PUT', url, body, { 'if-match': '*' })).headers.etag, '"v3"')
  const gone = await send('DELETE', url, undefined, ofVersion(3))
  t.equal(outcome(gone), '200 success')
  t.equal(outcome(await send('DELETE', url, undefined, ofVersion(3))), '404 LETTER-NOT-FOUND')
})

t.test('of ten writes at once that name the same version, one is done', async (t) => {
  const { send, id } = await start()
  const write = (index: number) =>
    send('PATCH', `/letter/item/id_${id}`, { text: `Text ${index}` }, ofVersion(1))
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => write(index)))
  const done = answers.filter((answer) => outcome(answer) === '200 success')
  t.equal(done.length, 1)
})

t.test('each item of a batch names the version that it replaces (contract BATCH-1)', async (t) => {
  const { send, id } = await start()
  const items = [
    { id, version: 9, text: 'x' },
    { id, text: 'y' },
    { id, version: 1, text: 'z' }
  ]
  const { statusCode, ...answer } = await send('PATCH', '/letter/batch', { items })
  t.equal(statusCode, 207)
  t.match(answer.json().Data.items, [
    { errorCode: 'PRECONDITION-FAILED', version: 1 },
    { errorCode: 'PRECONDITION-REQUIRED' },
    { letter: { text: 'z', version: 2 } }
  ])
  t.equal(outcome(await send('POST', '/letter/remove', { ids: [id] })), '200 success')
})

t.test('a declared area has states by a word (contract MEMO-2)', async (t) => {
  const { send, id } = await start()
  const move = (to_state: string, headers = {}) =>
    send('PUT', `/letter/state/id_${id}`, { to_state }, headers)
  const refused = await move('read')
  t.equal(outcome(refused), '409 INVALID-TRANSITION')
  t.match(refused.json().Data, { state: 'draft', allowed_next: ['sent'] })
  const lost = await move('lost')
  t.equal(outcome(lost), '409 INVALID-TRANSITION', 'no state of its kind')
  t.match(lost.json().Data, { state: 'draft', allowed_next: ['sent'] })
  for (const to of ['sent', 'lost']) {
    t.equal(outcome(await move(to, ofVersion(9))), '412 PRECONDITION-FAILED')
  }
  t.equal(
    outcome(await send('PUT', '/letter/state/id_99', { to_state: 'lost' })),
    '404 LETTER-NOT-FOUND'
  )
  const moved = await move('sent', ofVersion(1))
  t.match(moved.json().Data, {
    letter: { state: 'sent', version: 2 },
    allowed_next: ['read', 'draft']
  })
  t.equal(moved.headers.etag, '"v2"')
  const url = `/letter/item/id_${id}`
  const written = { text: 'x', state: 'read' }
  const other = await send('PATCH', url, written, ofVersion(2))
  t.match(other.json().Data.letter, { text: 'x', state: 'sent' }, 'it is not written otherwise')
  const listed = async (query: string) =>
    (await send('GET', `/letter/index?${query}`)).json().Data.letters.length
  t.same([await listed('state=sent'), await listed('state=draft')], [1, 0])
  t.same([await listed('state.in=draft,sent&sort=-state'), await listed('state=read')], [1, 0])
})

t.test('states go without versions', async (t) => {
  const { send } = await start()
  const made = await send('POST', '/parcel/index', { text: 'x' })
  t.same(Object.keys(made.json().Data.parcel).includes('version'), false)
  t.equal(made.headers.etag, undefined)
  const moved = await send('PUT', '/parcel/state/id_1', { to_state: 'done' })
  t.match(moved.json().Data, { parcel: { state: 'done' }, allowed_next: [] })
  t.equal(moved.headers.etag, undefined)
  const changed = await send('PATCH', '/parcel/item/id_1', { text: 'y' })
  t.match(changed.json().Data.parcel, { text: 'y', state: 'done' })
})

t.test('an undo brings back state and content, as a new version', async (t) => {
  const { send, id } = await start()
  await send('PUT', `/letter/state/id_${id}`, { to_state: 'sent' }, { 'x-run-id': 'one' })
  t.equal(outcome(await send('POST', '/activity/undo', { run: 'one' })), '200 success')
  const { letter } = (await send('GET', `/letter/item/id_${id}`)).json().Data
  t.match(letter, { state: 'draft', version: 3 })
  const run = { ...ofVersion(3), 'x-run-id': 'two' }
  await send('DELETE', `/letter/item/id_${id}`, undefined, run)
  t.equal(outcome(await send('POST', '/activity/undo', { run: 'two' })), '200 success')
  const back = (await send('GET', `/letter/item/id_${id}`)).json().Data.letter
  t.match(back, { text: 'Dear Anna', state: 'draft', version: 4 })
})

t.test('its version is no content: no change shows it, and no plan waits for it', async (t) => {
  const { send, id } = await start()
  const step = { operation: 'changeLetter', arguments: { id, text: 'Dear Eve', if_match: '*' } }
  const made = await send('POST', '/plan/index', { purpose: 'A friend.', steps: [step] })
  const run = { 'x-run-id': 'a-run', ...ofVersion(1) }
  await send('PATCH', `/letter/item/id_${id}`, { text: 'Dear Bob' }, run)
  await send('POST', '/activity/undo', { run: 'a-run' })
  const page = await send('GET', '/activity/board', undefined, { accept: 'text/html' })
  t.match(page.body, /Changed/)
  t.notMatch(page.body, />version</i)
  const applied = await send('POST', `/plan/apply/id_${made.json().Data.plan.id}`)
  t.equal(outcome(applied), '200 success', applied.body)
})

t.test('what has any members is kept as it was sent', async (t) => {
  const { send, id } = await start()
  const url = `/letter/item/id_${id}`
  const kept = async () => (await send('GET', url)).json().Data.letter.extra
  const values = [
    { z: 1, a: [true, null, 'Süß', { '': {} }], '10': 1.5 },
    [],
    [[1, -0.5, 1234567890123456]],
    null
  ]
  for (const extra of values) {
    const answer = await send('PATCH', url, { extra }, { 'if-match': '*' })
    t.equal(outcome(answer), '200 success', JSON.stringify(extra))
    t.same(await kept(), extra)
  }
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const wrong = ['"text"', '1', 'true', deep(102), deep(30_000), '{"a":1e309}', '{"__proto__":{}}']
  for (const text of [...wrong, JSON.stringify(['x'.repeat(65_533)])]) {
    const answer = await send('POST', '/letter/index', `{"text":"x","extra":${text}}`)
    t.match(outcome(answer), /^(422 VALIDATION-FAILED|400 BODY-INVALID)$/, text.slice(0, 40))
  }
  const large = { extra: ['x'.repeat(65_532)] }
  t.equal(outcome(await send('PATCH', url, large, { 'if-match': '*' })), '200 success')
  const sorted = await send('GET', '/letter/index?sort=extra')
  t.equal(outcome(sorted), '422 VALIDATION-FAILED', 'it has no order')
  t.equal((await send('GET', '/letter/index?extra.is=set')).json().Data.letters.length, 1)
})

t.test('rows of an undone change with such a value come back', async (t) => {
  const { send, id } = await start()
  const url = `/letter/item/id_${id}`
  const extra = { b: 1, a: [{ c: null }] }
  await send('PATCH', url, { extra }, { 'if-match': '*' })
  await send('PATCH', url, { extra: [1] }, { 'if-match': '*', 'x-run-id': 'one' })
  t.equal(outcome(await send('POST', '/activity/undo', { run: 'one' })), '200 success')
  t.same((await send('GET', url)).json().Data.letter.extra, extra)
  await send('DELETE', url, undefined, { 'if-match': '*', 'x-run-id': 'two' })
  t.equal(outcome(await send('POST', '/activity/undo', { run: 'two' })), '200 success')
  t.same((await send('GET', url)).json().Data.letter.extra, extra)
  const csv = await send('GET', '/letter/export?format=csv')
  t.match(csv.body, '"{""b"":1,""a"":[{""c"":null}]}"')
})

t.test('its page moves rows, and refuses what somebody else has changed', async (t) => {
  const { send, id } = await start()
  const browser = openBrowser(app)
  await browser.signIn()
  const { csrf_token = '' } = await browser.hiddenFields('/letter/board')
  const edit = await browser.get(`/letter/board?edit=${id}`)
  t.match(edit.body, /name="to_state" value="sent"/)
  t.match(edit.body, /name="expected_version" value="1"/)
  const sent = {
    csrf_token,
    id: String(id),
    expected_version: '1',
    text: 'Dear Bob',
    extra: '{"a":[1]}',
    action: 'change'
  }
  t.equal((await browser.submit('/letter/board', sent)).statusCode, 303)
  const again = await browser.submit('/letter/board', { ...sent, text: 'Dear Carl' })
  t.equal(again.statusCode, 412)
  t.match(again.body, /Somebody else has changed it in the meantime/)
  const bad = await browser.submit('/letter/board', {
    ...sent,
    expected_version: '2',
    extra: '{a:1}'
  })
  t.equal(bad.statusCode, 422)
  const move = { csrf_token, id: String(id), to_state: 'sent', action: 'move' }
  t.equal((await browser.submit('/letter/board', move)).statusCode, 303)
  t.equal((await browser.submit('/letter/board', move)).statusCode, 409)
  const lost = await browser.submit('/letter/board', { ...move, to_state: 'lost' })
  t.equal(lost.statusCode, 409, 'so with a state that does not exist')
  const { letter } = (await send('GET', `/letter/item/id_${id}`)).json().Data
  t.match(letter, { text: 'Dear Bob', state: 'sent', version: 3, extra: { a: [1] } })
  t.match((await browser.get('/letter/board?is_state=sent')).body, />Sent</)
  t.match((await browser.get('/letter/board?is_state=read')).body, /No letters match/)
})

t.test('its page keeps the lines of a text that has several', async (t) => {
  const { send, id } = await start()
  const browser = openBrowser(app)
  await browser.signIn()
  const drawn = async (text: string) => {
    await send('PATCH', `/letter/item/id_${id}`, { text }, { 'if-match': '*' })
    return (await browser.get(`/letter/board?edit=${id}`)).body
  }
  t.match(await drawn('Dear Anna'), /<input[^>]* id="change-\d+-text"/)
  const several = /<textarea[^>]* id="change-\d+-text"[^>]*>\nDear\nAnna</
  t.match(await drawn('Dear\nAnna'), several)
})
