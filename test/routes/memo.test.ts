import t from 'tap'
import { outcome, restart, signIn, startService } from '../support/helper.ts'
import { openBrowser } from '../support/visitor.ts'

const shared = await startService(t)

async function startWithMemo() {
  const service = await restart(shared)
  const demo = await signIn(service.app)
  /** Sends with conditional headers. */
  const send = (
    method: 'GET' | 'PUT' | 'DELETE',
    url: string,
    headers: Record<string, string> = {},
    payload?: object
  ) =>
    service.app.inject({
      method,
      url,
      headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, ...headers },
      ...(payload && { payload: JSON.stringify(payload) })
    })
  const created = await demo.send('POST', '/memo/index', { body: 'one' })
  return { ...service, demo, send, created }
}

t.test('POST /memo/index answers the memo with its first version as ETag', async (t) => {
  const { created, clock } = await startWithMemo()
  const now = new Date(clock.now).toISOString()
  t.equal(created.statusCode, 200)
  t.equal(created.headers.etag, '"v1"')
  t.match(created.json().Data.memo, {
    id: 1,
    body: 'one',
    state: 'draft',
    version: 1,
    created_at: now,
    updated_at: now
  })
})

t.test('a body has 1 to 10,000 characters and is a string', async (t) => {
  const { demo } = await startWithMemo()
  const cases: [unknown, string][] = [
    [{ body: 'x'.repeat(10_000) }, '200 success'],
    [{ body: '🦊'.repeat(10_000) }, '200 success'],
    [{ body: ' ' }, '200 success'],
    [{ body: 'x'.repeat(10_001) }, '422 VALIDATION-FAILED'],
    [{ body: '' }, '422 VALIDATION-FAILED'],
    [{ body: 1 }, '422 VALIDATION-FAILED'],
    [{ body: null }, '422 VALIDATION-FAILED'],
    [{}, '422 VALIDATION-FAILED'],
    [null, '422 VALIDATION-FAILED'],
    [[], '422 VALIDATION-FAILED']
  ]
  for (const [payload, expected] of cases) {
    t.equal(outcome(await demo.send('POST', '/memo/index', payload)), expected)
  }
})

t.test('ids: missing or not all digits, unknown, beyond 2^53-1, of another user', async (t) => {
  const { app, demo } = await startWithMemo()
  const admin = await signIn(app, 'admin')
  const cases: [string, string][] = [
    ['/memo/item', '400 MEMO-ID-REQUIRED'],
    ['/memo/item/id_abc', '400 MEMO-ID-REQUIRED'],
    ['/memo/item/id_-1', '400 MEMO-ID-REQUIRED'],
    ['/memo/item/id_99', '404 MEMO-NOT-FOUND'],
    ['/memo/item/id_99999999999999999999', '404 MEMO-NOT-FOUND'],
    ['/memo/item/id_1', '200 success']
  ]
  for (const [url, expected] of cases) t.equal(outcome(await demo.send('GET', url)), expected, url)
  t.equal(outcome(await admin.send('GET', '/memo/item/id_1')), '404 MEMO-NOT-FOUND')
  t.equal(outcome(await admin.send('DELETE', '/memo/item/id_1')), '404 MEMO-NOT-FOUND')
})

/** Texts that are neither `*` nor entity tags with commas between them (RFC 9110 §8.8.3). */
const noLists = [
  ...['garbage', 'v1', 'w/"v1"', '"v1";x', '"v1" "v2"', '"v1", *', '*, "v1"', '"v1', 'W/ "v1"'],
  ...['"v 1"', `'v1'`, '"v1",x']
]

t.test('If-Match decides about a write (contract MEMO-2; RFC 9110 §13.1.1)', async (t) => {
  const { send } = await startWithMemo()
  const put = (ifMatch?: string) =>
    send('PUT', '/memo/item/id_1', ifMatch === undefined ? {} : { 'if-match': ifMatch }, {
      body: 'changed'
    })
  t.same((await put('v1')).json().Data.details, [
    { in: 'headers', field: 'if-match', message: 'must be `*` or tags in quotes, such as "v1"' }
  ])
  const refused: (readonly [string | undefined, string])[] = [
    [undefined, '428 PRECONDITION-REQUIRED'],
    ['', '412 PRECONDITION-FAILED'],
    ...noLists.map((text) => [text, '400 REQUEST-INVALID'] as const),
    ['W/"v1"', '412 PRECONDITION-FAILED'],
    ['"v2"', '412 PRECONDITION-FAILED'],
    ['"v2", W/"v1", "x"', '412 PRECONDITION-FAILED']
  ]
  for (const [ifMatch, expected] of refused)
    t.equal(outcome(await put(ifMatch)), expected, `If-Match: ${ifMatch}`)

  const accepted = ['"v1"', '"v9", "v2"', 'W/"x","v3"', '*', ' * ', ' ,"v6" ,, "é,",\t']
  for (const [index, ifMatch] of accepted.entries()) {
    const response = await put(ifMatch)
    t.equal(outcome(response), '200 success', ifMatch)
    t.equal(response.headers.etag, `"v${index + 2}"`)
    t.equal(response.json().Data.memo.version, index + 2)
  }

  t.equal(outcome(await send('DELETE', '/memo/item/id_1')), '428 PRECONDITION-REQUIRED')
  const old = await send('DELETE', '/memo/item/id_1', { 'if-match': '"v1"' })
  t.equal(outcome(old), '412 PRECONDITION-FAILED')
  t.equal(old.json().Data.version, 7, 'what it is now, without another read')
  t.equal(outcome(await send('DELETE', '/memo/item/id_1', { 'if-match': '"v7"' })), '200 success')
  t.equal(outcome(await send('GET', '/memo/item/id_1')), '404 MEMO-NOT-FOUND')
})

t.test('of many writers with one version, one wins (contract MEMO-2)', async (t) => {
  const { send } = await startWithMemo()
  const writes = Array.from({ length: 10 }, (_, i) =>
    send('PUT', '/memo/item/id_1', { 'if-match': '"v1"' }, { body: `writer ${i}` })
  )
  const outcomes = (await Promise.all(writes)).map(outcome)
  t.equal(outcomes.filter((o) => o === '200 success').length, 1)
  t.equal(outcomes.filter((o) => o === '412 PRECONDITION-FAILED').length, 9)
})

t.test(
  'If-None-Match that names the version gives 304 without a body (RFC 9110 §13.1.2)',
  async (t) => {
    const { send } = await startWithMemo()
    for (const known of ['"v1"', 'W/"v1"', '"x", "v1"', '*']) {
      const response = await send('GET', '/memo/item/id_1', { 'if-none-match': known })
      t.equal(response.statusCode, 304, known)
      t.equal(response.body, '')
      t.equal(response.headers.etag, '"v1"')
      t.notOk(response.headers['content-type'])
    }
    const others = ['"v2"', '', ...noLists]
    for (const known of others) {
      const response = await send('GET', '/memo/item/id_1', { 'if-none-match': known })
      const expected = noLists.includes(known) ? '400 REQUEST-INVALID' : '200 success'
      t.equal(outcome(response), expected, known)
      const isFailure = expected.startsWith('400')
      t.equal(response.headers['cache-control'], isFailure ? 'no-store' : 'private, no-cache')
    }
  }
)

t.test('the workflow allows only its transitions (contract MEMO-3)', async (t) => {
  const { demo } = await startWithMemo()
  const move = (to_state: unknown) => demo.send('PUT', '/memo/state/id_1', { to_state })
  const steps: [unknown, string, string[] | undefined][] = [
    ['archived', '409 INVALID-TRANSITION', ['published']],
    ['draft', '409 INVALID-TRANSITION', ['published']],
    ['gone', '409 INVALID-TRANSITION', ['published']],
    ['', '409 INVALID-TRANSITION', ['published']],
    ['toString', '409 INVALID-TRANSITION', ['published']],
    [3, '422 VALIDATION-FAILED', undefined],
    [null, '422 VALIDATION-FAILED', undefined],
    ['published', '200 success', ['archived', 'draft']],
    ['draft', '200 success', ['published']],
    ['published', '200 success', ['archived', 'draft']],
    ['archived', '200 success', []],
    ['draft', '409 INVALID-TRANSITION', []]
  ]
  for (const [to, expected, next] of steps) {
    const response = await move(to)
    t.equal(outcome(response), expected, String(to))
    const { Data } = response.json()
    t.same(Data.allowed_next, next)
    if (Data.errorCode === 'INVALID-TRANSITION')
      t.equal(Data.state, next?.[0] ? 'draft' : 'archived')
  }
})

t.test('of two transitions at once one wins; If-Match is honoured when sent', async (t) => {
  const { demo, send } = await startWithMemo()
  const move = () => demo.send('PUT', '/memo/state/id_1', { to_state: 'published' })
  const outcomes = (await Promise.all([move(), move()])).map(outcome).sort()
  t.same(outcomes, ['200 success', '409 INVALID-TRANSITION'])

  const to_state = 'archived'
  const stale = await send('PUT', '/memo/state/id_1', { 'if-match': '"v1"' }, { to_state })
  t.equal(outcome(stale), '412 PRECONDITION-FAILED')
  const fresh = await send('PUT', '/memo/state/id_1', { 'if-match': '"v2"' }, { to_state })
  t.equal(outcome(fresh), '200 success')
  t.equal(fresh.headers.etag, '"v3"')
})

t.test('the slower of two moves is told what the memo allows now', async (t) => {
  const { demo } = await startWithMemo()
  const move = (to_state: string) => demo.send('PUT', '/memo/state/id_1', { to_state })
  const race = async (...states: string[]) => {
    const answers = (await Promise.all(states.map(move))).map((answer) => answer.json().Data)
    const loser = answers.find(({ status }) => status === 'failure')
    return [loser?.errorCode, loser?.state, loser?.allowed_next]
  }
  t.same(await race('published', 'published'), [
    'INVALID-TRANSITION',
    'published',
    ['archived', 'draft']
  ])
  t.same(await race('draft', 'draft'), ['INVALID-TRANSITION', 'draft', ['published']])
  await move('published')
  t.same(await race('archived', 'archived'), ['INVALID-TRANSITION', 'archived', []])
})

t.test('order of a move: id, not found, precondition, transition', async (t) => {
  const { send } = await startWithMemo()
  const move = async (url: string, ifMatch: string, to_state: unknown) =>
    outcome(await send('PUT', url, { 'if-match': ifMatch }, { to_state }))
  for (const to of ['archived', 'draft', 'no state']) {
    t.equal(await move('/memo/state/id_x', '"v9"', to), '400 MEMO-ID-REQUIRED')
    t.equal(await move('/memo/state/id_99', '"v9"', to), '404 MEMO-NOT-FOUND')
    t.equal(await move('/memo/state/id_1', '"v9"', to), '412 PRECONDITION-FAILED')
    t.equal(await move('/memo/state/id_1', '"v1"', to), '409 INVALID-TRANSITION')
  }
})

t.test('GET /memo/index lists own memos by key, newest first', async (t) => {
  const { app, demo } = await startWithMemo()
  await demo.send('POST', '/memo/index', { body: 'two' })
  await demo.send('POST', '/memo/index', { body: 'three' })
  const first = (await demo.send('GET', '/memo/index?limit=2')).json().Data
  t.same(
    first.memos.map((memo: { body: string }) => memo.body),
    ['three', 'two']
  )
  const rest = (await demo.send('GET', `/memo/index?cursor=${first.next_cursor}`)).json().Data
  t.same(
    rest.memos.map((memo: { body: string }) => memo.body),
    ['one']
  )
  t.equal(rest.next_cursor, null)
  t.same((await (await signIn(app, 'admin')).send('GET', '/memo/index')).json().Data.memos, [])
})

t.test('GET /memo/index?q= finds text in bodies, in either case, without wildcards', async (t) => {
  const { demo } = await startWithMemo()
  for (const body of ['Call the plumber', '100% done', 'a_b']) {
    await demo.send('POST', '/memo/index', { body })
  }
  const find = async (q: string) => {
    const answer = await demo.send('GET', `/memo/index?${q}`)
    return answer.json().Data.memos.map((memo: { body: string }) => memo.body)
  }
  t.same(await find('q=CALL'), ['Call the plumber'])
  t.same(await find('q=%25'), ['100% done'])
  t.same(await find('q=_'), ['a_b'])
  t.same(await find('q=e&limit=1'), ['100% done'], 'newest first')
  t.same(await find('q=e&updated_since=2099-01-01T00:00:00Z'), [], 'and every other filter')
  for (const q of ['', 'x'.repeat(101)]) {
    t.equal(outcome(await demo.send('GET', `/memo/index?q=${q}`)), '422 VALIDATION-FAILED')
  }
})

t.test('memos do not take the agent token (contract MEMO-1)', async (t) => {
  const agent = 'agent-token-agent-token-agent-token'
  const { app } = await startService(t, { SVC_AGENT_BEARER_TOKEN: agent })
  const response = await app.inject({
    url: '/memo/index',
    headers: { authorization: `Bearer ${agent}` }
  })
  t.equal(outcome(response), '401 SESSION-CLOSED')
})

t.test('an If-Match that names no version says the form of one', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  await demo.send('POST', '/memo/index', { body: 'x' })
  const put = (tag: string) =>
    app.inject({
      method: 'PUT',
      url: '/memo/item/id_1',
      headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'if-match': tag },
      payload: { body: 'y' }
    })
  const { Data } = (await put('"1"')).json()
  const message = 'names no version: its form is `"v1"`'
  t.match(Data, { version: 1, details: [{ in: 'headers', field: 'if-match', message }] })
  t.notOk('details' in (await put('"v9"')).json().Data)
  const negative = await demo.send('GET', '/memo/index?limit=-1')
  t.match(negative.json().Data.details, [{ field: 'limit', message: 'must be >= 1' }])
})

t.test('line ends are one character in forms, and stay as they are in JSON', async (t) => {
  const { app, demo } = await startWithMemo()
  const url = '/memo/board'
  const browser = openBrowser(app)
  await browser.signIn()
  // Browsers send each line end of a form as two characters, whatever the page has.
  const write = async (body: string) =>
    browser.submit(url, { ...(await browser.hiddenFields(url)), action: 'write', body })
  const newest = async () => (await demo.send('GET', '/memo/index')).json().Data.memos[0].body
  for (const [sent, kept] of [
    ['one\r\ntwo\r\n\r\nthree', 'one\ntwo\n\nthree'],
    ['one\ntwo', 'one\ntwo'],
    ['one\rtwo', 'one\ntwo'],
    ['%0D%0A is\r\na line end', '%0D%0A is\na line end'],
    ['a\r\n'.repeat(5000), 'a\n'.repeat(5000)]
  ] as const) {
    t.equal((await write(sent)).statusCode, 303)
    t.equal(await newest(), kept)
  }
  t.equal((await write('a\r\n'.repeat(5001))).statusCode, 422, 'the limit counts what is kept')
  await demo.send('POST', '/memo/index', { body: 'one\r\ntwo' })
  t.equal(await newest(), 'one\r\ntwo')
})
