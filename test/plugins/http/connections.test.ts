import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import { connectionsMax, createBoundedServer } from '../../../plugins/http/pressure/connections.ts'
import { pipelined, readAll } from '../../support/hostile.ts'

async function serve(t: Test, handle: RequestListener, limits = {}) {
  const dropped: number[] = []
  const server = createBoundedServer(handle, {
    max: 100,
    onFull: () => dropped.push(Date.now()),
    ...limits
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, dropped, open: () => connect(port, '127.0.0.1').on('error', () => {}) }
}

t.test('as many connections as configured, but never more than descriptors allow', (t) => {
  t.equal(connectionsMax(0, 1_000_000), 8192)
  t.equal(connectionsMax(0, Number.POSITIVE_INFINITY), 8192)
  t.equal(connectionsMax(20_000, 1_000_000), 20_000)
  t.equal(connectionsMax(0, 1024), 768)
  t.equal(connectionsMax(5000, 1024), 768)
  t.equal(connectionsMax(0, 256), 128, 'the reserve is half at most')
  t.ok(connectionsMax(0) > 0, 'this process has a limit')
  t.end()
})

t.test('a connection has one answer under way at a time', async (t) => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const { open } = await serve(t, (request, response) => {
    begun.push(String(request.url))
    ends.push(() => response.end(`${request.url}\n`))
  })
  const socket = open()
  const [first, second] = ['/a', '/b'].map((path) => pipelined(path, 1))
  socket.write(`${first}${second}`)
  const other = open()
  other.write(pipelined('/c', 1))
  while (begun.length < 2) await new Promise(setImmediate)
  t.same(begun.sort(), ['/a', '/c'], 'other connections do not wait')
  for (const end of ends) end()
  while (begun.length < 3) await new Promise(setImmediate)
  t.equal(begun[2], '/b')
})

t.test('during a shutdown, a new connection may still send its first request', async (t) => {
  const { server, open } = await serve(t, (_request, response) => response.end('done'))
  const socket = open()
  await once(server, 'connection')
  server.close()
  server.closeIdleConnections()
  socket.write(pipelined('/a', 1))
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /done$/)
  const closed = once(socket, 'close')
  server.closeIdleConnections()
  await closed
})

t.test('nothing after an answer with Connection: close is done (RFC 9112 §9.6)', async (t) => {
  const begun: string[] = []
  const { open } = await serve(t, (request, response) => {
    begun.push(String(request.url))
    response.writeHead(200, { connection: 'close' }).end('done')
  })
  const together = open()
  together.write(`${pipelined('/a', 1)}${pipelined('/b', 1)}`)
  t.match(await readAll(together), /done/)
  t.same(begun.splice(0), ['/a'], 'in one packet')

  const lingering = open()
  lingering.allowHalfOpen = true
  lingering.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345')
  await once(lingering, 'data')
  lingering.end(`67890${pipelined('/b', 1)}`)
  await once(lingering, 'close')
  t.same(begun, ['/a'], 'after the rest of the body')
})

t.test('an answer before the end of the request body can be read (RFC 9112 §9.6)', async (t) => {
  const { open } = await serve(t, (_request, response) => {
    response.writeHead(413, { connection: 'close' }).end('too large')
  })
  for (const [end, half] of [
    ['the client sends the rest', 500_000],
    ['the client waits for more', 0]
  ] as const) {
    const socket = open()
    const errors: unknown[] = []
    socket.on('error', (error) => errors.push(error))
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(500_000)}`
    )
    const [start] = await once(socket, 'data')
    t.match(String(start), /^HTTP\/1\.1 413 /, end)
    const closed = once(socket, 'close')
    for (let sent = 0; sent < half; sent += 50_000) {
      socket.write('x'.repeat(50_000))
      await new Promise(setImmediate)
    }
    await closed
    t.same(errors, [], end)
  }
})

t.test('requests that wait on a lost connection are no longer counted', async (t) => {
  let answers = false
  const { server, open } = await serve(t, (_request, response) => {
    if (answers) response.end()
  })
  for (let round = 0; round < 300; round++) {
    const socket = open()
    socket.write(pipelined('/', 20))
    const [, response] = await once(server, 'request')
    // Not half-closed: that would be a caller who still waits for answers.
    socket.resetAndDestroy()
    await new Promise((resolve) => response.on('close', resolve))
  }
  // If the 19 waiting ones of each round were still counted, these would be too many.
  answers = true
  const socket = open()
  socket.end(pipelined('/', 20))
  t.equal((await readAll(socket)).match(/HTTP\/1.1 200/g)?.length, 20)
})

t.test('the 33rd request without an answer ends its connection', async (t) => {
  const { open } = await serve(t, () => {})
  const patient = open()
  patient.write(pipelined('/', 32))
  const greedy = open()
  greedy.write(pipelined('/', 33))
  await readAll(greedy).catch(() => {})
  t.ok(greedy.destroyed)
  t.notOk(patient.destroyed)
})

t.test('requests behind the one that ends their connection are not read', async (t) => {
  const { server, open } = await serve(t, () => {})
  let read = 0
  server.on('request', () => {
    read++
  })
  const greedy = open()
  greedy.write(pipelined('/', 1300))
  await readAll(greedy).catch(() => {})
  t.equal(read, 33)
})

t.test(
  'a client that does not read its answer is disconnected; one that waits for its answer is not',
  async (t) => {
    const stalledMs = 300
    const { server, open } = await serve(
      t,
      ({ url }, response) => {
        if (url === '/large') response.end(Buffer.alloc(64 * 1024 ** 2))
        else setTimeout(() => response.end('late'), 4 * stalledMs)
      },
      { stalledMs }
    )
    const unread = open().pause()
    unread.write(pipelined('/large', 1))
    const [closed] = await once(server, 'connection')
    await once(closed, 'close')
    t.ok(closed.destroyed)

    const waiting = open()
    waiting.write(pipelined('/slow', 1).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    t.match(await readAll(waiting), /late$/)
  }
)

t.test('a client that stops reading in the middle is disconnected as soon as others', async (t) => {
  const stalledMs = 900
  const { server, open } = await serve(
    t,
    ({ method }, response) => {
      if (method === 'GET') response.end(Buffer.alloc(64 * 1024 ** 2))
    },
    { stalledMs }
  )
  const half = open()
  half.write(pipelined('/', 1))
  const [reader] = await once(server, 'connection')
  const isClosed = once(reader, 'close')
  let bytes = 0
  for await (const part of half.iterator({ destroyOnReturn: false })) {
    bytes += part.length
    if (bytes > 8 * 1024 ** 2) break
  }
  half.pause()
  // It stops half the time later, so it is closed later.
  await new Promise((resolve) => setTimeout(resolve, stalledMs / 2))
  const later = open()
  later.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1')
  const first = await Promise.race([
    isClosed.then(() => 'the reader'),
    readAll(later).then(() => 'the other')
  ])
  t.equal(first, 'the reader')
})

t.test(
  'a client that stops in the middle of a body is disconnected, a slow one is not',
  async (t) => {
    const stalledMs = 900
    const handle: RequestListener = (request, response) => {
      request.resume().on('end', () => response.end('done'))
    }
    const { open } = await serve(t, handle, { stalledMs })
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n'
    const stalled = open()
    stalled.write(`${head}1`)
    const slow = open()
    slow.write(head)
    let sent = 0
    const drip = setInterval(() => {
      slow.write('1')
      if (++sent === 10) clearInterval(drip)
    }, stalledMs / 3)
    t.teardown(() => clearInterval(drip))
    t.equal(await readAll(stalled), '')
    t.ok(sent < 10, 'it was disconnected while the other still sent')
    const [answer] = await once(slow, 'data')
    t.match(String(answer), /done$/)
  }
)

t.test('connections beyond the maximum are closed at once, and reported once', async (t) => {
  const { dropped, open } = await serve(t, (_request, response) => response.end(), { max: 2 })
  const inside = [open(), open()]
  await Promise.all(inside.map((socket) => once(socket, 'connect')))
  for (let i = 0; i < 3; i++) await readAll(open()).catch(() => {})
  t.equal(dropped.length, 1)
  for (const socket of inside) t.notOk(socket.destroyed)
})
