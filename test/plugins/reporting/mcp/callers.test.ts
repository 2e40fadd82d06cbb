import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { makeAccessToken } from '../../../support/access-token.ts'
import { type Service, startService } from '../../../support/helper.ts'
import { makeJwt, secret } from '../../../support/jwt.ts'
import { post } from '../../../support/mcp.ts'

t.setTimeout(400_000)

const message = (name: string, args: object, id: number | string = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

const accept = 'application/json, text/event-stream'

/** The bytes of a call, as they go over a connection. */
const bytesOf = ({ authorization }: { authorization: string }, body: string) =>
  Buffer.from(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nAccept: ${accept}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )

async function open({ app }: Service) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connectSocket(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

t.test('credentials that have expired are 401, with the challenge of RFC 9728', async (t) => {
  const { app, clock } = await startService(t, { SVC_JWT_SECRET: secret })
  const { bearer } = await makeAccessToken(app)
  const seconds = Math.floor(clock.now / 1000)
  const jwt = { authorization: `Bearer ${makeJwt({ sub: '2', exp: seconds + 60 })}` }
  for (const good of [bearer, jwt]) {
    t.equal((await post(app, message('list_todos', {}), good)).statusCode, 200)
  }
  clock.now += 91 * 86_400_000
  for (const [ended, code] of [
    [bearer, 'ACCESS-TOKEN-INVALID'],
    [jwt, 'JWT-INVALID']
  ] as const) {
    const refused = await post(app, message('list_todos', {}), ended)
    t.equal(refused.statusCode, 401)
    t.equal(refused.json().Data.errorCode, code)
    t.match(
      refused.headers['www-authenticate'],
      /^Bearer error="invalid_token", resource_metadata=/
    )
  }
})

t.test('two calls with the same id are both carried out', async (t) => {
  const { app } = await startService(t)
  const { bearer } = await makeAccessToken(app)
  const answers = await Promise.all(
    ['one', 'two'].map((title) => post(app, message('create_todo', { title }, 7), bearer))
  )
  const told = answers.map((answer) => answer.json())
  t.same(
    told.map(({ id }) => id),
    [7, 7]
  )
  t.same(
    told.map(({ result }) => result.structuredContent.todo.title),
    ['one', 'two']
  )
})

t.test('a client may leave in the middle of a message, or before its answer', async (t) => {
  const service = await startService(t)
  const { app } = service
  const { bearer } = await makeAccessToken(app)
  const whole = bytesOf(bearer, message('create_todo', { title: 'Left behind' }))
  const half = await open(service)
  half.end(whole.subarray(0, whole.length - 10))
  half.resume()
  await once(half, 'close')
  // A call that arrived whole is carried out, like any request; only its answer is lost.
  const early = await open(service)
  early.write(whole)
  early.resetAndDestroy()
  const stays = await open(service)
  stays.write(whole)
  const [answer] = await once(stays, 'data')
  t.match(String(answer), /^HTTP\/1\.1 200 /)
  stays.destroy()
  const { todos } = (await post(app, message('list_todos', {}), bearer)).json().result
    .structuredContent
  t.ok(todos.length === 1 || todos.length === 2, `${todos.length} of three`)
})

t.test('calls that come in pieces, or behind each other, are answered in order', async (t) => {
  const service = await startService(t)
  const { bearer } = await makeAccessToken(service.app)
  const calls = Array.from({ length: 20 }, (_, id) =>
    bytesOf(bearer, message('create_todo', { title: 'ü'.repeat(id) || 'x' }, id))
  )
  const all = Buffer.concat(calls)
  const first = calls[0] as Buffer
  const head = first.indexOf('\r\n\r\n') + 4
  // All at once; head and body apart; cut in the middle of a body; byte by byte.
  for (const cuts of [
    [],
    [head],
    [head + 20, first.length + head - 9],
    all.subarray(0, 500).keys()
  ]) {
    const socket = await open(service)
    socket.setNoDelay(true)
    let answers = ''
    const done = new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        answers += data
        if (answers.split('HTTP/1.1 200').length === 21) resolve()
      })
    })
    let sent = 0
    for (const cut of cuts) {
      socket.write(all.subarray(sent, cut))
      sent = cut
      await new Promise(setImmediate)
    }
    socket.write(all.subarray(sent))
    await done
    const ids = [...answers.matchAll(/"jsonrpc":"2.0","id":(\d+)|"id":(\d+)\}/g)].map(
      ([, early, late]) => Number(early ?? late)
    )
    t.same(ids, [...calls.keys()])
    socket.destroy()
  }
})

t.test('a stranger is refused before a longer message is read', async (t) => {
  const service = await startService(t)
  const long = message('create_todo', { title: 'x'.repeat(4096) })
  const bytes = bytesOf({ authorization: 'Bearer wrong' }, long)
  const socket = await open(service)
  socket.write(bytes.subarray(0, bytes.length - long.length))
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1\.1 401 /)
  socket.destroy()
})

t.test('of a call that was answered, nothing is kept while its connection is open', async (t) => {
  const service = await startService(t)
  const { bearer } = await makeAccessToken(service.app)
  const requests: IncomingMessage[] = []
  service.app.server.on('request', (request) => requests.push(request))
  const socket = await open(service)
  for (const { authorization } of [bearer, { authorization: 'Bearer wrong' }]) {
    socket.write(bytesOf({ authorization }, message('list_todos', {})))
    await once(socket, 'data')
  }
  // Node.js lets go of a request when its stream has ended.
  await new Promise(setImmediate)
  t.same(
    requests.map(({ readableEnded }) => readableEnded),
    [true, true]
  )
  socket.destroy()
})

t.test('64 clients with a file of 1 MiB each leave nothing in memory', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const service = await startService(t)
  const { bearer } = await makeAccessToken(service.app)
  // The end is not base64: it is read and decoded whole, but not stored.
  const content = `${'A'.repeat((1024 ** 2 * 4) / 3)}!`
  const bytes = bytesOf(bearer, message('create_attachment', { name: 'x.txt', content }))
  // The least within a second: the memory of sockets and buffers is freed some turns after they close.
  const held = async () => {
    let least = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < 10; turn++) {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      least = Math.min(least, heapUsed + external)
      await wait(100)
    }
    return least
  }
  const round = async () => {
    const sockets = await Promise.all(Array.from({ length: 64 }, () => open(service)))
    const answered = sockets.map(async (socket) => {
      socket.write(bytes)
      const [answer] = await once(socket, 'data')
      t.match(String(answer), /VALIDATION-FAILED/)
      socket.destroy()
    })
    await Promise.all(answered)
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
  }
  await round()
  const before = await held()
  await round()
  const grown = ((await held()) - before) / 1024 ** 2
  t.ok(grown < 16, `${grown.toFixed(1)} MiB more after 64 further ones`)
})
