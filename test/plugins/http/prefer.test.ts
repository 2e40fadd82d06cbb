import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'

const { app } = await startService(t)
const { cookie, csrfToken } = await signIn(app)
const send = (prefer: string | undefined, method: 'GET' | 'POST', url: string, body?: unknown) =>
  app.inject({
    method,
    url,
    headers: { cookie, 'x-csrf-token': csrfToken, ...(prefer !== undefined && { prefer }) },
    ...(body !== undefined && { payload: JSON.stringify(body) })
  })

t.test('handling=strict names what the operation does not know', async (t) => {
  const cases: ['GET' | 'POST', string, unknown, string[]][] = [
    ['GET', '/todo/index?is_complete=true', undefined, ['query is_complete']],
    ['GET', '/todo/index?limit=1&a=1&a=2&b', undefined, ['query a', 'query b']],
    ['GET', '/todo/index/id_7', undefined, ['params id']],
    ['GET', '/todo/item/id_7/x_1?y=1', undefined, ['params x', 'query y']],
    ['GET', '/todo/item/%69d_7/%78_1', undefined, ['params x']],
    ['POST', '/todo/index', { title: 'a', done: true }, ['body done']],
    ['POST', '/todo/index', { titel: 'a' }, ['body titel', 'body title']],
    [
      'POST',
      '/todo/batch',
      { items: [{ title: 'a' }, { title: 'b', x: 1 }], y: 1 },
      ['body items.1.x', 'body y']
    ],
    ['POST', '/session/endothers', { x: 1 }, ['body x']],
    ['GET', '/session/current?x=1', undefined, ['query x']],
    ['GET', '/health/index?x=1', undefined, ['query x']]
  ]
  for (const [method, url, body, expected] of cases) {
    const response = await send('handling=strict', method, url, body)
    t.equal(outcome(response), '422 VALIDATION-FAILED', url)
    t.equal(response.headers['preference-applied'], 'handling=strict')
    const { details } = response.json().Data
    t.same(
      details.map((it: { in: string; field: string }) => `${it.in} ${it.field}`),
      expected
    )
    const lenient = await send(undefined, method, url, body)
    t.notMatch(lenient.body, /not known here/, 'ignored otherwise')
    t.equal(lenient.headers['preference-applied'], undefined)
  }
  t.same((await send(undefined, 'GET', '/todo/index')).json().Data.todos.length, 3)
})

t.test(
  'with an access token strict is the default, and lenient turns it off (contract HTTP-8)',
  async (t) => {
    const { bearer } = await makeAccessToken(app, { user_id: 'demo' })
    const cases = [
      ['GET', '/todo/index?completed=false', undefined, 'query completed'],
      ['POST', '/todo/index', { title: 'x', completed: true }, 'body completed'],
      ['PATCH', '/todo/item/id_1', { is_completed: true }, 'headers if-match']
    ] as const
    for (const [method, url, payload, expected] of cases) {
      const condition = expected.startsWith('headers') && { 'if-match': '"v1"' }
      const ask = (headers: object) =>
        app.inject({
          method,
          url,
          headers: { ...condition, ...headers },
          ...(payload && { payload })
        })
      for (const prefer of [
        '',
        'return=minimal',
        'handling=strict',
        'handling=strict, handling=lenient'
      ]) {
        const refused = await ask({ ...bearer, prefer })
        t.equal(outcome(refused), '422 VALIDATION-FAILED', `${url} ${prefer}`)
        const [{ in: part, field }] = refused.json().Data.details
        t.equal(`${part} ${field}`, expected)
      }
      const lenient = await ask({ ...bearer, prefer: 'handling=lenient' })
      t.equal(outcome(lenient), '200 success', url)
      t.equal(lenient.headers['preference-applied'], 'handling=lenient')
      t.equal(outcome(await ask({ cookie, 'x-csrf-token': csrfToken })), '200 success', 'a session')
    }
  }
)

t.test('handling=strict refuses a condition that a write does not check', async (t) => {
  const sent = async (method: 'GET' | 'DELETE', url: string, prefer: string) => {
    const headers = { cookie, 'x-csrf-token': csrfToken, 'if-match': '"v1"', prefer }
    return app.inject({ method, url, headers })
  }
  const strict = 'handling=strict'
  const refused = await sent('DELETE', '/todo/item/id_2', strict)
  t.equal(outcome(refused), '422 VALIDATION-FAILED')
  t.match(refused.json().Data.details, [{ in: 'headers', field: 'if-match' }])
  t.equal(outcome(await sent('GET', '/todo/item/id_2', strict)), '200 success')
  t.equal(outcome(await sent('DELETE', '/todo/item/id_2', '')), '200 success', 'ignored otherwise')
  const created = await send(strict, 'POST', '/memo/index', { body: 'a' })
  t.equal(created.headers.etag, '"v1"')
  const url = `/memo/item/id_${created.json().Data.memo.id}`
  t.equal(outcome(await sent('DELETE', url, strict)), '200 success', 'checked by memos')
})

t.test('known parameters pass, and the answer confirms the preference', async (t) => {
  const passing: ['GET' | 'POST', string, unknown?][] = [
    ['GET', '/todo/index?is_completed=true&q=a&updated_since=2026-01-01T00:00:00Z&limit=1'],
    ['GET', '/todo/index/'],
    ['GET', '//todo/index'.slice(1)],
    ['POST', '/todo/index', { title: 'a' }],
    ['GET', '/todo/item/id_1/?'],
    ['GET', 'http://localhost/todo/item/id_1'],
    ['POST', '/memo/index', { body: 'a' }]
  ]
  for (const [method, url, body] of passing) {
    const response = await send('handling=strict', method, url, body)
    t.equal(outcome(response), '200 success', url)
    t.equal(response.headers['preference-applied'], 'handling=strict')
  }
  const bad = await send('handling=strict', 'POST', '/todo/index', { title: ' ' })
  t.equal(outcome(bad), '400 TODO-TITLE-REQUIRED')
})

t.test('Prefer is read as RFC 7240 says; unknown preferences are ignored', async (t) => {
  const applied = async (prefer: string) => {
    const response = await send(prefer, 'POST', '/todo/batch', { items: [] })
    t.equal(outcome(response), '200 success', prefer)
    return response.headers['preference-applied']
  }
  const strict = 'handling=strict'
  for (const prefer of [
    ...['handling=strict', 'Handling=strict', 'handling = strict', 'handling="strict"'],
    ...['handling="stri\\ct"', 'handling=strict; a=b', 'handling=strict;a="x, return=minimal"'],
    ...['wait=10, handling=strict', 'x="a, b",handling=strict', ', ,handling=strict,'],
    ...['handling=strict, handling=lenient', 'respond-async, handling=strict, respond-async']
  ]) {
    t.equal(await applied(prefer), strict, prefer)
  }
  for (const prefer of [
    ...[
      '',
      'handling',
      'handling=',
      'handling=""',
      'handling=lenient',
      'handling=stric',
      'handlin=strict'
    ],
    ...[
      'handling=lenient, handling=strict',
      'strict',
      'x="handling=strict"',
      'x="a, handling=strict'
    ],
    ...['handling:strict', '"handling=strict"', 'return=representation', ';', '"', '\\']
  ]) {
    t.equal(await applied(prefer), undefined, prefer)
  }
  t.equal(await applied('return=minimal, handling=strict'), 'handling=strict, return=minimal')
  t.equal(await applied('handling=strict,return=minimal'), 'handling=strict, return=minimal')
  t.equal(await applied('return=representation, return=minimal'), undefined)
  t.equal(await applied(`${'a="b,",'.repeat(1500)}handling=strict`), strict, 'a long one')
})

t.test('a hostile Prefer is read in one pass', async (t) => {
  // If it were read again from each space, each of these would take minutes.
  const spaces = ' '.repeat(200_000)
  for (const prefer of [
    ...[`a=${spaces}@`, `a${spaces}@`, `${spaces}@`, `a=b${spaces}@`, `a="b"${spaces}@`],
    ...[`a="${spaces}`, '"'.repeat(200_001), `a="${'\\'.repeat(200_001)}`, ';'.repeat(200_000)]
  ]) {
    const response = await send(prefer, 'POST', '/todo/batch', { items: [] })
    t.equal(outcome(response), '200 success', JSON.stringify(prefer.slice(0, 5)))
  }
})

t.test('of a thousand unknown members fifty are named', async (t) => {
  const body = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`m${n}`, 1]))
  const response = await send('handling=strict', 'POST', '/todo/index', body)
  t.equal(response.json().Data.details.length, 50)
})
