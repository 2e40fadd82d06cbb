import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import t, { type Test } from 'tap'
import { removeAccount } from '../../db/actions/remove-account.ts'
import { seed } from '../../db/actions/seed.ts'
import { openDatabase } from '../../db/open.ts'
import { openPostgres } from '../../db/postgres/index.ts'
import { loadConfig } from '../../fastify.config.ts'
import { emptyDatabase, freshPlace, onPostgres, runSql } from '../support/database.ts'
import { holdTransaction, outcome, signIn, startService } from '../support/helper.ts'
import { by, newTodo, noChange, todoRow } from '../support/todo.ts'

const now = '2026-11-21T09:30:00.000Z'

/** A seeded database, and a way to run SQL on another connection. */
async function openSeeded(t: Test, env: Record<string, string> = {}) {
  const place = { ...(await freshPlace(t)), ...env }
  const database = await openPostgres(loadConfig(place))
  t.teardown(() => database.close())
  await seed(database, async () => 'no hash', new Date(now))
  const demo = await database.repos.users.find({ user_id: 'demo' })
  const user_id = Number(demo?.id)
  const sql = (text: string) => runSql(place, text)
  return { ...database, place, sql, user_id, newTodo: newTodo(user_id, 'x') }
}

const gone = { name: 'DatabaseUnavailable' }

t.test('on PostgreSQL', onPostgres, async (t) => {
  t.test('rows have the types that they have on SQLite (contract SERVICE-8)', async (t) => {
    const { repos, user_id, newTodo } = await openSeeded(t)
    const todo = await repos.todos.insert(newTodo)
    t.strictSame(todo, todoRow(1, 'x'))
    const changed = {
      ...noChange,
      id: 1,
      user_id,
      is_completed: true,
      by: { ...by, at: '2026-11-21T09:30:00.001Z' }
    }
    t.strictSame(await repos.todos.update(changed), {
      ...todo,
      is_completed: true,
      updated_at: changed.by.at
    })
    t.equal((await repos.users.find({ user_id: 'demo' }))?.password_changed_at, Date.parse(now))

    const flag = { flag_name: 'f', is_enabled: undefined, rollout_pct: 7, now }
    t.match(await repos.featureFlags.set(flag), { id: 1, is_enabled: false, rollout_pct: 7 })
    t.strictSame(await repos.featureFlags.state({ flag_name: 'f', user_id }), {
      flag_name: 'f',
      is_enabled: false,
      rollout_pct: 7,
      override: null
    })
    const override = { flag_name: 'f', user_id, is_enabled: true, now }
    t.match(await repos.featureFlags.setOverride(override), { is_enabled: true, created_at: now })
  })

  t.test('times are RFC 3339 in UTC, in any time zone (contract SERVICE-8)', async (t) => {
    const { SVC_DATABASE_URL } = await freshPlace(t)
    for (const [fraction, milliseconds] of [
      ['', '000'],
      ['.1', '100'],
      ['.012', '012'],
      ['.123456', '123']
    ] as const) {
      for (const zone of ['UTC', 'Asia/Kolkata']) {
        const place = { SVC_DATABASE_URL: `${SVC_DATABASE_URL}?options=-ctimezone%3D${zone}` }
        const query = `SELECT timestamptz '2026-11-21 09:30:00${fraction}Z' AS time`
        t.same(await runSql(place, query), [{ time: `2026-11-21T09:30:00.${milliseconds}Z` }], zone)
      }
    }
  })

  t.test('no setting of a database, a role or the URL changes what text means', async (t) => {
    const url = await emptyDatabase(t)
    const name = new URL(url).pathname.slice(1)
    for (const setting of ["datestyle = 'SQL, DMY'", "timezone = 'Asia/Kolkata'"]) {
      await runSql({ SVC_DATABASE_URL: url }, `ALTER DATABASE ${name} SET ${setting}`)
    }
    for (const options of [
      '',
      '?options=-cdatestyle%3DGerman%20-cstandard_conforming_strings%3Doff'
    ]) {
      const database = await openPostgres(loadConfig({ SVC_DATABASE_URL: url + options }))
      await seed(database, async () => 'no hash', new Date(now))
      const user_id = Number((await database.repos.users.find({ user_id: 'demo' }))?.id)
      const at = '2026-02-03T09:30:00.000Z'
      const written = await database.repos.todos.insert({
        ...newTodo(user_id, 'x'),
        by: { ...by, at }
      })
      await database.close()
      t.equal(written?.created_at, at, options)
    }
  })

  t.test('tables of another application, in another schema, are none of ours', async (t) => {
    const SVC_DATABASE_URL = await emptyDatabase(t)
    await runSql(
      { SVC_DATABASE_URL },
      `CREATE SCHEMA neighbour;
       CREATE TABLE neighbour.kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL);
       CREATE TABLE neighbour.kysely_migration_lock (id varchar(255) PRIMARY KEY, is_locked int NOT NULL DEFAULT 0);
       INSERT INTO neighbour.kysely_migration VALUES ('theirs', '2026-01-01T00:00:00.000Z');
       CREATE TABLE neighbour.users (id int)`
    )
    const database = await openDatabase(loadConfig({ SVC_DATABASE_URL }))
    t.equal(await database.repos.users.count({}), 0)
    await database.close()
    const theirs = await runSql({ SVC_DATABASE_URL }, 'SELECT name FROM neighbour.kysely_migration')
    t.same(theirs, [{ name: 'theirs' }])
    const elsewhere = loadConfig({
      SVC_DATABASE_URL: `${SVC_DATABASE_URL}?options=-csearch_path%3Dneighbour`
    })
    await t.rejects(openDatabase(elsewhere), { message: /it has 'theirs'/ })
  })

  t.test('who holds the lock of the migrations and does nothing is named', async (t) => {
    const config = loadConfig({
      SVC_DATABASE_URL: await emptyDatabase(t),
      SVC_DATABASE_TIMEOUT_MS: '100'
    })
    const other = new pg.Client({
      connectionString: config.SVC_DATABASE_URL,
      application_name: 'left behind'
    })
    await other.connect()
    await other.query('SELECT pg_advisory_lock(7246173)')
    await t.rejects(openDatabase(config), {
      message: new RegExp(
        `PID ${other.processID} from 127.0.0.1 \\(left behind\\) holds the lock of the migrations and does nothing: [^\\n]*pg_terminate_backend\\(${other.processID}\\)`
      )
    })
    await other.end()
    await (await openDatabase(config)).close()
  })

  t.test(
    'if several processes open an empty database at once, it is migrated once and completely',
    async (t) => {
      const config = loadConfig({ SVC_DATABASE_URL: await emptyDatabase(t) })
      const opened = await Promise.all(Array.from({ length: 5 }, () => openDatabase(config)))
      await Promise.all(opened.map((database) => database.close()))
      const rows = await runSql(
        config,
        'SELECT name, xmin::text FROM kysely_migration ORDER BY name'
      )
      t.equal(rows.at(-1)?.name, opened[0]?.schema)
      t.equal(new Set(rows.map(({ xmin }) => xmin)).size, 1, 'in one transaction')
    }
  )

  t.test('an unusable database is refused in one line without the URL', async (t) => {
    await t.rejects(
      openDatabase(loadConfig({ SVC_DATABASE_URL: 'postgres://u:pw@127.0.0.1:1/x' })),
      {
        message: /^(?!.*pw)cannot use the database of SVC_DATABASE_URL: [^\n]*ECONNREFUSED[^\n]*$/
      }
    )
  })

  t.test('a column that no migration makes is named at the start, with the remedy', async (t) => {
    const config = loadConfig({ SVC_DATABASE_URL: await emptyDatabase(t) })
    await (await openDatabase(config)).close()
    await runSql(config, 'ALTER TABLE memos RENAME COLUMN body TO text')
    await t.rejects(openDatabase(config), {
      message:
        /^cannot use the database of SVC_DATABASE_URL: [^\n]*column[^\n]*body[^\n]*; a migration has to make it \(db\/migrations\/index.ts\)$/
    })
  })

  t.test('a read whose column another process has given another type says so', async (t) => {
    const { repos, user_id, sql } = await openSeeded(t, { SVC_DATABASE_POOL: '1' })
    const list = () => repos.todos.list({ user_id, limit: 9, before: 99 })
    await list()
    await sql('ALTER TABLE todos ALTER COLUMN title TYPE varchar')
    await t.rejects(list(), { name: 'NotMigrated' })
  })

  t.test('a statement that takes too long ends; so does one that waits for a lock', async (t) => {
    const { repos, place, newTodo } = await openSeeded(t, { SVC_DATABASE_TIMEOUT_MS: '1000' })
    const other = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
    await other.connect()
    await other.query('BEGIN; LOCK TABLE todos')
    await t.rejects(repos.todos.insert(newTodo), gone)
    await other.end()
    t.equal((await repos.todos.insert(newTodo))?.title, 'x', 'and the connection can be used again')
  })

  t.test(
    'if one of the reads that share a connection fails or waits, the others do not fail',
    async (t) => {
      const limits = { SVC_DATABASE_TIMEOUT_MS: '1000', SVC_DATABASE_POOL: '1' }
      const { repos, place, user_id, sql } = await openSeeded(t, limits)
      const list = (before: number) => repos.todos.list({ user_id, limit: 9, before })
      const find = async () => (await repos.users.find({ user_id: 'demo' }))?.id
      const states = async (reads: Promise<unknown>[]) =>
        (await Promise.allSettled(reads)).map(({ status }) => status)
      const [done, failed] = ['fulfilled', 'rejected']
      t.same(await states([find(), list(1.5), find(), list(99)]), [done, failed, done, done])

      await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`)
      const other = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
      await other.connect()
      await other.query('BEGIN; LOCK TABLE todos')
      const waiting = [list(99), list(98), list(97)]
      t.same(await states([find(), ...waiting, find()]), [done, failed, failed, failed, done])
      for (const list of waiting) await t.rejects(list, gone, 'also if it was never prepared')
      await other.end()
      t.same(await list(99), [])
    }
  )

  t.test(
    'callers of one turn of the event loop are read by one query, and each gets its own row',
    async (t) => {
      const { repos, user_id, usage, sql } = await openSeeded(t)
      const names = ['demo', 'nobody', 'admin', 'o\'{"\\,}', 'demo']
      const ids = () =>
        Promise.all(names.map(async (user_id) => (await repos.users.findUnlocked({ user_id }))?.id))
      const [{ id: admin } = {}] = await sql("SELECT id FROM users WHERE user_id = 'admin'")
      const before = usage.queries
      const found = [user_id, undefined, admin, undefined, user_id]
      t.same(await ids(), found)
      t.equal(usage.queries, before + 1)
      await sql("UPDATE users SET user_id = 'nobody' WHERE user_id = 'demo'")
      t.same(
        await ids(),
        [undefined, user_id, admin, undefined, undefined],
        'the next turn asks again'
      )
      const byId = await Promise.all([user_id, 0].map((id) => repos.users.findById({ id })))
      t.match(byId, [{ user_id: 'nobody' }, undefined])
    }
  )

  t.test('if a connection is lost, the reads that wait for it fail, and no others', async (t) => {
    const { repos, place, user_id } = await openSeeded(t, { SVC_DATABASE_POOL: '1' })
    const list = () => repos.todos.list({ user_id, limit: 9, before: 99 })
    const find = async () => (await repos.users.find({ user_id: 'demo' }))?.id
    const other = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
    await other.connect()
    await other.query('BEGIN; LOCK TABLE todos')
    const [before, waiting, behind] = [find(), list(), find()]
    const ends = Promise.all([t.rejects(waiting, gone), t.rejects(behind, gone)])
    t.equal(await before, user_id)
    const kill = `SELECT pg_terminate_backend(pid) AS killed FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while ((await other.query(kill)).rowCount === 0) await new Promise(setImmediate)
    await ends
    await other.end()
    t.same(await Promise.all([list(), find()]), [[], user_id], 'on a new connection')
  })

  t.test('writes of a user that share a transaction: one that fails fails alone', async (t) => {
    const { repos, newTodo, user_id, sql } = await openSeeded(t)
    const insert = (title: string) => repos.todos.insert({ ...newTodo, title })
    await sql("ALTER TABLE todos ADD CONSTRAINT no_b CHECK (title <> 'b')")
    await sql('ALTER TABLE changes ADD CONSTRAINT no_d CHECK (after NOT LIKE \'%"d"%\')')
    t.teardown(async () => {
      await sql('ALTER TABLE todos DROP CONSTRAINT no_b')
      await sql('ALTER TABLE changes DROP CONSTRAINT no_d')
    })
    const done = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(insert))
    t.same(
      done.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']
    )
    const page = { user_id, limit: 9, before: Number.MAX_SAFE_INTEGER }
    t.same((await repos.todos.list(page)).map(({ title }) => title).sort(), ['a', 'c', 'e'])
    const recorded = await sql("SELECT after::json ->> 'title' AS title FROM changes ORDER BY id")
    t.same(
      recorded.map(({ title }) => title),
      ['a', 'c', 'e']
    )
    const together = await sql('SELECT count(DISTINCT xmin::text) AS count FROM changes')
    t.match(together, [{ count: 3 }], 'after the failure each by itself')
    await Promise.all(['f', 'g', 'h'].map(insert))
    const shared = await sql('SELECT count(DISTINCT xmin::text) AS count FROM changes')
    t.match(shared, [{ count: 4 }], 'the others in one')
  })

  t.test(
    'writes of several users share a transaction; a user who is locked waits alone',
    async (t) => {
      const { repos, place, newTodo, user_id, sql } = await openSeeded(t)
      const admin = Number((await repos.users.find({ user_id: 'admin' }))?.id)
      const insert = (user_id: number) => repos.todos.insert({ ...newTodo, user_id })
      await Promise.all([insert(user_id), insert(admin)])
      const shared = await sql('SELECT count(DISTINCT xmin::text) AS count FROM todos')
      t.match(shared, [{ count: 1 }])
      const other = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
      await other.connect()
      await other.query(`BEGIN; SELECT 1 FROM user_usage WHERE user_id = ${admin} FOR UPDATE`)
      let isDone = false
      const late = insert(admin).finally(() => {
        isDone = true
      })
      await Promise.all([insert(user_id), insert(user_id)])
      await insert(user_id)
      t.notOk(isDone, 'it still waits')
      await other.end()
      await late
      t.match(await sql('SELECT count(*) AS count FROM todos'), [{ count: 6 }])
    }
  )

  t.test('both transactions of a deadlock succeed; one of them runs twice', async (t) => {
    const { repos, transaction, newTodo, user_id } = await openSeeded(t)
    const admin = Number((await repos.users.find({ user_id: 'admin' }))?.id)
    // Of two users: writes of one user wait for each other in order.
    const insert = async (user_id: number) => ({
      user_id,
      id: (await repos.todos.insert({ ...newTodo, user_id }))?.id ?? 0
    })
    const [one, two] = [await insert(user_id), await insert(admin)]
    type Key = typeof one
    let runs = 0
    let inside = 0
    const both = Promise.withResolvers<void>()
    const rename = (title: string, first: Key, second: Key) =>
      transaction(async ({ todos }) => {
        runs += 1
        await todos.update({ ...noChange, ...first, title })
        inside += 1
        if (inside === 2) both.resolve()
        await both.promise
        await todos.update({ ...noChange, ...second, title })
        return title
      })
    t.same(await Promise.all([rename('a', one, two), rename('b', two, one)]), ['a', 'b'])
    t.equal(runs, 3)
    const titles = [await repos.todos.find(one), await repos.todos.find(two)]
    t.equal(new Set(titles.map((todo) => todo?.title)).size, 1)
  })

  t.test('after three deadlocks in a row the database counts as unavailable', async (t) => {
    const { transaction, sql } = await openSeeded(t)
    await sql(`CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`)
    await sql('CREATE TRIGGER deadlock BEFORE DELETE ON todos EXECUTE FUNCTION deadlock()')
    t.teardown(() => sql('DROP FUNCTION deadlock CASCADE'))
    let runs = 0
    const work = transaction(async ({ todos }) => {
      runs += 1
      return todos.remove({ id: 1, user_id: 1, by })
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
        'idle connections are replaced'
      )
    }
  )

  t.test(
    'a transaction that continues after a failed statement is rolled back, and says so',
    async (t) => {
      const { transaction, repos, user_id, newTodo } = await openSeeded(t)
      const work = transaction(async ({ todos }) => {
        await todos.insert(newTodo)
        await todos.insert({ ...newTodo, by: { ...by, at: 'no time' } }).catch(() => {})
      })
      await t.rejects(work, { message: /statement of the transaction failed/ })
      t.same(await repos.todos.list({ user_id, limit: 9, before: 99 }), [])
    }
  )

  t.test('an attachment that is being restored is not purged', async (t) => {
    const { repos, place, user_id, sql } = await openSeeded(t)
    const rest = { name: 'a', mime: 'text/plain', size: 1, sha256: 'x', file: 'f', max: 9 }
    const added = await repos.attachments.insert({ ...rest, user_id, by })
    const id = Number(added?.id)
    const { purge, purgeOfUser, remove, list } = repos.attachments
    const waits = `SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    /** Deletes it, and runs `purge` while another transaction changes it. */
    const whilst = async (change: string, purge: () => Promise<unknown[]>) => {
      await remove({ id, user_id, by: { ...by, at: new Date(1).toISOString() } })
      const other = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
      await other.connect()
      await other.query(`BEGIN; UPDATE attachments SET deleted_at = ${change}`)
      const purged = purge()
      while ((await sql(waits)).length === 0) await new Promise(setImmediate)
      await other.query('COMMIT')
      await other.end()
      return purged
    }
    t.same(await whilst('NULL', () => purgeOfUser({ user_id, limit: 1 })), [])
    t.same(await whilst('NULL', () => purge({ before: 2, limit: 1 })), [])
    t.match(await list({ user_id, limit: 9, before: 99 }), [{ id }])
    t.same(await whilst('5', () => purge({ before: 2, limit: 1 })), [], 'deleted again, later')
    t.same(await purge({ before: 6, limit: 1 }), [{ file: 'f' }])
  })

  t.test('a removal and a write of its user wait for each other in no circle', async (t) => {
    const { transaction, user_id, sql, place } = await openSeeded(t)
    const writer = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
    await writer.connect()
    t.teardown(() => writer.end())
    // As each unit does, before its rows.
    await writer.query(
      `BEGIN; SELECT 1 FROM user_usage WHERE user_id = ${user_id} FOR NO KEY UPDATE`
    )
    const removed = transaction((repos) =>
      removeAccount(repos, { id: user_id, by, lockout: 9, since: 0 })
    )
    const waits = `SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while ((await sql(waits)).length === 0) await new Promise(setImmediate)
    // As a key that refers to the user does.
    await writer.query('SET LOCAL lock_timeout = 100')
    await writer.query(`SELECT 1 FROM users WHERE id = ${user_id} FOR KEY SHARE`)
    await writer.query('COMMIT')
    t.match(await removed, { user_id: 'demo' })
  })

  t.test('waiting for a server that does not answer ends', async (t) => {
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
    const config = { SVC_DATABASE_URL: url.href, SVC_DATABASE_TIMEOUT_MS: '1000' }
    const { repos, transaction, close } = await openPostgres(loadConfig(config))
    t.teardown(async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await close()
    })
    const count = () => repos.users.count({})
    t.equal(await count(), 0)
    const pause = () => {
      for (const socket of sockets) socket.pause()
    }
    pause()
    await Promise.all([t.rejects(count(), gone), t.rejects(count(), gone)])
    t.equal(await count(), 0, 'the next read is on a new connection')
    await t.rejects(
      transaction(async ({ users }) => {
        pause()
        await users.count({})
      }),
      gone
    )
    t.equal(await count(), 0, 'on a new connection')
  })

  t.test('all connections taken: 503 SERVICE-OVERLOADED with Retry-After, in time', async (t) => {
    const { app } = await startService(t, {
      SVC_DATABASE_POOL: '1',
      SVC_DATABASE_TIMEOUT_MS: '1000'
    })
    // Keeps the process alive, as a service is: the timers of `pg` do not.
    await app.listen({ host: '127.0.0.1', port: 0 })
    const demo = await signIn(app)
    const done = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    const holder = app.db.transaction(async ({ users }) => {
      await users.count({})
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

t.test('text with U+0000 is refused on both databases: 422', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const login = { user_id: 'a\0b', user_pass: 'x' }
  for (const [url, field, body] of [
    ['/todo/index', 'title', { title: '\0' }],
    ['/todo/index', 'title', { title: 'a\0b' }],
    ['/memo/index', 'body', { body: 'a\0b' }],
    ['/session/login', 'user_id', login]
  ] as const) {
    const response = await demo.send('POST', url, body)
    t.equal(outcome(response), '422 VALIDATION-FAILED')
    const message = 'must not contain U+0000'
    t.same(response.json().Data.details, [{ in: 'body', field, message }])
  }
})
