import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createBoundedServer } from '../../../plugins/http/pressure/connections.ts'
import { answerClientError } from '../../../plugins/http/socket.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'

/** Sends bytes as they are and resolves with all that comes back until the server hangs up. */
function exchange(port: number, bytes: string | Buffer, { halfClose = false } = {}) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (halfClose) socket.end(bytes)
      else socket.write(bytes)
    })
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

/** Reads exactly one HTTP response out of the text; fails the test if there is more or less. */
function parse(t: Test, text: string, hasBody = true) {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  t.match(statusLine, /^HTTP\/1\.1 \d{3} [A-Z][A-Za-z -]+$/, 'well-formed status line')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^\s:]+): (.*)$/.exec(line) ?? []
    t.ok(name, `well-formed header: ${line}`)
    t.notOk(name.toLowerCase() in headers, `${name} is there once`)
    headers[name.toLowerCase()] = value
  }
  const body = text.slice(end + 4)
  if (hasBody) t.equal(Buffer.byteLength(body), Number(headers['content-length']), 'whole body')
  else t.equal(body, '')
  t.hasStrict(
    headers,
    { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    'common headers (contract ERROR-3)'
  )
  t.match(headers['x-request-id'], /^[0-9a-f-]{36}$/)
  return { statusCode: Number(statusLine.split(' ')[1]), headers, json: () => JSON.parse(body) }
}

async function listen(t: Test) {
  const { app } = await startService(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, port: (app.server.address() as AddressInfo).port }
}

const request = (line: string, ...headers: string[]) =>
  [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')

const hostOf = (host: string) =>
  `GET /health/index HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

t.test('whatever is sent, the answer is the envelope (contract ERROR-3, HTTP-7)', async (t) => {
  const { port } = await listen(t)
  const refused = '400 REQUEST-INVALID'
  const closed = '401 SESSION-CLOSED'
  const invalid = '422 VALIDATION-FAILED'
  const login = 'POST /session/login HTTP/1.1'
  const cases: [name: string, bytes: string | Buffer, expected: string][] = [
    ['no request line', 'nonsense\r\n\r\n', refused],
    ['binary', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), refused],
    ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', refused],
    ['unknown version', request('GET /health/index HTTP/9.9'), refused],
    ['unknown method', request('NONSENSE /health/index HTTP/1.1'), refused],
    ['space in the path', request('GET /health/in dex HTTP/1.1'), refused],
    ['bad header name', request('GET /health/index HTTP/1.1', 'Bad Header: x'), refused],
    ['header without a name', request('GET /health/index HTTP/1.1', ': x'), refused],
    ['control character', request('GET /health/index HTTP/1.1', 'X-A: a\u0000b'), refused],
    [
      'header overflow',
      request('GET /health/index HTTP/1.1', `X-A: ${'a'.repeat(70_000)}`),
      refused
    ],
    ['path overflow', request(`GET /${'a'.repeat(70_000)} HTTP/1.1`), refused],
    ['no Host', 'GET /health/index HTTP/1.1\r\nConnection: close\r\n\r\n', refused],
    ['no Host, where sessions are made', `${login}\r\nConnection: close\r\n\r\n`, refused],
    ['Content-Length of letters', request(login, 'Content-Length: x'), refused],
    ['negative Content-Length', request(login, 'Content-Length: -1'), refused],
    ['two lengths', request(login, 'Content-Length: 1', 'Content-Length: 2'), refused],
    [
      'length and chunks',
      request(login, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      refused
    ],
    ['bad chunk', `${request(login, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`, refused],
    ['bad percent-encoding', request('GET /health/%zz HTTP/1.1'), refused],
    ['cut percent-encoding', request('GET /health/index/a_% HTTP/1.1'), refused],
    ['percent-encoded bad UTF-8', request('GET /todo/item/id_%ff HTTP/1.1'), refused],
    ['bad encoding in the query', request('GET /todo/index?a=%zz HTTP/1.1'), refused],
    [
      'unknown expectation',
      request('GET /health/index HTTP/1.1', 'Expect: nonsense'),
      '200 success'
    ],
    ['method on a known path', request('PROPFIND /todo/index HTTP/1.1'), '405 METHOD-NOT-ALLOWED'],
    ['method on an unknown path', request('PROPFIND /no/such HTTP/1.1'), '404 NOT-FOUND'],
    ['TRACE', request('TRACE /todo/index HTTP/1.1'), '405 METHOD-NOT-ALLOWED'],
    ['CONNECT', request('CONNECT localhost:80 HTTP/1.1'), refused],
    ['OPTIONS *', request('OPTIONS * HTTP/1.1'), '404 NOT-FOUND'],
    ['an upgrade', request('GET /todo/index HTTP/1.1', 'Upgrade: websocket'), closed],
    ['absolute form', request('GET http://localhost/health/index HTTP/1.1'), '200 success'],
    ['absolute form, guarded', request('GET http://localhost/todo/item HTTP/1.1'), closed],
    ['absolute form, 405', request('PUT http://x:1/todo/index HTTP/1.1'), '405 METHOD-NOT-ALLOWED'],
    ['absolute form, 404', request('GET http://localhost/no/such HTTP/1.1'), '404 NOT-FOUND'],
    ['HTTP/1.0', 'GET /health/index HTTP/1.0\r\n\r\n', '200 success'],
    ['no path', request('GET ? HTTP/1.1'), refused],
    ['two Hosts', request('GET /health/index HTTP/1.1', 'Host: localhost'), refused],
    ['two Hosts, HTTP/1.0', request('GET /health/index HTTP/1.0', 'hOSt: other'), refused],
    ['HTTP/2.0', request('GET /health/index HTTP/2.0'), refused],
    ['HTTP/0.9', request('GET /health/index HTTP/0.9'), refused],
    ...['', 'a/b?c@d', 'a@b', 'a b', 'a:b', 'a:65536', '[::1', '[::g]', '[v1.a]', 'a%zz', 'ä'].map(
      (host): [string, string, string] => [`Host: ${host}`, hostOf(host), refused]
    ),
    ...[
      'localhost',
      'a.example:3000',
      'a.example:',
      '127.0.0.1:1',
      '[::1]',
      '[2001:DB8::7]:65535',
      'a_b',
      '%c3%a4.example'
    ].map((host): [string, string, string] => [`Host: ${host}`, hostOf(host), '200 success']),
    ['absolute form of no host', request('GET http:///health/index HTTP/1.1'), refused],
    ['absolute form, user', request('GET http://a@b/health/index HTTP/1.1'), refused],
    ['longer than its length', `${request(login, 'Content-Length: 2')}{} and more`, invalid]
  ]
  for (const [name, bytes, expected] of cases) {
    await t.test(name, async (t) => {
      const response = parse(t, await exchange(port, bytes))
      t.equal(outcome(response), expected)
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
      t.ok(Date.parse(String(response.headers.date)), 'a date (RFC 9110 §6.6.1)')
      t.equal(response.headers.allow !== undefined, expected.startsWith('405'))
    })
  }
  const after = parse(t, await exchange(port, request('GET /health/index HTTP/1.1')))
  t.equal(outcome(after), '200 success', 'the server still answers')
})

t.test('an absolute form without a path names `/` (RFC 9110 §4.2.3)', async (t) => {
  const { port } = await listen(t)
  for (const target of ['http://localhost', 'http://localhost?a=1']) {
    const text = await exchange(port, request(`GET ${target} HTTP/1.1`))
    t.equal(parse(t, text).statusCode, 200, target)
    t.match(text, '<h1>Gatehouse</h1>')
  }
})

t.test('a body that ends early is refused (contract HTTP-2)', async (t) => {
  const { port } = await listen(t)
  const head = request('POST /session/login HTTP/1.1', 'Content-Length: 100')
  const text = await exchange(port, `${head}{"user_id":`, { halfClose: true })
  t.match(outcome(parse(t, text)), /^400 (BODY|REQUEST)-INVALID$/)
  t.equal(
    outcome(parse(t, await exchange(port, request('GET /health/index HTTP/1.1')))),
    '200 success'
  )
})

t.test('after HEAD and 405 the connection is in sync (contract E4)', async (t) => {
  const { port } = await listen(t)
  const head = parse(t, await exchange(port, request('HEAD /no/such HTTP/1.1')), false)
  t.equal(head.statusCode, 404)
  // Two requests on one connection: the first answer must end where the second begins.
  const both = await exchange(
    port,
    `PUT /todo/index HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n{ broken${request('GET /health/index HTTP/1.1')}`
  )
  const second = both.indexOf('HTTP/1.1', 1)
  t.equal(outcome(parse(t, both.slice(0, second))), '405 METHOD-NOT-ALLOWED')
  t.equal(outcome(parse(t, both.slice(second))), '200 success')
})

t.test('after a refused message the connection ends, whatever the client does', async (t) => {
  const { app, port } = await listen(t)
  for (const bytes of ['nonsense\r\n\r\n', `${request('CONNECT x:80 HTTP/1.1')}and more`]) {
    const accepted: Promise<[Socket]> = once(app.server, 'connection') as never
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    t.teardown(() => client.destroy())
    client.write(bytes)
    const [socket] = await accepted
    if (!socket.closed) await once(socket, 'close')
    t.ok(socket.destroyed, bytes)
  }
})

t.test('a client that resets a refused connection harms nobody', async (t) => {
  const { app, port } = await listen(t)
  for (const bytes of ['nonsense\r\n\r\n', `${request('CONNECT x:80 HTTP/1.1')}and more`]) {
    const accepted: Promise<[Socket]> = once(app.server, 'connection') as never
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.write(bytes)
    const [socket] = await accepted
    await once(client, 'data')
    client.resetAndDestroy()
    // Not `once`: it would handle the error itself, and hide that nobody else does.
    await new Promise((resolve) => socket.on('close', resolve))
    t.ok(socket.destroyed, bytes)
  }
})

t.test('the answer to a refused message can be read while more of it arrives', async (t) => {
  const { port } = await listen(t)
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const errors: unknown[] = []
  client.on('error', (error) => errors.push(error))
  client.write(`GET /health/index HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}`)
  const [answer] = await once(client, 'data')
  t.equal(outcome(parse(t, String(answer))), '400 REQUEST-INVALID')
  const closed = once(client, 'close')
  for (let packet = 0; packet < 10; packet++) {
    client.write('x'.repeat(20_000))
    await new Promise(setImmediate)
  }
  client.end()
  await closed
  t.same(errors, [])
})

t.test('what was carried out is answered as such, whatever follows it', async (t) => {
  const { app, port } = await listen(t)
  const { cookie, csrfToken, send } = await signIn(app)
  const post = (title: string, ...more: string[]) => {
    const body = JSON.stringify({ title })
    const credentials = [`Cookie: ${cookie}`, `X-CSRF-Token: ${csrfToken}`]
    const length = `Content-Length: ${body.length}`
    const lines = ['POST /todo/index HTTP/1.1', 'Host: localhost', ...credentials, length, ...more]
    return [...lines, '', body].join('\r\n')
  }
  const close = 'Connection: close'
  const chunked = 'POST /todo/index HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
  for (const [name, bytes, expected] of [
    ['garbage', `${post('a')}nonsense\r\n\r\n`, ['200', '400']],
    ['a CONNECT', `${post('b')}CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n`, ['200', '400']],
    ['a body that is not chunked', `${post('c')}${chunked}`, ['200', '400']],
    ['after close, a request', `${post('d', close)}${post('not done')}`, ['200']],
    ['after close, garbage', `${post('e', close)}nonsense\r\n\r\n`, ['200']],
    ['two, then garbage', `${post('f')}${post('g')}nonsense\r\n\r\n`, ['200', '200', '400']]
  ] as const) {
    const text = await exchange(port, bytes)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
    t.same(statuses, expected, name)
  }
  const { todos } = (await send('GET', '/todo/index')).json().Data
  t.same(todos.map(({ title }: { title: string }) => title).reverse(), [...'abcdefg'])
})

t.test('nothing is written into an answer that is under way', async (t) => {
  const answers: ServerResponse[] = []
  const handle = (_request: unknown, response: ServerResponse) => {
    answers.push(response)
    response.write('a part')
  }
  const server = createBoundedServer(handle, {
    max: 10,
    onFull: () => {}
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  server.on('clientError', (error, socket) => {
    answerClientError(error, socket as Socket, {})
    answers[0]?.end(' and the rest')
  })
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(request('GET / HTTP/1.1').replace('Connection: close\r\n', ''))
  let text = ''
  client.on('data', (chunk) => {
    if (text === '') client.write('nonsense\r\n\r\n')
    text += chunk
  })
  await once(client, 'close')
  t.match(text, /^HTTP\/1\.1 200 .*a part\r\nd\r\n and the rest\r\n0\r\n\r\nHTTP\/1\.1 400 /s)
})
