import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { componentOf, orNull, ref } from '../../../schemas/common.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'

const missing = '400 TODO-ID-REQUIRED'
const absent = '404 TODO-NOT-FOUND'
const noTitle = '400 TODO-TITLE-REQUIRED'
const invalid = '422 VALIDATION-FAILED'
const done = '200 success'

/** demo, signed in, with one todo: id 1, "first". */
async function startWithTodo(t: Test) {
  const { app } = await startService(t)
  const demo = await signIn(app)
  await demo.send('POST', '/todo/index', { title: 'first' })
  return { app, demo }
}

/** For what changes no todo. */
const { app, demo } = await startWithTodo(t)

t.test('ids: all digits, else ID-REQUIRED; past 2^53-1 NOT-FOUND (contract HTTP-4)', async (t) => {
  const { demo } = await startWithTodo(t)
  const cases: [segment: string, expected: string][] = [
    ['', missing],
    ['/id_', missing],
    ['/other_1', missing],
    ['/id_abc', missing],
    ['/id_-1', missing],
    ['/id_+1', missing],
    ['/id_1.5', missing],
    ['/id_1.0', missing],
    ['/id_1e0', missing],
    ['/id_0x1', missing],
    ['/id_1_000', missing],
    ['/id_%201', missing],
    ['/id_1%0A', missing],
    ['/id_1%00', missing],
    ['/id_%D9%A1', missing],
    ['/id_null', missing],
    ['/id_true', missing],
    ['/id_NaN', missing],
    ['/id_Infinity', missing],
    ['/id_0', absent],
    ['/id_7', absent],
    ['/id_9007199254740991', absent],
    ['/id_9007199254740992', absent],
    ['/id_12345678901234567890', absent],
    [`/id_${'9'.repeat(400)}`, absent],
    ['/id_007', absent],
    ['/id_001', done],
    ['/id_1', done]
  ]
  for (const [segment, expected] of cases) {
    const url = `/todo/item${segment}`
    const name = url.slice(0, 60)
    t.equal(outcome(await demo.send('GET', url)), expected, `GET ${name}`)
    t.equal(outcome(await demo.send('PUT', url, { title: 'a' })), expected, `PUT ${name}`)
    t.equal(outcome(await demo.send('PATCH', url, { title: 'b' })), expected, `PATCH ${name}`)
    if (expected === done) continue
    t.equal(outcome(await demo.send('DELETE', url)), expected, `DELETE ${name}`)
  }
})

t.test('titles: empty is TITLE-REQUIRED, else VALIDATION-FAILED (contract TODO-2)', async (t) => {
  const { demo } = await startWithTodo(t)
  const cases: [body: unknown, expected: string, stored?: string][] = [
    [{}, noTitle],
    [null, noTitle],
    [{ title: null }, noTitle],
    [{ title: '' }, noTitle],
    [{ title: ' ' }, noTitle],
    [{ title: ' \t\r\n\v\f\u00a0\u2003\u3000\ufeff\u2028' }, noTitle],
    [{ title: ' '.repeat(300) }, noTitle],
    [{ Title: 'x' }, noTitle],
    [{ title: 0 }, invalid],
    [{ title: 12 }, invalid],
    [{ title: true }, invalid],
    [{ title: ['x'] }, invalid],
    [{ title: { x: 1 } }, invalid],
    [[], invalid],
    [{ title: 'x'.repeat(256) }, invalid],
    [{ title: '🥛'.repeat(256) }, invalid],
    [{ title: 'x'.repeat(255) }, done, 'x'.repeat(255)],
    [{ title: 'é'.repeat(255) }, done, 'é'.repeat(255)],
    [{ title: '🥛'.repeat(255) }, done, '🥛'.repeat(255)],
    [{ title: '  a  b\n' }, done, 'a  b'],
    [{ title: ` ${'x'.repeat(254)} ` }, done, 'x'.repeat(254)],
    [{ title: `\n${'x'.repeat(255)}\n` }, done, 'x'.repeat(255)],
    [{ title: ` ${'x'.repeat(256)} ` }, invalid],
    [{ title: '\u3000牛乳\ufeff' }, done, '牛乳'],
    [{ title: '0' }, done, '0'],
    // UTF-8 has no bytes for half of a surrogate pair, so it would be stored as U+FFFD.
    [{ title: 'a\ud83d' }, invalid],
    [{ title: '\udd5b\ud83e' }, invalid],
    [{ title: 'x', unknown: '\ud83d' }, done, 'x'],
    // PostgreSQL cannot store U+0000, so neither database gets one.
    [{ title: 'a\u0000b' }, invalid],
    [{ title: "'; DROP TABLE todos; --" }, done, "'; DROP TABLE todos; --"],
    [{ title: '<b>&amp;</b>' }, done, '<b>&amp;</b>']
  ]
  for (const [body, expected, stored] of cases) {
    for (const [method, url] of [
      ['POST', '/todo/index'],
      ['PUT', '/todo/item/id_1']
    ] as const) {
      const response = await demo.send(method, url, body)
      const name = `${method} ${JSON.stringify(body)
        .slice(0, 40)
        .replace(/[^ -~]/g, '?')}`
      t.equal(outcome(response), expected, name)
      if (stored === undefined) continue
      const { id, title } = response.json().Data.todo
      t.equal(title, stored, `${name} is stored trimmed`)
      t.equal((await demo.send('GET', `/todo/item/id_${id}`)).json().Data.todo.title, stored)
    }
  }
})

t.test('half of a surrogate pair is refused, with the field (contract HTTP-4)', async (t) => {
  const { app } = await startWithTodo(t)
  const admin = await signIn(app, 'admin')
  const half = 'a\ud83d'
  const message = 'must not contain half of a surrogate pair'
  for (const [url, body, field] of [
    ['/todo/index', { title: half }, 'title'],
    ['/session/login', { user_id: 'demo', user_pass: half }, 'user_pass'],
    ['/admin/mail/index', { user_id: 'demo', subject: 'x', text: half }, 'text'],
    ['/activity/undo', { run: half }, 'run']
  ] as const) {
    const response = await admin.send('POST', url, body)
    t.equal(outcome(response), invalid, url)
    t.match(response.json().Data.details, [{ in: 'body', field }], url)
  }
  const items = [{ title: half }, { title: '🥛' }]
  const batch = (await admin.send('POST', '/todo/batch', { items })).json().Data
  t.same(batch.items[0].details, [{ in: 'body', field: 'title', message }])
  t.equal(batch.items[1].todo.title, '🥛', 'an item fails alone (contract BATCH-1)')
})

t.test('values in a body are never coerced (contract HTTP-3)', async (t) => {
  const { app, demo } = await startWithTodo(t)
  for (const is_completed of ['true', 'false', '', 0, 1, null, [], {}]) {
    const url = '/todo/item/id_1'
    const name = JSON.stringify(is_completed)
    const put = await demo.send('PUT', url, { title: 'x', is_completed })
    t.equal(outcome(put), invalid, `PUT ${name}`)
    t.equal(outcome(await demo.send('PATCH', url, { is_completed })), invalid, `PATCH ${name}`)
  }
  for (const credentials of [
    {},
    { user_id: 'demo' },
    { user_pass: 'demo' },
    { user_id: 1, user_pass: 'demo' },
    { user_id: 'demo', user_pass: null },
    { user_id: ['demo'], user_pass: 'demo' },
    null,
    []
  ]) {
    const payload = JSON.stringify(credentials)
    const response = await app.inject({ method: 'POST', url: '/session/login', payload })
    t.equal(outcome(response), invalid, `login with ${payload}`)
  }
  const { title, is_completed } = (await demo.send('GET', '/todo/item/id_1')).json().Data.todo
  t.same([title, is_completed], ['first', false], 'nothing was changed')
})

t.test('values in a query are coerced where written plainly (contract HTTP-3)', async (t) => {
  const cases: [query: string, expected: string][] = [
    ['limit=1', done],
    ['limit=001', done],
    ['limit=500', done],
    ['limit=0', invalid],
    ['limit=501', invalid],
    ['limit=-1', invalid],
    ['limit=abc', invalid],
    ['limit=1.5', invalid],
    ['limit=1e2', invalid],
    ['limit=0x1', invalid],
    ['limit=', invalid],
    ['limit', invalid],
    ['limit=1&limit=2', invalid],
    ['limit=12345678901234567890', invalid],
    ['cursor=0', done],
    ['cursor=9007199254740991', done],
    ['cursor=9007199254740992', invalid],
    [`cursor=${'9'.repeat(400)}`, invalid],
    ['cursor=-1', invalid],
    ['cursor=abc', invalid],
    ['cursor=null', invalid],
    ['unknown=1', done],
    ['__proto__=1&constructor=2', done]
  ]
  for (const [query, expected] of cases) {
    t.equal(outcome(await demo.send('GET', `/todo/index?${query}`)), expected, query.slice(0, 60))
  }
})

t.test('VALIDATION-FAILED says what is wrong and where (contract HTTP-4)', async (t) => {
  const cases: ['GET' | 'POST' | 'PATCH', string, unknown, string[]][] = [
    ['POST', '/todo/index', { title: 1 }, ['body title']],
    ['POST', '/todo/index', [], ['body ']],
    ['GET', '/todo/index?limit=x&cursor=y', undefined, ['query limit', 'query cursor']],
    [
      'PATCH',
      '/todo/item/id_1',
      { title: 1, is_completed: 'a secret' },
      ['body title', 'body is_completed']
    ],
    ['POST', '/session/login', { user_pass: 'a secret' }, ['body user_id']]
  ]
  for (const [method, url, payload, expected] of cases) {
    const response = await demo.send(method, url, payload)
    t.equal(outcome(response), invalid)
    const { details, ...rest } = response.json().Data
    t.same(rest, {
      status: 'failure',
      errorCode: 'VALIDATION-FAILED',
      errorMessage: 'One or more input fields failed validation.'
    })
    const where = details.map((detail: { in: string; field: string; message: string }) => {
      t.same(Object.keys(detail), ['in', 'field', 'message'])
      t.match(detail.message, /\w+/)
      return `${detail.in} ${detail.field}`
    })
    t.same(where, expected, `${method} ${url}`)
    t.notMatch(response.body, /a secret/, 'values are not repeated')
  }
  const neither = await demo.send('PATCH', '/todo/item/id_1', {})
  t.equal(outcome(neither), invalid, 'PATCH with neither field (contract TODO-3)')
  t.ok(neither.json().Data.details.length > 0)
})

t.test('unknown fields of a body are ignored (contract HTTP-4)', async (t) => {
  const { demo } = await startWithTodo(t)
  const body = { title: 'x', id: 77, user_id: 1, is_completed: true, created_at: '', more: [] }
  const { todo } = (await demo.send('POST', '/todo/index', body)).json().Data
  t.match(todo, { id: 2, title: 'x', is_completed: false, created_at: '2026-11-21T09:30:00.000Z' })
  t.notOk('more' in todo || 'user_id' in todo)
})

t.test(
  'an empty change, and one of two fields too many, get one detail, which names the possible fields',
  async (t) => {
    const { details } = (await demo.send('PATCH', '/todo/item/id_1', {})).json().Data
    t.match(details, [
      { in: 'body', field: '', message: /^must have title or [\w ]*is_completed$/ }
    ])
    t.equal(details.length, 1)
    const undo = (await demo.send('POST', '/activity/undo', {})).json().Data
    t.same(undo.details, [{ in: 'body', field: '', message: 'must have run or ids' }])
    const both = (await demo.send('POST', '/activity/undo', { run: 'r', ids: [1] })).json().Data
    t.same(both.details, [{ in: 'body', field: '', message: 'must have run or ids, not both' }])
  }
)

t.test('of a value that may be null, only what is wrong with the value is named', async (t) => {
  const { app } = await startWithTodo(t)
  const check = app.check(Type.Object({ rating: orNull(Type.Integer({ maximum: 5 })) }))
  t.equal(check({ rating: null }).failure, null)
  for (const [rating, message] of [
    [9, 'must be <= 5'],
    ['x', 'must be integer']
  ] as const) {
    const details = [{ in: 'body', field: 'rating', message }]
    t.same(check({ rating }).failure?.data, { details })
  }
})

t.test('a refusal says what would be taken, in words', async (t) => {
  const send = async (url: string, body?: object) =>
    (await demo.send(body ? 'POST' : 'GET', url, body)).json().Data.details[0].message
  t.equal(await send('/activity/index?kind=todos'), 'must be one of todo, memo, attachment')
  t.equal(
    await send('/search/index?q=a&kinds=x'),
    'must name kinds, with commas between them, of todo, memo, attachment'
  )
  t.equal(await send('/todo/index?updated_since=x'), 'must be a time such as 2026-11-21T09:30:00Z')
  t.equal(
    await send('/activity/undo', { run: 'a b' }),
    'must be 1 to 64 letters, digits, `.`, `_` or `-`'
  )
})

t.test('every pattern of what callers send is said in words (contract HTTP-4)', async (t) => {
  function check(schema: unknown, where: string) {
    if (typeof schema !== 'object' || schema === null) return
    const {
      pattern,
      'x-must': words,
      'x-error-codes': codes,
      ...rest
    } = Object(componentOf(schema) ?? schema)
    if (typeof pattern === 'string') t.ok(words ?? codes?.pattern, `${where}: ${pattern}`)
    for (const [name, part] of Object.entries(rest)) check(part, `${where}.${name}`)
  }
  for (const {
    id,
    schema: { body, params, querystring, headers }
  } of app.operations) {
    check({ body, params, querystring, headers }, id)
  }
})

t.test('a list is checked for repeated items in a time that grows with its length', async (t) => {
  const send = (scopes: (string | number)[]) =>
    demo.send('POST', '/accesstoken/index', { name: 'x', scopes })
  const repeated = (await send(['todo:read', 'memo:read', 'todo:read'])).json().Data
  t.same(repeated.details, [
    { in: 'body', field: 'scopes', message: 'must NOT have duplicate items' }
  ])
  t.equal(outcome(await send(['todo:read', 'memo:read'])), done)
  const began = performance.now()
  t.equal(outcome(await send(Array.from({ length: 40_000 }, (_, i) => i))), invalid)
  t.ok(performance.now() - began < 8000, 'pair by pair it takes much longer')
})

t.test('of a list that is too long only the beginning is checked', async (t) => {
  const response = await demo.send('POST', '/activity/undo', { ids: Array(501).fill(0.5) })
  t.equal(outcome(response), invalid)
  const [first, second] = response.json().Data.details
  t.same(first, { in: 'body', field: 'ids', message: 'must NOT have more than 500 items' })
  t.same(second, { in: 'body', field: 'ids.0', message: 'must be integer' })

  const check = app.check(Type.Object({ ids: Type.Array(Type.Integer(), { maxItems: 2 }) }))
  const body = { ids: Array(100_000).fill(0.5) }
  t.ok(check(body).failure)
  t.equal(body.ids.length, 3)
})

t.test(
  'a bad percent-encoding is REQUEST-INVALID, wherever it stands (contract HTTP-2)',
  async (t) => {
    for (const bad of ['%zz', '%ff', '%', '%e2%82', '%c0%80']) {
      for (const url of [
        `/todo/index?q=${bad}`,
        `/todo/index?${bad}=1`,
        `/todo/index?unknown=a&${bad}`,
        `/todo/item/id_${bad}`,
        `/todo/item/unknown_${bad}/id_1`,
        `/no/such?a=${bad}`,
        `/${bad}`
      ]) {
        t.equal(outcome(await demo.send('GET', url)), '400 REQUEST-INVALID', url)
      }
    }
    t.equal(
      outcome(await demo.send('GET', '/todo/index?q=100%25&%71=a')),
      invalid,
      'q is there twice'
    )
  }
)

t.test('services in one process do not share components', async (t) => {
  const startWith = (field: string) => {
    const Sample = Type.Object({ [field]: Type.String() }, { $id: 'Sample' })
    const schema = { body: ref(Sample), response: { 200: ref(Sample) } }
    return startService(t, {}, (app) => {
      app.post('/sample/index', { config: { allow: ['anyone'] }, schema }, async () => ({
        first: '1',
        second: '2'
      }))
    })
  }
  const both = [(await startWith('first')).app, (await startWith('second')).app] as const
  for (const [app, field, answer] of [
    [both[0], 'first', { first: '1' }],
    [both[1], 'second', { second: '2' }]
  ] as const) {
    const send = (payload: object) => app.inject({ method: 'POST', url: '/sample/index', payload })
    t.same((await send({ [field]: 'x' })).json(), answer)
    t.equal(outcome(await send({ other: 'x' })), invalid)
  }
})
