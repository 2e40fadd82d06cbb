import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { addressOf, openStream } from '../../support/events.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { readAll, until } from '../../support/hostile.ts'
import { newTodo } from '../../support/todo.ts'

t.test('a stream of changes', async (t) => {
  const service = await startService(t, {
    SVC_AGENT_BEARER_TOKEN: 'a'.repeat(32),
    SVC_AGENT_BEARER_USER: 'demo',
    SVC_JWT_SECRET: 'j'.repeat(32)
  })
  const { app, sql, clock } = service
  const address = await addressOf(app)
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  const create = async (title: string) =>
    (await demo.send('POST', '/todo/index', { title })).json().Data.todo.id
  const listed = async (query: string) =>
    (await demo.send('GET', `/activity/index?${query}`)).json().Data
  const newToken = async (scopes: string[]): Promise<{ id: number; token: string }> => {
    const body = { name: 'reader', scopes }
    const { access_token, token } = (await demo.send('POST', '/accesstoken/index', body)).json()
      .Data
    return { id: access_token.id, token }
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const refused = async (url: string, headers: Record<string, string>) =>
    app.inject({ url, headers })

  await t.test('tells what is committed as the list shows it, and nothing else', async (t) => {
    const stream = await openStream(t, address, { cookie: demo.cookie })
    t.equal(stream.status, 200)
    t.match(stream.headers, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no'
    })
    await admin.send('POST', '/todo/index', { title: "another user's" })
    await app.db
      .transaction(async ({ todos }) => {
        await todos.insert(newTodo(2, 'rolled back'))
        throw new Error('rolled back')
      })
      .catch(() => {})
    await demo.send('POST', '/todo/batch', { items: [{ title: 'a' }, { title: 'b' }] })
    await stream.has(2)
    t.match(stream.text(), /^retry: 2000\nid: 0\n\nevent: change\nid: \d+\ndata: \{/)
    const [first, second] = stream.changes()
    t.match([first?.after, second?.after], [{ title: 'a' }, { title: 'b' }])
    const { changes, next_after } = await listed('after=0')
    t.same(stream.changes(), changes)
    t.equal(next_after, second?.id)
    t.same(await listed(`after=${next_after}`), {
      status: 'success',
      changes: [],
      more: false,
      next_cursor: null,
      next_after
    })
    stream.request.destroy()
  })

  await t.test('begins after Last-Event-ID, else after the parameter', async (t) => {
    const before = Number((await listed('limit=1')).changes[0].id)
    await create('c')
    await create('d')
    const headers = { cookie: demo.cookie }
    const byQuery = await openStream(t, address, headers, `?after=${before}`)
    await byQuery.has(2)
    const last = { ...headers, 'last-event-id': String(before + 1) }
    const byHeader = await openStream(t, address, last, `?after=${before}`)
    await byHeader.has(1)
    t.same(byHeader.ids(), [before + 2])
    for (const wrong of ['x', '-1', '1.5', '9007199254740993']) {
      t.equal(
        outcome(await demo.send('GET', `/activity/stream?after=${wrong}`)),
        '422 VALIDATION-FAILED'
      )
    }
    const bad = { ...headers, 'last-event-id': 'x' }
    t.equal(outcome(await refused('/activity/stream', bad)), '422 VALIDATION-FAILED')
    t.equal(
      outcome(await demo.send('GET', '/activity/index?after=1&cursor=2')),
      '422 VALIDATION-FAILED'
    )
    for (const { request } of [byQuery, byHeader]) request.destroy()
  })

  await t.test('the list after an id goes on within its filters', async (t) => {
    const { next_after } = await listed('after=0&limit=1')
    const first = (await listed('after=0&limit=1')).changes
    const rest = await listed(`after=${next_after}`)
    t.same([...first, ...rest.changes], (await listed('')).changes.toReversed())
    t.same((await listed('after=0&kind=memo')).changes, [])
    t.equal((await listed('after=0&kind=memo')).next_after, rest.next_after)
    t.equal((await listed(`after=0&kind=todo&key=${first[0].key}`)).changes.length, 1)
  })

  await t.test('the list after an id says whether more follow', async (t) => {
    const all = (await listed('')).changes.toReversed()
    t.ok(all.length > 3)
    const found = []
    let page = await listed('after=0&limit=2')
    for (; page.more; page = await listed(`after=${page.next_after}&limit=2`)) {
      t.equal(page.changes.length, 2)
      found.push(...page.changes)
    }
    t.same([...found, ...page.changes], all, 'each once')
    t.ok(page.changes.length > 0, 'the last page is not empty')
    // Nothing that is wanted follows, but other changes do.
    const { id, key } = all[0]
    const only = await listed(`after=0&limit=1&kind=todo&key=${key}`)
    t.match(only, { changes: [{ id }], more: false, next_after: all.at(-1).id })
    t.equal((await listed('limit=1')).more, true, 'newest first, too')
    t.equal((await listed('limit=500')).more, false)
  })

  await t.test('any list says where to go on from now', async (t) => {
    const { changes, next_after } = await listed('limit=1')
    t.equal(next_after, changes[0].id)
    await demo.send('POST', '/todo/index', { title: 'next' })
    t.match((await listed(`after=${next_after}`)).changes, [{ after: { title: 'next' } }])
  })

  await t.test('a token sees the kinds that it may read', async (t) => {
    const { token } = await newToken(['memo:read'])
    const stream = await openStream(t, address, bearer(token))
    await create('not for a reader of memos')
    const memo = (await demo.send('POST', '/memo/index', { title: 'm', body: 'm' })).json().Data
    await stream.has(1)
    t.match(stream.changes(), [{ kind: 'memo', key: memo.memo.id }])
    const { token: writer } = await newToken(['memo:write'])
    const answer = await refused('/activity/stream', bearer(writer))
    t.equal(outcome(answer), '403 SCOPE-INSUFFICIENT')
    t.match(answer.headers['www-authenticate'], /scope="todo:read"/)
    t.equal(outcome(await refused('/activity/stream', {})), '401 SESSION-CLOSED')
    stream.request.destroy()
  })

  await t.test('it ends with the credential, within a second', async (t) => {
    const endsAfter = async (headers: Record<string, string>, end: () => Promise<unknown>) => {
      const stream = await openStream(t, address, headers)
      t.equal(stream.status, 200)
      await end()
      return stream.halfSeconds()
    }
    const within = async (what: string, took: Promise<number>) =>
      t.ok((await took) < 2, `${what}: ${await took} half seconds`)
    const other = await signIn(app)
    await within(
      'logout',
      endsAfter({ cookie: other.cookie }, () => other.send('POST', '/session/logout'))
    )
    const { id, token } = await newToken(['todo:read'])
    await within(
      'a revoked token',
      endsAfter(bearer(token), () => demo.send('DELETE', `/accesstoken/item/id_${id}`))
    )
    const expiring = await newToken(['todo:read'])
    await within(
      'expiry',
      endsAfter(bearer(expiring.token), async () => {
        await sql(`UPDATE access_tokens SET expires_at = ${clock.now} WHERE id = ${expiring.id}`)
      })
    )
    const jwt = (
      await app.inject({
        method: 'POST',
        url: '/token/issue',
        payload: { user_id: 'admin', user_pass: 'admin' }
      })
    ).json().Data
    const agent = bearer('a'.repeat(32))
    const lock = (state: boolean) =>
      sql(`UPDATE users SET locked_at = ${state ? 1 : 'NULL'} WHERE user_id = 'demo'`)
    await within(
      'a lock of the agent',
      endsAfter(agent, () => lock(true))
    )
    await lock(false)
    const seen = await signIn(app)
    await within(
      'a lock of the user',
      endsAfter({ cookie: seen.cookie }, () => lock(true))
    )
    await lock(false)
    await within(
      'a password',
      endsAfter(bearer(jwt.access_token ?? jwt.token), async () => {
        await sql(`UPDATE users SET password_changed_at = 7 WHERE user_id = 'admin'`)
        await admin.send('POST', '/todo/index', { title: 'so that rows are read again' })
      })
    )
  })

  await t.test('it ends when its client has sent all (FIN)', async (t) => {
    const { port } = new URL(address)
    const socket = connect(Number(port), '127.0.0.1')
    const all = readAll(socket)
    socket.write(`GET /activity/stream HTTP/1.1\r\nHost: x\r\nCookie: ${demo.cookie}\r\n\r\n`)
    await once(socket, 'data')
    socket.end()
    t.match(await all, /retry: 2000.*\r\n0\r\n\r\n$/s)
  })

  await t.test('a user has ten streams at most', async (t) => {
    const headers = { cookie: demo.cookie }
    const open = await Promise.all(
      Array.from({ length: 10 }, () => openStream(t, address, headers))
    )
    const answer = await demo.send('GET', '/activity/stream')
    t.equal(outcome(answer), '429 RATE-LIMIT-EXCEEDED')
    t.equal(answer.headers['retry-after'], '15')
    await create('for all of them')
    await Promise.all(open.map(({ has }) => has(1)))
    for (const { request } of open) request.destroy()
    await until('they are closed', async () => {
      const stream = await openStream(t, address, headers)
      stream.request.destroy()
      return stream.status === 200
    })
    t.equal(
      (await app.inject({ method: 'HEAD', url: '/activity/stream', headers })).statusCode,
      200
    )
  })

  await t.test('what is forgotten is said, for each user', async (t) => {
    const all = (await listed('')).changes
    await admin.send('POST', '/todo/index', { title: 'remembered' })
    const oldest = all.at(-1).id
    await sql(`UPDATE changes SET at = '2020-01-01T00:00:00.000Z' WHERE id = ${oldest}`)
    const gone = async (after: number) => {
      const ways = [`/activity/stream?after=${after}`, `/activity/index?after=${after}`]
      const answers = await Promise.all(ways.map((url) => demo.send('GET', url)))
      return answers.map((answer) => `${outcome(answer)} ${answer.json().Data.reason}`)
    }
    t.same(await gone(0), Array(2).fill('410 CHANGES-GONE forgotten'), 'too old, not swept yet')
    const second = all.at(-2).id
    await app.db.transaction(async ({ changes }) => {
      await changes.removeUpTo({ user_id: 2, id: second, limit: 9 })
      await changes.forget({ user_id: 2, id: second })
      await changes.forget({ user_id: 2, id: oldest })
    })
    t.same(await gone(second - 1), Array(2).fill('410 CHANGES-GONE forgotten'))
    const newest = all[0].id
    t.same(await gone(newest + 1), Array(2).fill('410 CHANGES-GONE ahead'), 'of another database')
    const stream = await openStream(t, address, { cookie: demo.cookie }, `?after=${second}`)
    await stream.has(all.length - 2)
    const { statusCode } = await admin.send('GET', '/activity/index?after=0')
    t.equal(statusCode, 200, "another user's")
    stream.request.destroy()
  })

  await t.test('a shutdown ends it', async (t) => {
    const stream = await openStream(t, address, { cookie: demo.cookie })
    const passed = stream.halfSeconds()
    await app.close()
    t.ok((await passed) < 2)
    t.match(stream.text(), /^retry/)
    t.ok(stream.answer.complete)
  })
})

t.test('a stream whose connection was reset before it began is not kept', async (t) => {
  const { app } = await startService(t, {}, (app) => {
    app.addHook('preHandler', async ({ routeOptions, raw }) => {
      if (routeOptions.url !== '/activity/stream') return
      socket.resetAndDestroy()
      await new Promise((resolve) => raw.socket.once('close', resolve))
    })
  })
  const { port } = new URL(await addressOf(app))
  const demo = await signIn(app)
  const { feed } = app.repos
  const { newest } = feed
  const isOpened = new Promise<void>((resolve) => {
    feed.newest = (key) => {
      t.equal(app.changeStreams.size(), 1)
      resolve()
      return newest(key)
    }
  })
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET /activity/stream HTTP/1.1\r\nHost: x\r\nCookie: ${demo.cookie}\r\n\r\n`)
  await isOpened
  await until('it is closed', () => app.changeStreams.size() === 0)
})

t.test('with the record switched off there is no stream', async (t) => {
  const { app } = await startService(t, { SVC_ACTIVITY_DAYS: '0' })
  const demo = await signIn(app)
  t.equal(outcome(await demo.send('GET', '/activity/stream')), '404 NOT-FOUND')
  t.same((await demo.send('GET', '/activity/index?after=5')).json().Data, {
    status: 'success',
    changes: [],
    more: false,
    next_cursor: null,
    next_after: 5
  })
})
