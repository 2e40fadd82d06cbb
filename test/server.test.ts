import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { freshPlace } from './support/database.ts'
import { temporaryFolder } from './support/helper.ts'
import { until } from './support/hostile.ts'
import { letIn, oauthProgram } from './support/oauth.ts'
import { appAt } from './support/oauth-process.ts'
import { runServer, signInOver, startServer } from './support/server-process.ts'

t.test('a start that fails ends with one line and no stack (contract CONFIG-1)', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'a-file')
  writeFileSync(file, 'x')
  const notDatabase = temporaryFolder(t)
  writeFileSync(join(notDatabase, 'gatehouse.db'), 'not a database at all'.repeat(500))

  const cases: [name: string, env: Record<string, string>, message: RegExp][] = [
    ['bad SVC_PORT', { SVC_PORT: 'a-port' }, /^gatehouse: SVC_PORT must be a whole number/],
    ['two bad values', { SVC_PORT: '-1', SVC_ENV: 'x' }, /SVC_ENV must .*SVC_PORT must /],
    [
      'a field of a form',
      { SVC_CSRF_FIELD: 'title' },
      /^gatehouse: SVC_CSRF_FIELD must [^;\n]+\n$/
    ],
    ['not a database', { SVC_DATA_DIR: notDatabase }, /gatehouse\.db: file is not a database/],
    ['folder below a file', { SVC_DATA_DIR: file }, /a-file/],
    ['folder deep below a file', { SVC_DATA_DIR: join(file, 'b') }, /a-file/],
    ['folder below /proc', { SVC_DATA_DIR: '/proc/none/data' }, /SVC_DATA_DIR \/proc\/none\/data/],
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

t.test('what a killed process has answered, the next one knows', async (t) => {
  // Both have one address, as behind a proxy.
  const baseUrl = 'http://127.0.0.1:7778'
  const env = { ...(await freshPlace(t)), SVC_BASE_URL: baseUrl }
  const first = await startServer(t, env)
  const app = appAt(first.address, baseUrl)
  const client_id = await oauthProgram(app).registered()
  const { code, verifier } = await letIn(app, client_id)
  t.ok(code)

  const send = await signInOver(first.address)
  const acknowledged: number[] = []
  const writer = async () => {
    for (;;) {
      const { Data } = await send('POST', '/todo/index', { title: 'kept' })
      const { todo } = Data as { todo: { id: number } }
      acknowledged.push(todo.id)
      if (acknowledged.length === 200) first.child.kill('SIGKILL')
    }
  }
  const writers = await Promise.allSettled(Array.from({ length: 8 }, writer))
  t.ok(writers.every(({ status }) => status === 'rejected'))
  t.same((await first.exit)[1], 'SIGKILL')
  t.equal(await first.stderr, '', 'libraries write nothing of their own')
  t.ok(acknowledged.length >= 200)

  const second = await startServer(t, { ...env, SVC_ENV: 'test' })

  t.test('kill -9 loses no write that was answered (contract DATA-1)', async (t) => {
    const list = send.at(second.address)
    const { Data } = await list('GET', '/todo/index?limit=500')
    const kept = new Set((Data as { todos: { id: number }[] }).todos.map(({ id }) => id))
    t.same(
      acknowledged.filter((id) => !kept.has(id)),
      []
    )
  })

  t.test('killed between code and token of OAuth: the next one goes on', async (t) => {
    const next = appAt(second.address, baseUrl)
    const program = oauthProgram(next)
    const tokens = await program.exchange(client_id, code, verifier)
    t.equal(tokens.statusCode, 200)
    const headers = { authorization: `Bearer ${tokens.json().access_token}` }
    t.equal((await next.inject({ url: '/todo/index', headers })).statusCode, 200)
    t.equal((await program.exchange(client_id, code, verifier)).statusCode, 400)
    t.equal((await next.inject({ url: '/todo/index', headers })).statusCode, 401)
  })

  t.test('SIGINT ends it with 0, idle connections or not (contract DATA-3)', async (t) => {
    const { address, child, exit, stdout } = second
    const requests = () => stdout().match(/"statusCode":404.*"msg":"request"/g)?.length ?? 0
    await fetch(`${address}/nothing`)
    while (requests() < 1) await once(child.stdout, 'data')
    await Promise.all(Array.from({ length: 100 }, () => fetch(`${address}/nothing`)))
    const began = Date.now()
    child.kill('SIGINT')
    t.same(await exit, [0, null])
    t.ok(Date.now() - began < 10_000, 'within 10 s: it does not wait for the keep-alive')
    if (!child.stdout.readableEnded) await once(child.stdout, 'end')
    t.equal(requests(), 101, 'log lines come while it runs, and all of them before it ends')
    t.match(stdout(), /"msg":"closing"\}\n$/, 'whole lines, the last one too')
  })
})

t.test('SIGTERM waits for what runs, and gives it up in the end (contract DATA-3)', async (t) => {
  const { child, exit, address, stdout, stderr } = await startServer(t, await freshPlace(t))
  const half = 'GET /health/index HTTP/1.1\r\nHost: local'
  const begun =
    'POST /session/login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{'
  const ended: string[] = []
  const sockets = Object.entries({
    'sent nothing': '',
    'half a head': half,
    'half a head after a request': `${half}host\r\n\r\n${half}`,
    'half a body': begun
  }).map(([name, sent]) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    socket.on('close', () => ended.push(name))
    socket.write(sent)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // An answer, and "100 Continue": the requests have begun.
  for (const socket of sockets.slice(2)) await once(socket, 'data')
  // Sent later than what the others have sent, so that is with the service.
  await fetch(`${address}/health/index`)
  child.kill('SIGTERM')
  for (const socket of sockets) socket.resume()
  await until('those without a whole head are closed', () => ended.length === 3, 7)
  t.notOk(ended.includes('half a body'))
  t.same(await exit, [0, null])
  t.match(stdout(), 'running requests were abandoned')
  t.match(stdout(), `Gatehouse is at ${address}`)
  t.equal(await stderr, '', 'it needs no .env (README)')
})

t.test('SIGTERM ends it although nobody reads its log any more (contract DATA-3)', async (t) => {
  const { child, exit } = await startServer(t, await freshPlace(t))
  child.stdout.destroy()
  child.kill('SIGTERM')
  t.same(await exit, [0, null])
})
