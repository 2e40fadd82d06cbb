import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { connect, toldOf } from '../../support/mcp.ts'

const service = await startService(t)
const { app } = service
const demo = await signIn(app)
const list = (query: string) => demo.send('GET', `/activity/index?${query}`)
const create = (title: string) => demo.send('POST', '/todo/index', { title })
/** Resolves when so many requests wait: what is done then wakes them. */
function areWaiting(count = 1) {
  const { waitUntil } = app
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = count
  app.waitUntil = (request, seconds, isDone) => {
    let isFirst = true
    return waitUntil(request, seconds, async () => {
      const done = await isDone()
      if (isFirst) left -= 1
      isFirst = false
      if (left === 0) {
        app.waitUntil = waitUntil
        resolve()
      }
      return done
    })
  }
  return promise
}

t.test(
  'GET /activity/index?wait= answers at the next change, or after so many seconds',
  async (t) => {
    await create('first')
    const known = await list('after=0&wait=30')
    t.match(known.json().Data, { changes: [{ id: 1 }], next_after: 1 }, 'at once')

    let waits = areWaiting()
    const next = list('wait=30')
    await waits
    await create('second')
    t.match((await next).json().Data, {
      changes: [{ id: 2, after: { title: 'second' } }],
      next_after: 2
    })

    waits = areWaiting()
    const ofMemos = list('after=2&kind=memo&wait=30')
    await waits
    await create('third')
    await demo.send('POST', '/memo/index', { body: 'x' })
    t.match((await ofMemos).json().Data, { changes: [{ id: 4, kind: 'memo' }], next_after: 4 })

    const began = performance.now()
    t.match((await list('after=4&wait=1')).json().Data, { changes: [], next_after: 4 })
    t.ok(performance.now() - began > 900)
    t.equal((await list('after=4&wait=0')).json().Data.changes.length, 0)
    for (const wait of ['31', '-1', 'x']) {
      t.equal(outcome(await list(`wait=${wait}`)), '422 VALIDATION-FAILED', wait)
    }
    t.equal(outcome(await list('wait=1&cursor=2')), '422 VALIDATION-FAILED')
    t.match((await list('after=99&wait=9')).json().Data, {
      errorCode: 'CHANGES-GONE',
      reason: 'ahead'
    })
  }
)

t.test('at most 10 wait for a user; a token that ends is told nothing more', async (t) => {
  const { bearer, id } = await makeAccessToken(app, { user_id: 'demo' })
  const waits = areWaiting(10)
  const get = async () => app.inject({ url: '/activity/index?wait=30', headers: bearer })
  const revoked = get()
  const others = Array.from({ length: 9 }, () => list('wait=30'))
  await waits
  const eleventh = await list('wait=30')
  t.equal(outcome(eleventh), '429 RATE-LIMIT-EXCEEDED')
  const plain = await demo.send('GET', '/activity/index?after=0')
  t.equal(outcome(plain), '200 success', 'one that does not wait')
  t.equal(eleventh.headers['retry-after'], '15')
  await demo.send('DELETE', `/accesstoken/item/id_${id}`)
  await create('not for the token')
  t.same((await revoked).json().Data.changes, [])
  for (const answer of await Promise.all(others)) t.equal(answer.json().Data.changes.length, 1)
})

t.test('the tool list_activity takes wait_seconds', async (t) => {
  const client = await connect(t, service, { user_id: 'demo', scopes: ['todo:read'] })
  const waits = areWaiting()
  const told = client.callTool({ name: 'list_activity', arguments: { wait_seconds: 30 } })
  await waits
  await create('for the tool')
  t.match(toldOf(await told), { changes: [{ after: { title: 'for the tool' } }] })
  const wrong = await client.callTool({ name: 'list_activity', arguments: { wait_seconds: 31 } })
  t.match(toldOf(wrong), { details: [{ field: 'wait_seconds', message: 'must be <= 30' }] })
})

t.test('a service that closes keeps nobody waiting', async (t) => {
  const { app } = await startService(t)
  const { send } = await signIn(app)
  const answer = send('GET', '/activity/index?wait=30')
  await app.ready()
  const began = performance.now()
  await app.close()
  await answer.catch(() => undefined)
  t.ok(performance.now() - began < 10_000)
})
