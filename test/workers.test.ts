import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { unbracketed } from '../schemas/host.ts'
import { emptyDatabase, freshPlace, runSql } from './support/database.ts'
import { openStream } from './support/events.ts'
import { temporaryFolder } from './support/folder.ts'
import { outcome, signIn } from './support/helper.ts'
import { readAll, until } from './support/hostile.ts'
import { letIn, oauthProgram } from './support/oauth.ts'
import { appAt } from './support/oauth-process.ts'
import { addPasskey, beginSignIn } from './support/passkey.ts'
import { onPgBouncer, startPgBouncer } from './support/pgbouncer.ts'
import { goRound, openJar, startProvider } from './support/provider.ts'
import {
  childrenOf,
  type Program,
  server,
  signInOver,
  spawnServer
} from './support/server-process.ts'
import {
  limits,
  outcomeOf,
  post,
  tenOfTwelve,
  tenWrongTokens,
  twelveLogins,
  twelveWrongTokens
} from './support/tally.ts'

/** server.ts with two workers, before it listens; it is killed after the test. */
async function spawnWorkers(t: Test, more: Record<string, string> = {}, program?: Program) {
  const place = await freshPlace(t)
  // Counted in the primary process, whatever the tests have as Redis.
  const env = { ...place, SVC_REDIS_URL: '', SVC_WORKERS: '2', ...more }
  const child = spawnServer(t, env, program)
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  const addresses = () => [...stdout.matchAll(/listening on (\S+:\d+)/g)].map(([, at = '']) => at)
  return {
    place,
    child,
    /** All of standard error; resolves when every process that writes to it has ended. */
    stderr: text(child.stderr),
    log: () => stdout,
    workers: () => childrenOf(child),
    /** Where workers have begun to listen. */
    addresses,
    /** Where it listens, once so many workers do or did. */
    async listening(count = 2) {
      while (addresses().length < count) await once(child.stdout, 'data')
      return addresses()[0] ?? ''
    }
  }
}

type Workers = Awaited<ReturnType<typeof spawnWorkers>>

/** Whether a process and all its threads have ended; its parent does not know yet. */
const isDead = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ') &&
  readdirSync(`/proc/${pid}/task`).length === 1

/** Sends a signal to all processes at once while a request is running. */
async function endAll(
  t: Test,
  { child, log, workers, listening }: Workers,
  signal: NodeJS.Signals
) {
  const { port, hostname } = new URL(await listening())
  const socket = connect(Number(port), unbracketed(hostname))
  const body = JSON.stringify({ user_id: 'nobody', user_pass: 'x' })
  const answer = readAll(socket)
  socket.write(
    `POST /session/login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
  )
  // "100 Continue": the request has begun.
  await once(socket, 'data')
  const exit = once(child, 'exit')
  const all = workers()
  for (const pid of [...all, Number(child.pid)]) process.kill(pid, signal)
  await until('both close', () => log().split('closing').length > 2)
  await until('the worker without a request is gone', () => workers().length < 2)
  // Until then the primary process may not have sent its own signal.
  for (const pid of workers()) process.kill(pid, 'SIGTERM')
  socket.write(body)
  t.match(await answer, /HTTP\/1\.1 401 [\s\S]*LOGIN-FAILED/)
  t.same(await exit, [0, null])
  for (const pid of all) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
}

/** Two windows of one program, or a request that was repeated. */
async function refreshAtOnce(t: Test, address: string) {
  const app = appAt(address)
  const client_id = await oauthProgram(app).registered()
  const { program, code, verifier } = await letIn(app, client_id)
  const { refresh_token } = (await program.exchange(client_id, code, verifier)).json()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => program.refresh(client_id, refresh_token))
  )
  for (const answer of answers) {
    const headers = { authorization: `Bearer ${answer.json().access_token}` }
    t.equal((await app.inject({ url: '/todo/index', headers })).statusCode, 200)
    const next = await program.refresh(client_id, answer.json().refresh_token)
    t.equal(next.statusCode, 200)
  }
}

t.test('a service of two workers', async (t) => {
  const provider = await startProvider(t)
  const more = { ...limits, ...provider.env, SVC_RATE_MAX: '100000' }
  const service = await spawnWorkers(t, more)
  const { place, child, stderr, workers, addresses, listening } = service
  // Killed before it listens, a worker is replaced.
  while (workers().length === 0) await wait(2)
  const [first = 0] = workers()
  process.kill(first, 'SIGKILL')
  const address = await listening()
  t.equal(workers().length, 2)
  t.notOk(workers().includes(first))

  t.test('limits are reported as counted over all workers', async (t) => {
    // A connection each, which the workers take in turns.
    const headers = {
      authorization: `Bearer ${limits.SVC_AGENT_BEARER_TOKEN}`,
      connection: 'close'
    }
    for (const remaining of [99_999, 99_998, 99_997, 99_996]) {
      const answer = await fetch(`${address}/session/current`, { headers })
      const { Data } = (await answer.json()) as { Data: { limits: { name: string }[] } }
      const limit = Data.limits.find(({ name }) => name === 'user')
      t.match(limit, { max: 100_000, remaining })
      t.equal(answer.headers.get('x-ratelimit-remaining'), String(remaining))
    }
  })

  t.test('limits count over all workers, even after one has ended', async (t) => {
    t.same(await twelveLogins([address]), tenOfTwelve)
    t.same(await twelveWrongTokens([address]), tenWrongTokens)
  })

  t.test('the workers share every step of a sign-in with OAuth', async (t) => {
    const app = appAt(address)
    const client_id = await oauthProgram(app).registered()
    for (let n = 0; n < 3; n++) {
      const { program, code, verifier } = await letIn(app, client_id)
      const tokens = await program.exchange(client_id, code, verifier)
      t.equal(tokens.statusCode, 200)
      const next = await program.refresh(client_id, tokens.json().refresh_token)
      t.equal(next.statusCode, 200)
      const headers = { authorization: `Bearer ${next.json().access_token}` }
      for (let call = 0; call < 4; call++) {
        t.equal((await app.inject({ url: '/todo/index', headers })).statusCode, 200)
      }
    }
  })

  t.test('of 20 refreshes at once all get tokens that work (contract OAUTH-3)', (t) =>
    refreshAtOnce(t, address)
  )

  t.test('the workers share every step of a sign-in at a provider', async (t) => {
    const app = appAt(address)
    for (let n = 0; n < 4; n++) {
      provider.person.sub = `u${n}`
      await runSql(place, 'DELETE FROM identities')
      // Not counted with the sign-ins of other tests. A connection each, which the workers take in turns.
      const jar = openJar(app, { 'x-forwarded-for': `203.0.113.${n}` })
      const back = await goRound(provider, jar)
      t.equal(back.headers.location, '/login/confirm', back.body)
      const entered = await jar.send('/login/confirm', { user_pass: 'demo' })
      t.equal(entered.headers.location, '/', entered.body)
    }
  })

  t.test('the workers share every step of a passkey', async (t) => {
    const app = appAt(address)
    const user = await signIn(app)
    for (let n = 0; n < 3; n++) {
      const key = await addPasskey(app, user)
      const { options, send } = await beginSignIn(app)
      // Not counted with the sign-ins of other tests.
      const headers = { 'x-forwarded-for': `203.0.113.${n}` }
      const credential = key.get(options)
      const answers = await Promise.all([1, 2, 3].map(() => send(credential, { headers })))
      const done = ['200 success', '401 LOGIN-FAILED', '401 LOGIN-FAILED']
      t.same(answers.map(outcome).sort(), done, 'a challenge is good once, in whichever worker')
    }
  })

  t.test(
    'one is killed under load: the other answers, a new one starts, nothing is lost',
    async (t) => {
      const send = await signInOver(address)
      const begun = addresses().length
      const acknowledged: number[] = []
      const refused: string[] = []
      let writing = true
      const writer = async () => {
        while (writing) {
          // A connection of the killed worker is reset; the next one goes to the other worker.
          const answer = await send('POST', '/todo/index', { title: 'kept' }).catch(() => null)
          if (answer?.statusCode === 200) {
            acknowledged.push((answer.Data as { todo: { id: number } }).todo.id)
          } else if (answer) refused.push(outcomeOf(answer))
        }
      }
      const writers = Array.from({ length: 6 }, writer)
      const acknowledgedUpTo = async (count: number) => {
        while (acknowledged.length < count) await wait(10)
      }
      await acknowledgedUpTo(50)
      process.kill(Number(workers()[0]), 'SIGKILL')
      await acknowledgedUpTo(acknowledged.length + 50)
      await listening(begun + 1)
      await acknowledgedUpTo(acknowledged.length + 50)
      writing = false
      await Promise.all(writers)
      t.same(refused, [], 'no answer but 200')
      const rows = await runSql(place, `SELECT id FROM todos WHERE title = 'kept'`)
      const kept = new Set(rows.map(({ id }) => id))
      t.same(
        acknowledged.filter((id) => !kept.has(id)),
        []
      )
    }
  )

  t.test(
    'those that are killed while they wait for the primary process are replaced',
    async (t) => {
      const primary = Number(child.pid)
      const begun = addresses().length
      const victims = workers()
      t.equal(victims.length, 2)
      process.kill(primary, 'SIGSTOP')
      for (let n = 0; n < 10; n++) {
        const from = { 'x-forwarded-for': '192.0.2.2' }
        const body = { user_id: 'nobody', user_pass: 'x' }
        post(address, '/session/login', body, from).catch(() => {})
      }
      // Answered after the workers have asked the primary process to count the logins.
      for (let n = 0; n < 20; n++) await (await fetch(`${address}/health/index`)).text()
      for (const pid of victims) process.kill(pid, 'SIGKILL')
      // If it went on before that, its answers would still be taken.
      await until('both are dead', () => victims.every(isDead))
      process.kill(primary, 'SIGCONT')
      await listening(begun + 2)
      t.same(new Set(addresses()), new Set([address]), 'with SVC_PORT=0, they keep the port')
    }
  )

  t.test(
    'SIGINT to all processes at once lets them finish what runs (contract DATA-3)',
    async (t) => {
      await endAll(t, service, 'SIGINT')
      // Without warnings of Node.js: one is about how pg is used.
      const said = (await stderr).replaceAll(/^\(.*\n/gm, '')
      t.match(said, /^(gatehouse: worker \d+ ended \(SIGKILL\)\n){4}$/)
    }
  )
})

t.test('two workers behind a pooler that keeps no session', onPgBouncer, async (t) => {
  const direct = await emptyDatabase(t)
  const pooled = await startPgBouncer(t, 'transaction', direct)
  const service = await spawnWorkers(t, { ...limits, SVC_DATABASE_URL: pooled })
  const address = await service.listening()
  const demo = await signInOver(address)
  const headers = { ...demo.headers, connection: 'close' }

  t.test('a stream and a read that waits hear of what the other has written', async (t) => {
    const streams = await Promise.all(
      Array.from({ length: 4 }, () => openStream(t, address, { ...demo.headers }))
    )
    const waiting = demo('GET', '/activity/index?after=0&wait=20', undefined, headers)
    const titles = Array.from({ length: 20 }, (_, n) => `todo ${n}`)
    const made = await Promise.all(
      titles.map((title) => demo('POST', '/todo/index', { title }, headers))
    )
    t.same(new Set(made.map(outcomeOf)), new Set(['200 success']))
    for (const stream of streams) {
      await stream.has(20)
      t.same(
        stream
          .changes()
          .map(({ after }) => after?.title)
          .toSorted(),
        titles.toSorted()
      )
    }
    t.match(await waiting, { Data: { changes: [{ kind: 'todo' }] } })
  })

  t.test('of 20 refreshes at once all get tokens that work', (t) => refreshAtOnce(t, address))

  t.test('a plan is applied once, by whichever worker is asked first', async (t) => {
    const steps = [{ operation: 'createTodo', arguments: { title: 'planned' } }]
    const { Data } = await demo('POST', '/plan/index', { purpose: 'p', steps }, headers)
    const { id } = (Data as { plan: { id: number } }).plan
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => demo('POST', `/plan/apply/id_${id}`, {}, headers))
    )
    t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
    for (const each of answers)
      t.match(outcomeOf(each), /^200 success$|^409 (CONFLICT|PLAN-DECIDED)$/)
    const found = await demo('GET', '/todo/index?q=planned', undefined, headers)
    t.equal((found.Data as { todos: unknown[] }).todos.length, 1)
  })
})

t.test('what concerns all workers is done and said once', async (t) => {
  const unknown = { SVC_DATABSE_URL: 'hunter2', SVC_TRUST_PROXIES: 'hunter2', SVC_EMPTY: '' }
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'gatehouse.db'), '')
  chmodSync(join(folder, 'gatehouse.db'), 0o644)
  const service = await spawnWorkers(t, { ...unknown, SVC_DATA_DIR: folder, SVC_HOST: '::1' })
  const address = await service.listening()
  const send = await signInOver(address)

  t.test(
    'an IPv6 host is bracketed, and links carry the real port (contract CONFIG-1)',
    async (t) => {
      t.match(address, /^http:\/\/\[::1\]:[1-9]\d+$/)
      t.match(service.log(), `Gatehouse is at ${address}\n`)
      const { id } = await send.upload('text', 'a.txt')
      const { Data } = await send('GET', `/attachment/link/id_${id}`)
      const { url } = Data as { url: string }
      t.ok(url.startsWith(`${address}/attachment/download/`), url)
      t.equal(await (await fetch(url)).text(), 'text')
    }
  )

  t.test('database, uploads, outbox and secrets are private (contract SAFE-6)', async (t) => {
    await send.upload('text', 'b.txt')
    await send('POST', '/password-reset', { email: 'demo@example.com' })
    await until('a mail', () => existsSync(join(folder, 'outbox')))
    const names = readdirSync(folder, { recursive: true }).map(String)
    for (const name of ['gatehouse.db', 'outbox', 'secrets/SVC_URL_SECRET', 'uploads/tmp']) {
      t.ok(names.includes(name), name)
    }
    const open = ['.', ...names].filter((name) => lstatSync(join(folder, name)).mode & 0o077)
    t.same(open, [])
  })

  t.test('SIGTERM to all processes at once lets them finish what runs (contract DATA-3)', (t) =>
    endAll(t, service, 'SIGTERM')
  )

  t.test('unknown SVC_* names are named, never their values (contract CONFIG-1)', async (t) => {
    const [names = '', privacy, ...rest] = (await service.stderr).split('\n')
    t.match(
      names,
      /^gatehouse: ignored, because unknown: SVC_DATABSE_URL, SVC_EMPTY, SVC_TRUST_PROXIES [^\n]*$/
    )
    t.equal(privacy, `gatehouse: ${folder} and 1 more could be read by other users; made private`)
    t.same(rest, [''])
    t.notMatch(names, 'hunter2')
  })
})

t.test('workers go on with the .env of the start', async (t) => {
  const cwd = temporaryFolder(t)
  const file = join(cwd, '.env')
  writeFileSync(file, 'SVC_RATE_MAX=1234\n')
  const service = await spawnWorkers(t, {}, { ...server, cwd })
  const address = await service.listening()
  writeFileSync(file, 'SVC_RATE_MAX=many\nSVC_LOCKOUT_FAILURES=many\n')
  const pids = service.workers()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await service.listening(4)
  const { headers: ours } = await signInOver(address)
  const { headers } = await fetch(`${address}/todo/index`, { headers: ours })
  t.equal(headers.get('x-ratelimit-limit'), '1234')
})

t.test('workers end silently when their primary process was killed', async (t) => {
  const { child, stderr, log, workers, listening } = await spawnWorkers(t)
  const to = Number(new URL(await listening(2)).port)
  const pids = workers()
  t.equal(pids.length, 2)
  // Stopped, so that each continues with a connection to accept and no primary process to tell.
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const sockets = pids.map(() => connect(to, '127.0.0.1').on('error', () => {}))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // Time for the primary process to pass them on.
  await wait(300)
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  for (const pid of pids) process.kill(pid, 'SIGCONT')
  t.equal(await stderr, '')
  t.notMatch(log(), /EPIPE|unexpected error/)
  for (const socket of sockets) socket.destroy()
})

t.test('an unexpected error in the primary process is printed, and ends the service', async (t) => {
  const fault = join(temporaryFolder(t), 'fault.mjs')
  writeFileSync(
    fault,
    `import cluster from 'node:cluster'
    if (cluster.isPrimary) cluster.once('fork', () => { throw new Error('broken') })`
  )
  const { child, stderr } = await spawnWorkers(t, { NODE_OPTIONS: `--import=${fault}` })
  t.same(await once(child, 'exit'), [1, null])
  t.equal(await stderr, 'gatehouse: broken\n')
})
