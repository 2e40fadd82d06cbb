import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { serialize } from './load.ts'
import { asEach, type Case, create } from './measure.ts'
import { furnishedPlace, nameOf, signIn, startService, writer } from './place.ts'
import { judge, median, percentile, printTable, type Row } from './report.ts'
import { memoryOf, stopAll, type Target } from './target.ts'

type Headers = Record<string, string>

/** How many streams a user may have open in a process. */
const ofUser = 10
/** Users who have each so many open: 1,000 streams. */
const others = 100
const idleMs = 10_000

/** Opens the streams of these callers. Resolves when all have begun. */
async function openStreams({ port }: Target, callers: Headers[]) {
  const opened = callers.flatMap((headers) =>
    Array.from({ length: ofUser }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(serialize({ method: 'GET', path: '/activity/stream', headers }))
      const [head] = await once(socket, 'data')
      if (!`${head}`.startsWith('HTTP/1.1 200')) throw new Error(`a stream got ${head}`)
      return socket.resume()
    })
  )
  return Promise.all(opened)
}

async function startSignedIn(users: number, env: Headers = {}) {
  const target = await startService(await furnishedPlace({ more: users }), env)
  const headers: Headers[] = []
  for (let n = 0; n < users; n++) headers.push(await signIn(target.port, nameOf(n)))
  const own = await signIn(target.port, writer.user_id)
  return { target, own, headers, contender: { target, requests: asEach(create, [own]) } }
}

/** A create while streams and subscriptions are told of it, or only others', and where the same users have none. */
export async function toldCases(): Promise<Case[]> {
  const env = { SVC_WEBHOOK_PRIVATE: '1' }
  const own = await startSignedIn(9, env)
  await openStreams(own.target, [own.own, ...own.headers])
  const foreign = await startSignedIn(others, env)
  await openStreams(foreign.target, foreign.headers)
  for (const headers of foreign.headers) {
    const body = JSON.stringify({ url: 'http://127.0.0.1:1024/' })
    const url = `${foreign.target.base}/subscription/index`
    const { ok } = await fetch(url, { method: 'POST', headers, body })
    if (!ok) throw new Error('no subscription was made')
  }
  const beside = async (told: typeof own, users: number) => ({
    told: told.contender,
    'not told': (await startSignedIn(users, env)).contender
  })
  const cases = [
    { name: '100 streams, 10 of them of its user', contenders: await beside(own, 9), most: 1.5 },
    {
      name: '1,000 streams and 100 subscriptions of others',
      contenders: await beside(foreign, others),
      most: 1.1
    }
  ]
  return cases.map(({ most, ...rest }) => ({ ...rest, callers: 1, goal: { to: 'not told', most } }))
}

/** Milliseconds from before the request of a create until all streams have its event. */
async function measureDelay(goal: number, samples: number, env: Headers = {}): Promise<Row> {
  const { target, own } = await startSignedIn(0, env)
  const streams = await openStreams(target, [own])
  let arrived = (_: Buffer) => {}
  for (const stream of streams) stream.on('data', (data: Buffer) => arrived(data))
  const times: number[] = []
  for (let n = 0; n < samples; n++) {
    const title = `sample ${n}.`
    const begun = performance.now()
    const told = new Promise<void>((resolve) => {
      let missing = streams.length
      arrived = (data) => {
        if (data.includes(title) && --missing === 0) resolve()
      }
    })
    const body = JSON.stringify({ title })
    await fetch(target.base + create.path, { method: 'POST', headers: own, body })
    await told
    times.push(performance.now() - begun)
    await wait(5)
  }
  await stopAll()
  const p99 = percentile(times, 0.99)
  const figure = `${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  return { figure, 'met (goal)': judge(p99, goal, true) }
}

async function measureIdle(): Promise<Record<string, Row>> {
  const { target, headers } = await startSignedIn(others)
  /** Share of a core, in percent. */
  const use = async () => {
    const before = await target.cpu()
    await wait(idleMs)
    return (((await target.cpu()) - before) / idleMs / 10).toFixed(1)
  }
  const without = await use()
  const rest = memoryOf(target.pid)
  await openStreams(target, headers)
  await wait(idleMs)
  const more = Math.round(memoryOf(target.pid) - rest)
  const cpu = `${await use()}% of a core, ${without}% without`
  await stopAll()
  return {
    'memory of 1,000 idle streams': { figure: `${more} MB`, 'met (goal)': judge(more, 40, true) },
    'CPU of 1,000 idle streams': { figure: cpu }
  }
}

/** How long it takes to tell of changes, and what streams cost that wait. */
export async function measureStreams(samples: number, SVC_REDIS_URL: string) {
  const SVC_REDIS_PREFIX = `bench:${process.pid}:`
  const workers = { SVC_WORKERS: '2', SVC_REDIS_URL, SVC_REDIS_PREFIX }
  printTable('streams', {
    'from the request to its event in 10 streams': await measureDelay(100, samples),
    'the same through two workers and Redis': await measureDelay(250, samples, workers),
    ...(await measureIdle())
  })
}
