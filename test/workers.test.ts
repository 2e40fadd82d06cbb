import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freshPlace } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { readAll, until } from './support/hostile.ts'
import { childrenOf, spawnServer } from './support/server-process.ts'

/** server.ts with two workers, before it listens; it is killed after the test. */
async function spawnWorkers(t: Test, more: Record<string, string> = {}) {
  const env = { ...(await freshPlace(t)), SVC_WORKERS: '2', ...more }
  const child = spawnServer(t, env)
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  return {
    child,
    /** All of standard error; resolves when every process that writes to it has ended. */
    stderr: text(child.stderr),
    log: () => stdout,
    workers: () => childrenOf(child),
    /** Where it listens, once both workers do. */
    async port() {
      while (stdout.split('listening on').length < 3) await wait(20)
      return Number(/listening on http:\/\/[^:]+:(\d+)/.exec(stdout)?.[1])
    }
  }
}

/** Whether a process and all its threads have ended; its parent does not know yet. */
const isDead = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ') &&
  readdirSync(`/proc/${pid}/task`).length === 1

t.test('workers end silently when their primary process was killed', async (t) => {
  const { child, stderr, log, workers, port } = await spawnWorkers(t)
  const to = await port()
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

t.test('a worker that is killed before it listens is replaced', async (t) => {
  const { child, workers, port } = await spawnWorkers(t)
  while (workers().length === 0) await wait(2)
  const victim = Number(workers()[0])
  process.kill(victim, 'SIGKILL')
  await port()
  t.equal(workers().length, 2)
  t.notOk(workers().includes(victim))
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  t.same(await exit, [0, null])
})

t.test(
  'a worker that is killed while it waits for the primary process ends nothing else',
  async (t) => {
    // Counted in the primary process, whatever the tests have as Redis.
    const { child, stderr, log, workers, port } = await spawnWorkers(t, { SVC_REDIS_URL: '' })
    const url = `http://127.0.0.1:${await port()}`
    const primary = Number(child.pid)
    const exit = once(child, 'exit')
    const victims = workers()
    process.kill(primary, 'SIGSTOP')
    const body = JSON.stringify({ user_id: 'nobody', user_pass: 'x' })
    for (let n = 0; n < 10; n++)
      fetch(`${url}/session/login`, { method: 'POST', body }).catch(() => {})
    // Answered after the workers have asked the primary process to count the logins.
    for (let n = 0; n < 20; n++) await (await fetch(`${url}/health/index`)).text()
    for (const pid of victims) process.kill(pid, 'SIGKILL')
    // If it went on before that, its answers would still be taken.
    await until('both are dead', () => victims.every(isDead))
    process.kill(primary, 'SIGCONT')
    await until(
      'both are replaced',
      () => child.exitCode !== null || log().split('listening on').length === 5,
      60
    )
    child.kill('SIGTERM')
    t.same(await exit, [0, null])
    t.match(await stderr, /^(gatehouse: worker \d+ ended \(SIGKILL\)\n){2}$/)
  }
)

t.test('an unexpected error in the primary process is printed, and ends the service', async (t) => {
  const folder = temporaryFolder(t)
  const fault = join(folder, 'fault.mjs')
  writeFileSync(
    fault,
    `import cluster from 'node:cluster'
    if (cluster.isPrimary) cluster.once('listening', () => { throw new Error('broken') })`
  )
  const { child, stderr } = await spawnWorkers(t, { NODE_OPTIONS: `--import=${fault}` })
  t.same(await once(child, 'exit'), [1, null])
  t.equal(await stderr, 'gatehouse: broken\n')
})

t.test(
  'a signal to all processes at once lets them finish what runs (contract DATA-3)',
  async (t) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, log, workers, port } = await spawnWorkers(t)
      const socket = connect(await port(), '127.0.0.1')
      const body = JSON.stringify({ user_id: 'nobody', user_pass: 'x' })
      const answer = readAll(socket)
      socket.write(
        `POST /session/login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
      )
      // "100 Continue": the request has begun.
      await once(socket, 'data')
      const exit = once(child, 'exit')
      for (const pid of [...workers(), Number(child.pid)]) process.kill(pid, signal)
      await until('both close', () => log().split('closing').length > 2)
      await until('the worker without a request is gone', () => workers().length < 2)
      // Until then the primary process may not have sent its own signal.
      for (const pid of workers()) process.kill(pid, 'SIGTERM')
      socket.write(body)
      t.match(await answer, /HTTP\/1\.1 401 [\s\S]*LOGIN-FAILED/, signal)
      t.same(await exit, [0, null], signal)
    }
  }
)

t.test('limits are reported as counted over all workers', async (t) => {
  const token = 'the-token-of-the-agent'
  const { port } = await spawnWorkers(t, { SVC_AGENT_BEARER_TOKEN: token, SVC_RATE_MAX: '100' })
  const url = `http://127.0.0.1:${await port()}/session/current`
  // A connection each, which the workers take in turns.
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  for (const remaining of [99, 98, 97, 96]) {
    const answer = await fetch(url, { headers })
    const { Data } = (await answer.json()) as { Data: { limits: { name: string }[] } }
    const limit = Data.limits.find(({ name }) => name === 'user')
    t.match(limit, { max: 100, remaining })
    t.equal(answer.headers.get('x-ratelimit-remaining'), String(remaining))
  }
})

t.test('with SVC_PORT=0, workers that replace others keep the port', async (t) => {
  const { child, log, workers, port } = await spawnWorkers(t)
  const first = await port()
  for (const pid of workers()) process.kill(Number(pid), 'SIGKILL')
  while (log().split('listening on').length < 5) await wait(20)
  const ports = [...log().matchAll(/listening on http:\/\/[^:]+:(\d+)/g)].map(([, at]) =>
    Number(at)
  )
  t.same(ports, [first, first, first, first])
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
})
