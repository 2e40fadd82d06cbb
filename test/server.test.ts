import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { freshPlace, runSql } from './support/database.ts'
import { temporaryFolder } from './support/helper.ts'
import { runServer, signInOver, startServer } from './support/server-process.ts'

t.test('a start that fails ends with one line and no stack (contract CONFIG-1)', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'a-file')
  writeFileSync(file, 'x')
  const notDatabase = temporaryFolder(t)
  writeFileSync(join(notDatabase, 'gatehouse.db'), 'not a database at all'.repeat(500))
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const port = String((taken.address() as AddressInfo).port)

  const cases: [name: string, env: Record<string, string>, message: RegExp][] = [
    ['bad SVC_PORT', { SVC_PORT: 'a-port' }, /^gatehouse: SVC_PORT must be a whole number/],
    ['two bad values', { SVC_PORT: '-1', SVC_ENV: 'x' }, /SVC_ENV must .*SVC_PORT must /],
    ['not a database', { SVC_DATA_DIR: notDatabase }, /gatehouse\.db: file is not a database/],
    ['folder below a file', { SVC_DATA_DIR: file }, /a-file/],
    ['folder deep below a file', { SVC_DATA_DIR: join(file, 'b') }, /a-file/],
    ['folder below /proc', { SVC_DATA_DIR: '/proc/none/data' }, /SVC_DATA_DIR \/proc\/none\/data/],
    ['port in use', { SVC_PORT: port }, new RegExp(`in use.*${port}`)],
    [
      'unknown host',
      { SVC_ENV: 'test', SVC_HOST: 'no-such-host.invalid' },
      /SVC_HOST no-such-host\.invalid/
    ]
  ]
  await Promise.all(
    cases.map(async ([name, env, message]) => {
      const { code, stderr } = await runServer(t, { SVC_DATA_DIR: folder, ...env })
      t.equal(code, 1, name)
      t.match(stderr, message, name)
      t.match(stderr, /^gatehouse: [^\n]+\n$/, `${name}: one line`)
    })
  )
})

t.test('two processes start together on one empty folder (contract DATA-2)', async (t) => {
  const env = await freshPlace(t)
  const servers = await Promise.all([startServer(t, env), startServer(t, env)])
  for (const { address } of servers) {
    const send = await signInOver(address, 'admin')
    t.equal((await send('POST', '/todo/index', { title: address })).statusCode, 200)
    t.equal((await send('GET', '/todo/index')).statusCode, 200)
  }
  const users = await runSql(env, 'SELECT user_id FROM users ORDER BY id')
  t.same(
    users.map(({ user_id }) => user_id),
    ['admin', 'demo']
  )
  t.equal((await runSql(env, 'SELECT id FROM todos')).length, 2)
})

t.test('kill -9 loses no write that was answered (contract DATA-1)', async (t) => {
  const env = await freshPlace(t)
  const { child, exit, address } = await startServer(t, env)
  const send = await signInOver(address)
  const acknowledged: number[] = []
  const writer = async () => {
    for (;;) {
      const { Data } = await send('POST', '/todo/index', { title: 'kept' })
      const { todo } = Data as { todo: { id: number } }
      acknowledged.push(todo.id)
      if (acknowledged.length === 200) child.kill('SIGKILL')
    }
  }
  const writers = await Promise.allSettled(Array.from({ length: 8 }, writer))
  t.ok(writers.every(({ status }) => status === 'rejected'))
  t.same((await exit)[1], 'SIGKILL')
  t.ok(acknowledged.length >= 200)

  const again = await startServer(t, env)
  const list = await signInOver(again.address)
  const { Data } = await list('GET', '/todo/index?limit=500')
  const kept = new Set((Data as { todos: { id: number }[] }).todos.map(({ id }) => id))
  t.same(
    acknowledged.filter((id) => !kept.has(id)),
    []
  )
})

t.test('SIGINT ends it with 0, idle connections or not (contract DATA-3)', async (t) => {
  const { child, exit, address } = await startServer(t, await freshPlace(t))
  const send = await signInOver(address)
  t.equal((await send('GET', '/todo/index')).statusCode, 200)
  const began = Date.now()
  child.kill('SIGINT')
  t.same(await exit, [0, null])
  t.ok(Date.now() - began < 10_000, 'within 10 s: it does not wait for the keep-alive')
})

t.test(
  'SIGTERM does not wait for a connection without a whole head (contract DATA-3)',
  async (t) => {
    const { child, exit, address } = await startServer(t, await freshPlace(t))
    const half = 'GET /health/index HTTP/1.1\r\nHost: local'
    const sockets = ['', half, `${half}host\r\n\r\n${half}`].map((sent) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
      t.teardown(() => socket.destroy())
      socket.write(sent)
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    if (sockets[2]) await once(sockets[2], 'data')
    // Sent later than what the others have sent, so that is with the service.
    await fetch(`${address}/health/index`)
    const began = Date.now()
    child.kill('SIGTERM')
    for (const socket of sockets) socket.resume()
    t.same(await exit, [0, null])
    t.ok(Date.now() - began < 7000, 'before running requests would be given up')
  }
)

t.test(
  'SIGTERM gives up a body that does not come, and ends as usual (contract DATA-3)',
  async (t) => {
    const { child, exit, address, stdout } = await startServer(t, await freshPlace(t))
    const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    socket.write(
      'POST /session/login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{'
    )
    // "100 Continue": the request has begun.
    await once(socket, 'data')
    socket.resume()
    child.kill('SIGTERM')
    t.same(await exit, [0, null])
    t.match(stdout(), 'running requests were abandoned')
  }
)

t.test('log lines come while the server runs, and all of them before it ends', async (t) => {
  const env = { ...(await freshPlace(t)), SVC_ENV: 'test' }
  const { child, exit, address, stdout } = await startServer(t, env)
  const requests = () => stdout().match(/"msg":"request"/g)?.length ?? 0
  await fetch(`${address}/todo/index`)
  while (requests() < 1) await once(child.stdout, 'data')
  await Promise.all(Array.from({ length: 100 }, () => fetch(`${address}/todo/index`)))
  const began = Date.now()
  child.kill('SIGTERM')
  t.same(await exit, [0, null], 'contract DATA-3')
  t.ok(Date.now() - began < 10_000, 'within 10 s: it does not wait for the keep-alive')
  if (!child.stdout.readableEnded) await once(child.stdout, 'end')
  t.equal(requests(), 101)
  t.match(stdout(), /"msg":"closing"\}\n$/, 'whole lines, the last one too')
})
