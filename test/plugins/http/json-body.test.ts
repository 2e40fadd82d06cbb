import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { Failure } from '../../../plugins/http/errors/index.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { secret } from '../../support/jwt.ts'

const limit = 2048
const created = '200 success'
const invalid = '400 BODY-INVALID'
const noTitle = '400 TODO-TITLE-REQUIRED'
const notObject = '422 VALIDATION-FAILED'

async function startWithDemo(bodyMaxBytes: number) {
  const { app } = await startService(t, { SVC_BODY_MAX_BYTES: String(bodyMaxBytes) })
  const { cookie, csrfToken } = await signIn(app)
  const headers = { cookie, 'x-csrf-token': csrfToken }
  const create = (payload: string | Buffer, more: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/todo/index', headers: { ...headers, ...more }, payload })
  return { app, headers, create }
}

const { app, headers, create } = await startWithDemo(limit)
const { create: createLarge } = await startWithDemo(1024 ** 2)

t.test('JSON is parsed whatever the Content-Type says (contract E2)', async (t) => {
  for (const type of [
    undefined,
    '',
    'application/json',
    'application/json; charset=latin1',
    'text/plain',
    'text/html; charset',
    'nonsense',
    '/',
    ';',
    'a/b/c; =x',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x'
  ]) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    for (const [body, expected] of [
      ['{"title":"milk"}', created],
      ['title=milk', invalid],
      ['', noTitle]
    ] as const) {
      const response = await create(Buffer.from(body), headers)
      t.equal(outcome(response), expected, `${type}: ${body}`)
    }
  }
})

t.test('what is not a JSON text in UTF-8 is BODY-INVALID (contract HTTP-2)', async (t) => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  const cases: [name: string, body: string | Buffer, expected: string][] = [
    ['empty parses as null (contract E2)', '', noTitle],
    ['null', 'null', noTitle],
    ['an object without fields', '{}', noTitle],
    ['an array', '[]', notObject],
    ['a string', '"title"', notObject],
    ['a number', '1', notObject],
    ['a boolean', 'true', notObject],
    ['white space around', ' \n{"title":"x"}\t', created],
    ['white space alone', '  ', invalid],
    ['a byte order mark before it', '\ufeff{"title":"x"}', created],
    ['a byte order mark alone', '\ufeff', invalid],
    ['two byte order marks', '\ufeff\ufeff', invalid],
    ['two before an object (RFC 8259 §8.1)', '\ufeff\ufeff{"title":"x"}', invalid],
    ['form-encoded', 'title=x&y=z', invalid],
    ['multipart', '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--x--', invalid],
    ['broken', '{"title":', invalid],
    ['a trailing comma', '{"title":"x",}', invalid],
    ['two documents', '{"title":"x"}{"title":"y"}', invalid],
    ['a comment', '{"title":"x"} // y', invalid],
    ['single quotes', "{'title':'x'}", invalid],
    ['NaN', '{"title":NaN}', invalid],
    ['a control character in a string', '{"title":"a\nb"}', invalid],
    ['invalid UTF-8', latin1('{"title":"\xff\xfe"}'), invalid],
    ['cut UTF-8', latin1('{"title":"\xe2\x82"}'), invalid],
    ['an encoded surrogate', latin1('{"title":"\xed\xa0\x80"}'), invalid],
    ['UTF-16', Buffer.from('{"title":"x"}', 'utf16le'), invalid],
    ['__proto__', '{"title":"x","__proto__":{"is_completed":true}}', invalid],
    ['__proto__, escaped', '{"title":"x","\\u005f\\u005fproto__":{}}', invalid],
    ['__proto__, nested', '{"title":"x","a":[{"b":{"__proto__":1}}]}', invalid],
    ['__proto__ as a value', '{"title":"__proto__"}', created],
    ['constructor', '{"title":"x","constructor":{"prototype":{"is_completed":true}}}', created]
  ]
  for (const [name, body, expected] of cases) t.equal(outcome(await create(body)), expected, name)
  t.notOk('is_completed' in {} || 'is_completed' in Object, 'no prototype is touched')
})

t.test('JSON nests at most 64 deep: BODY-INVALID beyond it (contract HTTP-2)', async (t) => {
  const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  for (const [name, body, expected] of [
    ['64 arrays', nest(64), notObject],
    ['65 arrays', nest(65), invalid],
    ['64 with the object around', `{"title":"x","more":${nest(63)}}`, created],
    ['65 with the object around', `{"title":"x","more":${nest(64)}}`, invalid],
    ['arrays and objects in turn', `{"title":"x","a":${'[{"b":'.repeat(32)}1`, invalid],
    ['brackets in a string', `{"title":"x","more":"${'[{'.repeat(100)}"}`, created],
    ['a quote in a string', `{"title":"x","more":"\\"${'['.repeat(100)}"}`, created],
    ['a string that ends in a backslash', `{"title":"x","a":"\\\\","b":${nest(64)}}`, invalid],
    ['side by side', `{"title":"x","more":[${'[],'.repeat(1000)}[]]}`, created],
    ['closed more than opened', `${']'.repeat(100)}${'['.repeat(100)}`, invalid],
    ['100,000 levels', nest(100_000), invalid],
    ['never closed', '['.repeat(100_000), invalid]
  ] as const) {
    t.equal(outcome(await createLarge(body)), expected, name)
  }
})

t.test(
  'JSON may hold 20,000 objects, arrays and strings, or what the largest batch needs',
  async (t) => {
    // The object, its three strings and the array are 5.
    const holding = (count: number, item: string) =>
      `{"title":"x","more":[${Array(count - 5).fill(item)}]}`
    for (const item of ['[]', '{}', '""']) {
      t.equal(outcome(await createLarge(holding(20_000, item))), created)
      t.equal(outcome(await createLarge(holding(20_001, item))), '413 BODY-TOO-LARGE')
    }
    t.equal(outcome(await createLarge(holding(100_000, 'true'))), created)
    t.equal(outcome(await createLarge(`{"title":"x","more":"${',[{'.repeat(20_000)}"}`)), created)

    const { app } = await startService(t, { SVC_BATCH_MAX: '10000' })
    const { send } = await signIn(app)
    const batch = (count: number) =>
      send('POST', '/todo/batch', { items: Array(count).fill({ title: 'x', is_completed: true }) })
    t.equal(outcome(await batch(10_000)), created)
    t.equal(outcome(await batch(10_001)), '400 BATCH-TOO-LARGE')
    t.equal(outcome(await batch(25_000)), '400 BATCH-TOO-LARGE')

    const large = { id: 1, more: Array(100_000).fill('') }
    for (const [name, body] of [
      ['one large item', { items: [large] }],
      ['no array', { items: 'x', ...large }],
      ['an array of another name', { items: [], ...large }],
      ['an array within', { more: { items: large.more } }]
    ] as const) {
      t.equal(outcome(await send('POST', '/todo/batch', body)), '413 BODY-TOO-LARGE', name)
    }
  }
)

t.test(
  'requests with credentials may have 16 KiB, or less if SVC_BODY_MAX_BYTES is less',
  async (t) => {
    for (const [most, env] of [
      [16 * 1024, {}],
      [limit, { SVC_BODY_MAX_BYTES: String(limit) }]
    ] as const) {
      const { app } = await startService(t, { SVC_JWT_SECRET: secret, ...env })
      for (const url of ['/session/login', '/token/issue', '/password-reset']) {
        for (const [bytes, expected] of [
          [most, '422 VALIDATION-FAILED'],
          [most + 1, '413 BODY-TOO-LARGE']
        ] as const) {
          const payload = `{}${' '.repeat(bytes - 2)}`
          const response = await app.inject({ method: 'POST', url, payload })
          t.equal(outcome(response), expected, `${url}: ${bytes} bytes of ${most}`)
        }
      }
    }
  }
)

t.test(
  'a form may have 64 KiB, the login form 16, or less if SVC_BODY_MAX_BYTES is less',
  async (t) => {
    for (const [env, board, login] of [
      [{}, 64 * 1024, 16 * 1024],
      [{ SVC_BODY_MAX_BYTES: String(limit) }, limit, limit]
    ] as const) {
      const { app } = await startService(t, env)
      const { cookie } = await signIn(app)
      for (const [url, most] of [
        ['/board/index', board],
        ['/login/index', login]
      ] as const) {
        for (const bytes of [most, most + 1]) {
          const response = await app.inject({
            method: 'POST',
            url,
            headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
            payload: `a=${'x'.repeat(bytes - 2)}`
          })
          const isTooLarge = response.statusCode === 413
          t.equal(isTooLarge, bytes > most, `${url}: ${bytes} bytes of ${most}`)
        }
      }
    }
  }
)

t.test('a handler sees the members that its schema names, and no raw body', async (t) => {
  const service = await startService(t)
  let seen: unknown
  service.app.verifyCredentials = async (request) => {
    seen = { body: request.body, rawBody: request.rawBody }
    return Promise.reject(new Failure('LOGIN-FAILED'))
  }
  const payload = { user_id: 'demo', user_pass: 'x', more: [[]] }
  await service.app.inject({ method: 'POST', url: '/session/login', payload })
  t.same(seen, { body: { user_id: 'demo', user_pass: 'x' }, rawBody: null })
})

t.test('the limit of a body is exact: BODY-TOO-LARGE beyond it (contract HTTP-2)', async (t) => {
  for (const [bytes, expected] of [
    [limit, created],
    [limit + 1, '413 BODY-TOO-LARGE'],
    [10 * limit, '413 BODY-TOO-LARGE']
  ] as const) {
    const body = `{"title":"x"${' '.repeat(bytes - 13)}}`
    t.equal(outcome(await create(body)), expected, `${bytes} bytes`)
  }
})

t.test('only POST, PUT and PATCH have a body (contract E2)', async (t) => {
  const newUrl = async () => `/todo/item/id_${(await create('{"title":"x"}')).json().Data.todo.id}`
  for (const payload of ['{ broken', '', Buffer.from([0xff]), 'x'.repeat(limit + 1)]) {
    const response = await app.inject({
      method: 'DELETE',
      url: await newUrl(),
      headers: { ...headers, 'content-type': 'nonsense' },
      payload
    })
    t.equal(outcome(response), created, 'a body on DELETE is ignored')
  }
  for (const [method, expected] of [
    ['PUT', noTitle],
    ['PATCH', notObject]
  ] as const) {
    const url = await newUrl()
    t.equal(outcome(await app.inject({ method, url, headers })), expected, `${method} without body`)
    const broken = await app.inject({ method, url, headers, payload: '{ broken' })
    t.equal(outcome(broken), invalid, `${method} broken`)
  }
})

t.test('a chunked body is read, and has the same limit (contract E2)', async (t) => {
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const send = (chunks: string[]) =>
    new Promise<string>((resolve, reject) => {
      const path = '/todo/index'
      const outgoing = request({ port, method: 'POST', path, headers }, (incoming) => {
        let body = ''
        incoming.setEncoding('utf8').on('data', (text) => {
          body += text
        })
        incoming.on('end', () =>
          resolve(outcome({ statusCode: incoming.statusCode ?? 0, json: () => JSON.parse(body) }))
        )
      })
      outgoing.on('error', reject)
      for (const chunk of chunks) outgoing.write(chunk)
      outgoing.end()
    })
  const spaces = Array<string>(40).fill(' '.repeat(100))
  t.equal(await send(['{"tit', 'le":"mi', 'lk"}']), created)
  t.equal(await send(['{"title":']), invalid)
  t.equal(await send(['{"title":"x"', ...spaces, '}']), '413 BODY-TOO-LARGE')
})
