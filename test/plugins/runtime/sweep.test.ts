import t from 'tap'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import { startService } from '../../support/helper.ts'

const count = 1201
/** So many rows that expired long ago, as SQL. */
const rows = (columns: string, values: string) => (table: string) =>
  `INSERT INTO ${table} (${columns})
   WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
   SELECT ${values} FROM n, users WHERE users.user_id = 'demo'`
const old = "'2020-01-01T00:00:00.000Z'"
const expired: Readonly<Record<string, (table: string) => string>> = {
  idempotency_keys: rows(
    'scope_hash, user_id, body_digest, owner, lease_until, created_at',
    "'k' || i, users.id, 'x', 'x', 0, i"
  ),
  audit_events: rows('created_at, event, via', `${old}, 'login', 'cli'`),
  webhook_events: rows(
    'created_at, signature_hash, payload, timestamp',
    `${old}, 's' || i, '{}', 1`
  ),
  sessions: rows(
    'id_hash, user_id, csrf_token, expires_at, ends_at, created_at, last_seen_at',
    `'s' || i, users.id, 'x', 1, 1, ${old}, 1`
  ),
  access_tokens: rows(
    'user_id, name, hint, token_hash, scopes, created_at, expires_at',
    `users.id, 'x', 'x', 't' || i, 'todo:read', ${old}, 1`
  ),
  unknown_login_failures: rows('user_id, failures, failed_at, refused_at', "'u' || i, 1, 1, 0")
}
const before = 1000
const at = '2021-01-01T00:00:00.000Z'
const limit = 500

t.test('what has expired is removed in steps, to its end', async (t) => {
  const service = await startService(t)
  const { app, place, sql } = service
  const { repos } = app.db
  const counts = async () => {
    const found: Record<string, unknown> = {}
    for (const table of Object.keys(expired)) {
      const [row] = await sql(`SELECT count(*) AS count FROM ${table}`)
      found[table] = row?.count
    }
    return found
  }
  const none = await counts()
  for (const [table, insert] of Object.entries(expired)) await sql(insert(table))
  const steps = {
    idempotency_keys: () => repos.idempotencyKeys.removeOld({ before: 1e6, limit }),
    audit_events: () => repos.audit.removeOld({ before: at, limit }),
    webhook_events: () => repos.webhookEvents.removeOld({ before: at, limit }),
    sessions: () => repos.sessions.removeExpired({ before, limit }),
    access_tokens: () => repos.accessTokens.removeEnded({ before, limit }),
    unknown_login_failures: () => repos.unknownLoginFailures.removeOld({ before, limit })
  }
  for (const [table, step] of Object.entries(steps)) {
    const removed = await step()
    t.equal(removed.length, limit, table)
    const [row] = await sql(`SELECT count(*) AS count FROM ${table}`)
    t.equal(row?.count, Number(none[table]) + count - limit, table)
  }
  const next = await startService(t, place)
  // The second service has seeded nothing.
  t.same(await counts(), none)
  t.same(
    next.log.filter((line) => line.includes('sweep failed')),
    []
  )
  t.match(await sql('SELECT sum(answer_bytes) AS bytes FROM user_usage'), [{ bytes: 0 }])
})

t.test('the sweep of changes goes on to its end, however many there are', async (t) => {
  const { app, place, sql } = await startService(t)
  const many = 50_600
  await sql(
    `INSERT INTO changes (at, user_id, via, request_id, kind, key, action, undone, bytes, before, after)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
     SELECT ${old}, users.id, 'session', 'test', 'todo', i, 'create', false, 512, null, '{}'
     FROM n, users WHERE users.user_id = 'demo'`
  )
  await app.close()
  const next = await startService(t, place)
  // The start waits for it for some seconds only.
  await next.app.close()
  t.match(await sql('SELECT count(*) AS count FROM changes'), [{ count: 0 }])
})

t.test('a database that takes no writes ends the sweep with one line', async (t) => {
  const { log, app } = await startService(t, {}, (app) => {
    app.sweep.add('the first', async () => {
      throw new DatabaseUnavailable('database or disk is full')
    })
    app.sweep.add('the second', async () => {
      throw new Error('not reached')
    })
  })
  await app.close()
  t.same(
    log.filter((line) => line.includes('sweep')).map((line) => JSON.parse(line).msg),
    ['the sweep ended at the first: database or disk is full']
  )
})

t.test('the start does not wait for a sweep that takes long', async (t) => {
  let steps = 0
  const { app } = await startService(t, {}, (app) => {
    app.sweep.add('a long one', () =>
      app.sweep.inSteps(async (limit) => {
        steps++
        await new Promise((resolve) => setTimeout(resolve, 20))
        return Array(limit)
      })
    )
  })
  t.ok(steps > 1, `${steps} steps`)
  await app.close()
  const atEnd = steps
  await new Promise((resolve) => setTimeout(resolve, 100))
  t.ok(steps <= atEnd + 1, 'no step after the one that was running')
})

t.test('in steps: until one finds fewer, or as many as it may', async (t) => {
  const { app } = await startService(t)
  const sizes: number[] = []
  const left = [3, 3, 2, 3]
  const remove = async (limit: number) => {
    sizes.push(limit)
    return Array(left.shift() ?? 0)
  }
  await app.sweep.inSteps(remove, 3)
  t.same(sizes, [3, 3, 3])
})
