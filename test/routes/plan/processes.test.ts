import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { buildApp } from '../../../app.ts'
import { openDatabase } from '../../../db/open.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { localPeers } from '../../../plugins/runtime/peers/local.ts'
import type { Scope } from '../../../schemas/access-token.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { freshPlace, runSql } from '../../support/database.ts'
import { addressOf, openStream } from '../../support/events.ts'
import { outcome, type Service, signIn, startService } from '../../support/helper.ts'
import { until } from '../../support/hostile.ts'
import { signInOver, startServer } from '../../support/server-process.ts'

const stepsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    operation: 'createTodo',
    arguments: { title: `todo ${n}` }
  }))

/** Another process on the database of a service, which hears nothing of it. */
async function other(t: Test, { place, clock }: Service) {
  const config = loadConfig({ SVC_ENV: 'test', SVC_LOG_LEVEL: 'silent', ...place })
  const database = await openDatabase(config)
  const app = await buildApp({
    config,
    database,
    peers: localPeers(Date.now),
    now: () => clock.now
  })
  t.teardown(() => app.close())
  return app
}

t.test('two processes apply a plan at once: one does; another learns of it', async (t) => {
  const service = await startService(t, { SVC_REDIS_URL: '' })
  const second = await other(t, service)
  const here = await signIn(service.app)
  const there = await signIn(second)
  for (let round = 0; round < 5; round += 1) {
    const proposed = await here.send('POST', '/plan/index', { purpose: 'x', steps: stepsOf(3) })
    const { id } = proposed.json().Data.plan
    const waits = round === 0 && there.send('GET', `/plan/item/id_${id}?wait=30`)
    const apply = `/plan/apply/id_${id}`
    const answers = await Promise.all([here.send('POST', apply), there.send('POST', apply)])
    t.same(answers.map(outcome).sort(), ['200 success', '409 PLAN-DECIDED'])
    if (waits) t.equal((await waits).json().Data.plan.state, 'applied')
  }
  t.equal((await service.sql('SELECT id FROM todos')).length, 15)
})

t.test('killed while it applies a plan: all of it was done, or nothing', async (t) => {
  const place = await freshPlace(t)
  const env = { ...place, SVC_ENV: 'test', SVC_REDIS_URL: '' }
  const setUp = await startServer(t, { ...env, SVC_ENV: 'development' })
  const send = await signInOver(setUp.address)
  const ids: number[] = []
  for (let n = 0; n < 4; n += 1) {
    const plan = { purpose: 'x', run: `run-${n}`, steps: stepsOf(100) }
    const { Data }: { Data: { plan: { id: number } } } = await send('POST', '/plan/index', plan)
    ids.push(Data.plan.id)
  }
  setUp.child.kill('SIGTERM')
  await setUp.exit
  for (const [n, id] of ids.entries()) {
    const server = await startServer(t, env)
    const apply = await signInOver(server.address)
    const applied = apply('POST', `/plan/apply/id_${id}`)
    await wait(10 + 12 * n)
    server.child.kill('SIGKILL')
    await applied.catch(() => {})
    await server.exit
    const [plan] = await runSql(place, `SELECT state FROM plans WHERE id = ${id}`)
    const made = await runSql(place, `SELECT id FROM changes WHERE run = 'run-${n}'`)
    t.equal(made.length, plan?.state === 'applied' ? 100 : 0, String(plan?.state))
  }
})

t.test('a stream tells of plans, without an id, to those who may see them', async (t) => {
  const { app } = await startService(t)
  const address = await addressOf(app)
  const demo = await signIn(app)
  const open = async (scopes: readonly Scope[]) => {
    const { bearer } = await makeAccessToken(app, { scopes })
    return openStream(t, address, bearer)
  }
  const [own, todos, memos] = [
    await openStream(t, address, { cookie: demo.cookie }),
    await open(['todo:read']),
    await open(['memo:read'])
  ]
  const proposed = await demo.send('POST', '/plan/index', {
    purpose: 'Two\nlines',
    steps: stepsOf(1)
  })
  const { id } = proposed.json().Data.plan
  await demo.send('POST', `/plan/refuse/id_${id}`, {})
  const told = (state: string) =>
    `event: plan\ndata: {"id":${id},"state":"${state}","purpose":"Two\\nlines"}\n\n`
  for (const stream of [own, todos]) {
    await until('the decision', () => stream.text().includes('withdrawn'))
    t.ok(stream.text().endsWith(told('pending') + told('withdrawn')), stream.text())
    t.equal(stream.lastId(), '0', 'the cursor stays')
  }
  await demo.send('POST', '/memo/index', { body: 'x' })
  await memos.has(1)
  t.notMatch(memos.text(), /event: plan/)
})
