import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { onSqlite } from '../support/database.ts'
import { openUnread, pipelined, readAll, startLimited, until } from '../support/hostile.ts'
import { childrenOf } from '../support/server-process.ts'

/** Memory that an attack may cost at most, in MB (contract SAFE-1). */
const allowance = 200

const service = await startLimited(t)

t.test(
  'with more idle connections than descriptors, the service still serves those who are connected',
  async (t) => {
    const service = await startLimited(t, { descriptors: 1024 })
    const idle = openUnread(t, service.port, 1100)
    await Promise.all(
      idle.sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')]))
    )
    // Longer than the period of every timer that samples the process.
    for (let i = 0; i < 15; i++) {
      t.equal((await service.inside('/health/index')).status, 200)
      await wait(200)
    }
    t.ok(service.descriptors() < 1024 - 200, 'descriptors are left for files and the database')
    const more = Math.round(service.memory() - service.rest)
    t.ok(more < allowance, `${more} MB more`)
    idle.close()
    await until('new callers come in', async () => {
      const answer = await fetch(`${service.address}/health/index`).catch(() => null)
      return answer?.status === 200
    })
  }
)

t.test(
  'no descriptor left at all: the service stays up, and accepts callers again later',
  onSqlite,
  async (t) => {
    const env = { SVC_METRICS_TOKEN: 'metrics' }
    // About 30 are in use after the start; half of the limit is for connections.
    const service = await startLimited(t, { descriptors: 48, env })
    const metrics = () => service.inside('/metrics', { authorization: 'Bearer metrics' })
    t.equal((await metrics()).status, 200)
    const idle = openUnread(t, service.port, 100)
    await until('none is left', () => service.descriptors() >= 47)
    for (let i = 0; i < 10; i++) {
      t.equal((await metrics()).status, 200)
      await wait(200)
    }
    idle.close()
    const isOpen = async () => {
      const answer = await fetch(`${service.address}/health/index`).catch(() => null)
      return answer?.status === 200
    }
    await until('new callers come in', isOpen, 60)
  }
)

t.test('each worker bounds its own connections', async (t) => {
  const service = await startLimited(t, { descriptors: 512, env: { SVC_WORKERS: '2' } })
  await until('both listen', () => service.stdout().split('listening on').length > 2)
  const workers = childrenOf(service.child)
  const idle = openUnread(t, service.port, 1200)
  await Promise.all(
    idle.sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')]))
  )
  await wait(2500)
  t.same(childrenOf(service.child), workers, 'neither was replaced')
  idle.close()
  await until('new callers come in', async () => {
    const answer = await fetch(`${service.address}/health/index`).catch(() => null)
    return answer?.status === 200
  })
})

// On one service. Those that count descriptors come before those whose connections stay open.

t.test('a client that half-closes gets its answer, and the connection ends', async (t) => {
  const before = service.descriptors()
  const head = (line: string, ...headers: string[]) =>
    [line, 'Host: localhost', ...headers, '', ''].join('\r\n')
  const login = JSON.stringify({ user_id: 'demo', user_pass: 'wrong' })
  const cases: [name: string, bytes: string, statuses: string[]][] = [
    ['one request', head('GET /health/index HTTP/1.1'), ['200']],
    [
      'a body, and bcrypt',
      head('POST /session/login HTTP/1.1', `Content-Length: ${login.length}`) + login,
      ['401']
    ],
    ['pipelined', pipelined('/api-docs/json', 5), ['200', '200', '200', '200', '200']],
    ['half a body', head('POST /session/login HTTP/1.1', 'Content-Length: 100'), ['400']],
    ['half a head', 'GET /health/index HTTP/1.1\r\nHost', ['400']],
    ['nothing', '', []]
  ]
  for (const [name, bytes, statuses] of cases) {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(bytes)
    const all = await readAll(socket)
    t.same(
      [...all.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
      statuses,
      name
    )
  }
  await until('nothing stays open', () => service.descriptors() <= before)
})

t.test('33 waiting requests end their own connection, and no other', async (t) => {
  const socket = connect(service.port, '127.0.0.1')
  socket.write(pipelined('/health/index', 33))
  await readAll(socket).catch(() => {})
  t.ok(socket.destroyed)
  t.equal((await service.inside('/health/index')).status, 200)
})

for (const path of ['/api-docs/json', '/api-docs/static/swagger-ui-bundle.js', '/no/such']) {
  t.test(`1,300 pipelined GET ${path} on 14 connections that read nothing`, async (t) => {
    const { sockets } = openUnread(t, service.port, 14, pipelined('/no/such', 1))
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'data')))
    const there = service.descriptors()
    for (const socket of sockets) socket.pause().write(pipelined(path, 1300))
    let most = 0
    await until('they are closed', async () => {
      most = Math.max(most, service.memory())
      t.equal((await service.inside('/health/index')).status, 200)
      return service.descriptors() <= there - 14
    })
    t.ok(most - service.rest < allowance, `${Math.round(most - service.rest)} MB more`)
    t.ok(service.isRunning())
  })
}

t.test('a client that pipelines 16 requests gets 16 answers, in order', async (t) => {
  const paths = ['/api-docs/json', '/health/index', '/no/such', '/api-docs/']
  const lengths = await Promise.all(
    paths.map(async (path) => (await fetch(service.address + path)).arrayBuffer())
  )
  const socket = connect(service.port, '127.0.0.1')
  const rounds = paths
    .map((path) => pipelined(path, 1))
    .join('')
    .repeat(4)
  socket.write(rounds.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'))
  const all = await readAll(socket)
  const heads = [...all.matchAll(/HTTP\/1\.1 (\d+) [\s\S]*?content-length: (\d+)/gi)]
  t.same(
    heads.map(([, status, length]) => [Number(status), Number(length)]),
    Array.from({ length: 16 }, (_, i) => [[200, 200, 404, 200][i % 4], lengths[i % 4]?.byteLength])
  )
})

t.test('callers who come while the process is busy wait, and none is dropped', async (t) => {
  service.child.kill('SIGSTOP')
  const { sockets } = openUnread(t, service.port, 1000)
  const caller = fetch(`${service.address}/health/index`)
  // If the system dropped them, they would try again after 1, 3, 7 and more seconds, all in vain.
  await until('all are connected', () => sockets.every((socket) => !socket.connecting), 8)
  service.child.kill('SIGCONT')
  t.equal((await caller).status, 200)
})
