import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase } from '../../db/open.ts'
import { openPostgres } from '../../db/postgres.ts'
import { seed } from '../../db/seed.ts'
import { loadConfig } from '../../fastify.config.ts'
import { emptyDatabase, freshPlace, onPostgres, runSql } from '../database.ts'
import { holdTransaction, outcome, signIn, startService } from '../helper.ts'

const now = '2026-11-21T09:30:00.000Z'

/** A seeded database, and SQL from the side. */
async function openSeeded(t: Test, env: Record<string, string> = {}) {
  const place = { ...(await freshPlace(t)), ...env }
  const database = await openPostgres(loadConfig(place))
  t.teardown(() => database.close())
  await seed(database, async () => 'no hash', new Date(now))
  const demo = await database.repos.users.find({ user_id: 'demo' })
  const user_id = Number(demo?.id)
  const sql = (text: string) => runSql(place, text)
  return { ...database, place, sql, user_id, newTodo: { user_id, title: 'x', now } }
}

const gone = { name: 'DatabaseUnavailable' }

t.test('on PostgreSQL', onPostgres, async (t) => {
  t.test('rows have the types that they have on SQLite (contract: typing rule)', async (t) => {
    const { repos, user_id, newTodo } = await openSeeded(t)
    const todo = await repos.todos.insert(newTodo)
    t.strictSame(todo, { id: 1, title: 'x', is_completed: false, created_at: now, updated_at: now })
    const changed = {
      id: 1,
      user_id,
      title: null,
      is_completed: true,
      now: '2026-11-21T09:30:00.001Z'
    }
    t.strictSame(await repos.todos.update(changed), {
      ...todo,
      is_completed: true,
      updated_at: changed.now
    })
    t.equal((await repos.users.find({ user_id: 'demo' }))?.password_changed_at, Date.parse(now))

    const flag = { flag_name: 'f', is_enabled: null, rollout_pct: 7, now }
    t.match(await repos.featureFlags.set(flag), { id: 1, is_enabled: false, rollout_pct: 7 })
    t.strictSame(await repos.featureFlags.state({ flag_name: 'f', user_id }), {
      flag_name: 'f',
      is_enabled: false,
      rollout_pct: 7,
      override: null
    })
    const override = { flag_name: 'f', user_id, is_enabled: true, now }
    t.match(await repos.featureFlags.setOverride(override), { is_enabled: true, created_at: now })

    const reaction = {
      target_id: 2 ** 53 - 1,
      target_type: 'x',
      reaction_type: 'like' as const,
      user_id
    }
    await repos.reactions.insert({ ...reaction, now })
    await repos.reactions.countUp(reaction)
    t.strictSame(await repos.reactions.summary(reaction), {
      total: 1,
      by_type: { like: 1 },
      user_reactions: ['like']
    })
  })

  t.test('several that open one empty database at once migrate it once, as a whole', async (t) => {
    const config = loadConfig({ SVC_DATABASE_URL: await emptyDatabase(t) })
    const opened = await Promise.all(Array.from({ length: 5 }, () => openDatabase(config)))
    await Promise.all(opened.map((database) => database.close()))
    const rows = await runSql(config, 'SELECT name, xmin::text FROM kysely_migration ORDER BY name')
    t.equal(rows.at(-1)?.name, opened[0]?.schema)
    t.equal(new Set(rows.map(({ xmin }) => xmin)).size, 1, 'in one transaction')
  })

  t.test('a database of a later version is refused in one line without the URL', async (t) => {
    const place = await freshPlace(t)
    await runSql(place, `INSERT INTO kysely_migration VALUES ('9999-12-31-later', '')`)
    t.teardown(() => runSql(place, `DELETE FROM kysely_migration WHERE name LIKE '9999%'`))
    await t.rejects(openDatabase(loadConfig(place)), {
      message: /^cannot use the database of SVC_DATABASE_URL: .*another version of Gatehouse.*9999/
    })
    await t.rejects(
      openDatabase(loadConfig({ SVC_DATABASE_URL: 'postgres://u:pw@127.0.0.1:1/x' })),
      {
        message: /^(?!.*pw)cannot use the database of SVC_DATABASE_URL: [^\n]*ECONNREFUSED[^\n]*$/
      }
    )
  })

  t.test('a statement that takes too long ends; so does one that waits for a lock', async (t) => {
    const { repos, place, newTodo } = await openSeeded(t, { SVC_DATABASE_TIMEOUT_MS: '200' })
    const other = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
    await other.connect()
    await other.query('BEGIN; LOCK TABLE todos')
    await t.rejects(repos.todos.insert(newTodo), gone)
    await other.end()
    t.equal((await repos.todos.insert(newTodo)).title, 'x', 'and the connection is as good as new')
  })

  t.test('of two transactions in a deadlock both are done, one of them twice', async (t) => {
    const { repos, transaction, newTodo, user_id } = await openSeeded(t)
    const [one, two] = [await repos.todos.insert(newTodo), await repos.todos.insert(newTodo)]
    const change = { user_id, is_completed: null, now }
    let runs = 0
    let inside = 0
    const both = Promise.withResolvers<void>()
    const rename = (title: string, first: number, second: number) =>
      transaction(async ({ todos }) => {
        runs += 1
        await todos.update({ ...change, id: first, title })
        inside += 1
        if (inside === 2) both.resolve()
        await both.promise
        await todos.update({ ...change, id: second, title })
        return title
      })
    t.same(await Promise.all([rename('a', one.id, two.id), rename('b', two.id, one.id)]), [
      'a',
      'b'
    ])
    t.equal(runs, 3)
    const titles = await repos.todos.list({ user_id, limit: 9, before: 99 })
    t.equal(new Set(titles.map(({ title }) => title)).size, 1)
  })

  t.test('a deadlock that comes again and again is the service being unavailable', async (t) => {
    const { transaction, sql } = await openSeeded(t)
    await sql(`CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`)
    await sql('CREATE TRIGGER deadlock BEFORE DELETE ON todos EXECUTE FUNCTION deadlock()')
    t.teardown(() => sql('DROP FUNCTION deadlock CASCADE'))
    let runs = 0
    const work = transaction(async ({ todos }) => {
      runs += 1
      return todos.remove({ id: 1, user_id: 1 })
    })
    await t.rejects(work, gone)
    t.equal(runs, 3)
  })

  t.test(
    'a transaction whose connection is killed is undone, and the process goes on',
    async (t) => {
      const { repos, transaction, sql, user_id, newTodo } = await openSeeded(t)
      const killAll = () =>
        sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`)
      await t.rejects(
        transaction(async ({ todos }) => {
          await todos.insert(newTodo)
          await killAll()
          await todos.insert(newTodo)
        }),
        gone,
        'before a statement'
      )
      await t.rejects(
        transaction(async ({ todos }) => {
          await todos.insert(newTodo)
          await killAll()
        }),
        gone,
        'before its COMMIT'
      )
      await killAll()
      t.same(
        await repos.todos.list({ user_id, limit: 9, before: 99 }),
        [],
        'idle ones are replaced'
      )
    }
  )

  t.test(
    'a transaction that goes on after a failed statement is not kept, and says so',
    async (t) => {
      const { transaction, repos, user_id, newTodo } = await openSeeded(t)
      const work = transaction(async ({ todos }) => {
        await todos.insert(newTodo)
        await todos.insert({ ...newTodo, user_id: 999 }).catch(() => {})
      })
      await t.rejects(work, { message: /had failed/ })
      t.same(await repos.todos.list({ user_id, limit: 9, before: 99 }), [])
    }
  )

  t.test('a server that does not answer is given up', async (t) => {
    const place = await freshPlace(t)
    const { hostname, port } = new URL(place.SVC_DATABASE_URL)
    // A proxy that can stop passing bytes on.
    const sockets = new Set<Socket>()
    const proxy = createServer((near) => {
      const far = connect(Number(port || 5432), hostname)
      for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
      near.pipe(far).pipe(near)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const url = new URL(place.SVC_DATABASE_URL)
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const config = { SVC_DATABASE_URL: url.href, SVC_DATABASE_TIMEOUT_MS: '100' }
    const { repos, transaction, close } = await openPostgres(loadConfig(config))
    t.teardown(async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await close()
    })
    const list = () => repos.users.list()
    t.same(await list(), [])
    const pause = () => {
      for (const socket of sockets) socket.pause()
    }
    pause()
    await t.rejects(list(), gone)
    await t.rejects(
      transaction(async ({ users }) => {
        pause()
        await users.list()
      }),
      gone
    )
    t.same(await list(), [], 'on a new connection')
  })

  t.test('all connections taken: 503 SERVICE-OVERLOADED with Retry-After, in time', async (t) => {
    const { app } = await startService(t, {
      SVC_DATABASE_POOL: '1',
      SVC_DATABASE_TIMEOUT_MS: '300'
    })
    const demo = await signIn(app)
    const done = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    const holder = app.db.transaction(async ({ users }) => {
      await users.list()
      taken.resolve()
      await done.promise
    })
    await taken.promise
    for (const [method, body] of [['GET'], ['POST', { title: 'x' }]] as const) {
      const response = await demo.send(method, '/todo/index', body)
      t.equal(outcome(response), '503 SERVICE-OVERLOADED', method)
      t.match(response.headers['retry-after'], /^\d+$/)
    }
    t.equal((await app.inject('/health/index')).statusCode, 503)
    done.resolve()
    await holder.catch(() => {})
    t.equal(outcome(await demo.send('GET', '/todo/index')), '200 success')
    t.equal((await app.inject('/health/index')).statusCode, 200)
  })

  t.test('a login that waits for a change of the password is refused', async (t) => {
    const { app, sql } = await startService(t)
    const login = (user_pass: string) =>
      app.inject({ method: 'POST', url: '/session/login', payload: { user_id: 'demo', user_pass } })
    const { entered, release } = holdTransaction(app)
    // Its password was compared, its session is not stored yet.
    const late = login('demo')
    await entered
    await app.db.transaction(async (repos) => {
      const change = { user_id: 'demo', password_hash: 'another', now, now_ms: Date.parse(now) + 1 }
      const user = await repos.users.setPassword(change)
      await repos.sessions.removeOfUser({ user_id: Number(user?.id) })
      release()
      const waits = `SELECT 1 AS one FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      while ((await sql(waits)).length === 0) await new Promise(setImmediate)
    })
    t.equal(outcome(await late), '401 LOGIN-FAILED')
    t.same(await sql('SELECT * FROM sessions'), [])
  })
})

t.test('text with U+0000 is refused alike on both databases: 422', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  for (const title of ['\0', 'a\0b']) {
    const response = await demo.send('POST', '/todo/index', { title })
    t.equal(outcome(response), '422 VALIDATION-FAILED')
  }
  t.equal(
    outcome(await demo.send('POST', '/memo/index', { body: 'a\0b' })),
    '422 VALIDATION-FAILED'
  )
  const login = { user_id: 'a\0b', user_pass: 'x' }
  const response = await app.inject({ method: 'POST', url: '/session/login', payload: login })
  t.equal(outcome(response), '422 VALIDATION-FAILED')
})
