import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, restart, type Service, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

const item = (id: number) => `/admin/user/item/id_${id}`
const conflict = '409 CONFLICT'
const done = '200 success'

/** Two administrators, `admin` and `demo`, each signed in. */
async function startTwo(service: Service) {
  const { app } = service
  const admin = await signIn(app, 'admin')
  await admin.send('PATCH', item(2), { role: 'admin' })
  return { admin, demo: await signIn(app) }
}

const administrators = (service: Service) =>
  service.sql("SELECT id FROM users WHERE role = 'admin' AND locked_at IS NULL ORDER BY id")

t.test('the last administrator is neither demoted nor locked (contract ADMIN-4)', async (t) => {
  const service = await restart(shared)
  const { app, sql } = service
  const admin = await signIn(app, 'admin')
  for (const change of [
    { role: 'user' },
    { locked: true },
    { role: 'user', locked: true },
    { role: 'user', locked: false },
    { role: 'admin', locked: true }
  ]) {
    const response = await admin.send('PATCH', item(1), change)
    t.equal(outcome(response), conflict, JSON.stringify(change))
  }
  const { bearer: headers } = await makeAccessToken(app, { user_id: 'admin' })
  const byToken = { method: 'PATCH', url: item(1), headers, payload: { locked: true } } as const
  t.equal(outcome(await app.inject(byToken)), conflict)
  t.match((await admin.send('GET', item(1))).json().Data.user, { role: 'admin', locked: false })
  t.equal(outcome(await admin.send('PATCH', item(1), { role: 'admin', locked: false })), done)
  t.same(
    await sql("SELECT event FROM audit_events WHERE event <> 'login'"),
    [],
    'nothing is recorded'
  )
})

t.test('an administrator who is not the last one may demote or lock themselves', async (t) => {
  const service = await restart(shared)
  const { admin, demo } = await startTwo(service)
  t.equal(outcome(await admin.send('PATCH', item(1), { role: 'user' })), done)
  t.equal(outcome(await admin.send('GET', item(1))), '403 FORBIDDEN', 'from the next request on')
  t.equal(outcome(await demo.send('PATCH', item(1), { role: 'admin' })), done)
  t.equal(outcome(await admin.send('PATCH', item(1), { locked: true })), done)
  t.equal(outcome(await admin.send('GET', item(1))), '401 SESSION-CLOSED')
})

t.test('an administrator who is locked does not count as another one', async (t) => {
  const service = await restart(shared)
  const { app } = service
  const { admin } = await startTwo(service)
  await admin.send('PATCH', item(2), { locked: true })
  t.equal(outcome(await admin.send('PATCH', item(1), { role: 'user' })), conflict)
  t.equal(
    outcome(await admin.send('PATCH', item(2), { role: 'user' })),
    done,
    'a locked one may be demoted'
  )
  await admin.send('PATCH', item(2), { role: 'admin', locked: false })
  const wrong = { user_id: 'demo', user_pass: 'wrong' }
  for (let guess = 0; guess < 5; guess++) {
    await app.inject({ method: 'POST', url: '/session/login', payload: wrong })
  }
  t.equal(outcome(await admin.send('PATCH', item(1), { locked: true })), conflict, 'by failures')
  await admin.send('PATCH', item(2), { locked: false })
  t.equal(outcome(await admin.send('PATCH', item(1), { locked: true })), done)
})

for (const change of [{ role: 'user' }, { locked: true }]) {
  t.test(`two administrators against each other at once: ${JSON.stringify(change)}`, async (t) => {
    const service = await restart(shared)
    for (let round = 0; round < 10; round++) {
      const { admin, demo } = await startTwo(service)
      const answers = await Promise.all([
        admin.send('PATCH', item(2), change),
        demo.send('PATCH', item(1), change)
      ])
      const outcomes = answers.map(outcome)
      // Who is faster ends the other's session, or role.
      const slower = [conflict, '401 SESSION-CLOSED', '403 FORBIDDEN']
      t.equal(outcomes.filter((it) => it === done).length, 1, outcomes.join())
      t.equal(outcomes.filter((it) => slower.includes(it)).length, 1, outcomes.join())
      t.equal((await administrators(service)).length, 1)
      await service.sql("UPDATE users SET role = 'admin', locked_at = NULL")
      await service.sql("UPDATE users SET role = 'user' WHERE id = 2")
    }
  })
}

t.test('if many demote themselves at once, one administrator remains', async (t) => {
  const service = await restart(shared)
  const { app, sql } = service
  const headers = []
  for (let i = 1; i <= 6; i++) {
    await app.db.repos.users.insert({
      ...{ user_id: `a${i}`, user_name: 'A', e_mail: `a${i}@b`, role: 'admin', password_hash: '' },
      ...{ now: app.timestamp(), now_ms: app.now() }
    })
    headers.push((await makeAccessToken(app, { user_id: `a${i}` })).bearer)
  }
  await sql("UPDATE users SET role = 'user' WHERE id < 3")
  // Each is let in before any of them has written.
  const answers = await Promise.all(
    headers.map((one, i) =>
      app.inject({ method: 'PATCH', url: item(3 + i), headers: one, payload: { role: 'user' } })
    )
  )
  t.same(answers.map(outcome).sort(), [...Array(5).fill(done), conflict])
  t.equal((await administrators(service)).length, 1)
})
