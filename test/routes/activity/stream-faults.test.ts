import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { onPostgres } from '../../support/database.ts'
import { addressOf, openStream } from '../../support/events.ts'
import { newcomer, restart, signIn, startService } from '../../support/helper.ts'
import { openUnread, startLimited, until } from '../../support/hostile.ts'
import { slow } from '../../support/selection.ts'
import { signInOver } from '../../support/server-process.ts'
import { newTodo } from '../../support/todo.ts'

const shared = await startService(t)

t.test('a stream that is cut five times loses nothing and tells nothing twice', async (t) => {
  const { app } = await startService(t, { SVC_USER_TODOS_MAX: '20000' })
  const address = await addressOf(app)
  const demo = await signIn(app)
  const headers = { cookie: demo.cookie }
  const items = Array.from({ length: 100 }, (_, n) => ({ title: `${n}` }))
  const parts = 100
  const told: number[] = []
  let stream = await openStream(t, address, headers)
  const writing = (async () => {
    for (let part = 0; part < parts; part++) await demo.send('POST', '/todo/batch', { items })
  })()
  for (let cut = 1; cut <= 5; cut++) {
    await stream.has(1200)
    // In the middle of a chunk: what is not a whole event does not count.
    stream.request.destroy()
    await stream.ended
    told.push(...stream.ids())
    stream = await openStream(t, address, { ...headers, 'last-event-id': stream.lastId() })
  }
  await writing
  await stream.has(parts * items.length - told.length)
  told.push(...stream.ids())
  t.same(
    told,
    Array.from({ length: parts * items.length }, (_, n) => n + 1)
  )
})

t.test('a change that is committed later is told later, whatever its id', onPostgres, async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const stream = await openStream(t, await addressOf(app), { cookie: demo.cookie })
  const [inserted, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = app.db.transaction(async ({ todos }) => {
    await todos.insert(newTodo(2, 'first'))
    inserted.resolve()
    await released.promise
  })
  await inserted.promise
  const second = app.db.repos.todos.insert(newTodo(2, 'second'))
  // Long enough for it to be committed, if it did not wait for the first.
  await wait(300)
  t.same(stream.changes(), [])
  released.resolve()
  await Promise.all([first, second])
  await stream.has(2)
  t.same(
    stream.changes().map(({ after }) => after?.title),
    ['first', 'second']
  )
})

t.test('a process has 2,000 streams at most', slow, async (t) => {
  const { app } = await restart(shared)
  const address = await addressOf(app)
  const open = async (user_id: string, count: number) => {
    const { cookie } = await newcomer(app, user_id)
    const opening = Array.from({ length: count }, () => openStream(t, address, { cookie }))
    return Promise.all(opening)
  }
  let streams: Awaited<ReturnType<typeof open>> = []
  for (let n = 0; n < 200; n++) {
    streams = await open(`user${n}`, 10)
    t.ok(streams.every(({ status }) => status === 200))
  }
  const refused = await open('late', 1)
  t.match(refused, [{ status: 429, headers: { 'retry-after': '15' } }])
  streams[0]?.request.destroy()
  await until('there is room', () => app.changeStreams.size() === 1999)
  t.match(await open('later', 1), [{ status: 200 }])
})

t.test('readers that take nothing are closed, and cost little memory', slow, async (t) => {
  const service = await startLimited(t, { env: { SVC_ENV: 'development' } })
  const { port, address } = service
  const demo = await signInOver(address)
  const body = () => ({ title: 'x', body: `${Math.random()}${'€'.repeat(9900)}` })
  await demo('POST', '/memo/index', body())
  // More than the system keeps for a connection: 60 kB each.
  for (let n = 0; n < 400; n++) {
    await demo('PUT', '/memo/item/id_1', body(), { 'if-match': '*' })
  }
  const [memory, descriptors] = [service.memory(), service.descriptors()]
  const head = `GET /activity/stream?after=0 HTTP/1.1\r\nHost: localhost\r\nCookie: ${demo.headers.cookie}\r\n\r\n`
  openUnread(t, port, 10, head)
  await until('they are open', () => service.descriptors() === descriptors + 10)
  const begun = Date.now()
  let most = 0
  await until(
    () => `they are closed; of ${descriptors} there are ${service.open()}`,
    () => {
      most = Math.max(most, service.memory() - memory)
      return service.descriptors() <= descriptors
    },
    60
  )
  const took = Date.now() - begun
  t.ok(took < 46_000, `closed after ${took} ms`)
  // Ten times 24 MB, if it were kept for them; what is read becomes garbage first.
  t.ok(most < 120, `at most ${most} MB more`)
})
