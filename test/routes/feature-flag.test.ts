import t from 'tap'
import { bucket } from '../../plugins/patterns/feature-flags.ts'
import { outcome, restart, signIn, startService } from '../support/helper.ts'
import { makeJwt, secret } from '../support/jwt.ts'

/** For tests that leave nothing behind that another one sees. */
const shared = await startService(t)
const { app } = shared

const token = 'agent-token-0123456789abcdef0123456789abcdef'
const agent = { authorization: `Bearer ${token}` }
const jwtOf = (sub: string, role: string) => ({
  authorization: `Bearer ${makeJwt({ sub, role, exp: 4_000_000_000 })}`
})
/** Ids of the seeded accounts. */
const admin = 1
const demo = 2

const flags = '/admin/featureflag/index'
const overrideOf = (id: number | string) => `/admin/featureflag/override/id_${id}`
const own = '/featureflag/index'
const good = '200 success'
const bad = '422 VALIDATION-FAILED'

t.test('POST adds a flag, or changes the fields that it sends (contract FLAG-3)', async (t) => {
  const { app, clock } = await restart(shared)
  const { send } = await signIn(app, 'admin')
  const created_at = '2026-11-21T09:30:00.000Z'
  const added = await send('POST', flags, { flag_name: 'new-form' })
  t.equal(added.statusCode, 200)
  t.same(added.json(), {
    Result: true,
    Data: {
      status: 'success',
      flag: {
        id: 1,
        flag_name: 'new-form',
        is_enabled: false,
        rollout_pct: 0,
        created_at,
        updated_at: created_at
      }
    }
  })
  const steps: [setting: object, is_enabled: boolean, rollout_pct: number][] = [
    [{ rollout_pct: 25 }, false, 25],
    [{ is_enabled: true }, true, 25],
    [{}, true, 25],
    [{ is_enabled: false, rollout_pct: 100 }, false, 100],
    [{ rollout_pct: 0, id: 7, user_id: 1 }, false, 0]
  ]
  for (const [setting, is_enabled, rollout_pct] of steps) {
    clock.now += 1000
    const changed = await send('POST', flags, { flag_name: 'new-form', ...setting })
    t.same(
      changed.json().Data.flag,
      {
        id: 1,
        flag_name: 'new-form',
        is_enabled,
        rollout_pct,
        created_at,
        updated_at: new Date(clock.now).toISOString()
      },
      JSON.stringify(setting)
    )
  }
  const full = await send('POST', flags, { flag_name: 'b', is_enabled: true, rollout_pct: 5 })
  t.match(full.json().Data.flag, { flag_name: 'b', is_enabled: true, rollout_pct: 5 })
})

t.test('GET lists flags, newest first, by pages', async (t) => {
  await restart(shared)
  const { send } = await signIn(app, 'admin')
  t.same((await send('GET', flags)).json().Data, {
    status: 'success',
    flags: [],
    next_cursor: null
  })
  for (const flag_name of ['a', 'b', 'c']) await send('POST', flags, { flag_name })
  const names = async (query: string) => {
    const { Data } = (await send('GET', `${flags}${query}`)).json()
    return [Data.flags.map(({ flag_name }: { flag_name: string }) => flag_name), Data.next_cursor]
  }
  t.same(await names(''), [['c', 'b', 'a'], null])
  t.same(await names('?limit=2'), [['c', 'b'], 2])
  t.same(await names('?limit=2&cursor=2'), [['a'], null])
  for (const query of ['?limit=0', '?limit=501', '?cursor=x']) {
    t.equal(outcome(await send('GET', `${flags}${query}`)), bad, query)
  }
})

t.test('flags: names of 1 to 128 plain characters, a rollout of 0 to 100', async (t) => {
  const { send } = await signIn(app, 'admin')
  const cases: [body: unknown, expected: string][] = [
    [{ flag_name: 'x'.repeat(128) }, good],
    [{ flag_name: 'x'.repeat(129) }, bad],
    [{ flag_name: 'A9_.:-' }, good],
    [{ flag_name: '9' }, good],
    [{ flag_name: '' }, bad],
    [{ flag_name: ' ' }, bad],
    [{ flag_name: 'a b' }, bad],
    [{ flag_name: 'a\n' }, bad],
    [{ flag_name: 'é' }, bad],
    [{ flag_name: '-a' }, bad],
    [{ flag_name: '__proto__' }, bad],
    [{ flag_name: 'a/b' }, bad],
    [{ flag_name: 5 }, bad],
    [{ flag_name: null }, bad],
    [{}, bad],
    [{ is_enabled: true }, bad],
    [[], bad],
    [null, bad],
    ['x', bad],
    [{ flag_name: 'a', rollout_pct: 0 }, good],
    [{ flag_name: 'a', rollout_pct: 100 }, good],
    [{ flag_name: 'a', rollout_pct: -1 }, bad],
    [{ flag_name: 'a', rollout_pct: 101 }, bad],
    [{ flag_name: 'a', rollout_pct: 1.5 }, bad],
    [{ flag_name: 'a', rollout_pct: '5' }, bad],
    [{ flag_name: 'a', rollout_pct: null }, bad],
    [{ flag_name: 'a', rollout_pct: 1e300 }, bad],
    [{ flag_name: 'a', is_enabled: 1 }, bad],
    [{ flag_name: 'a', is_enabled: 'true' }, bad],
    [{ flag_name: 'a', is_enabled: null }, bad]
  ]
  for (const [body, expected] of cases) {
    t.equal(outcome(await send('POST', flags, body)), expected, JSON.stringify(body).slice(0, 60))
  }
  const { details } = (await send('POST', flags, { flag_name: 'a', rollout_pct: 101 })).json().Data
  t.same(details, [{ in: 'body', field: 'rollout_pct', message: 'must be <= 100' }])
})

t.test('PUT sets an override, DELETE takes it away (contract FLAG-3)', async (t) => {
  const { app, clock } = await restart(shared)
  const { send } = await signIn(app, 'admin')
  await send('POST', flags, { flag_name: 'flag' })
  const created_at = '2026-11-21T09:30:00.000Z'
  for (const is_enabled of [true, false, true]) {
    const response = await send('PUT', overrideOf(demo), { flag_name: 'flag', is_enabled })
    t.equal(response.statusCode, 200)
    t.same(response.json(), {
      Result: true,
      Data: {
        status: 'success',
        override: {
          id: 1,
          flag_name: 'flag',
          user_id: demo,
          is_enabled,
          created_at,
          updated_at: new Date(clock.now).toISOString()
        }
      }
    })
    t.equal(await app.flags.isEnabled('flag', demo), is_enabled, 'at once')
    clock.now += 1000
  }
  for (const removed of [true, false]) {
    const response = await send('DELETE', `${overrideOf(demo)}?flag_name=flag`)
    t.equal(response.statusCode, 200)
    t.same(response.json(), {
      Result: true,
      Data: { status: 'success', flag_name: 'flag', user_id: demo, removed }
    })
    t.equal(await app.flags.isEnabled('flag', demo), false, 'back at the global value')
  }
})

t.test('overrides need a known flag and a known user (contract E6)', async (t) => {
  const { send } = await signIn(app, 'admin')
  await send('POST', flags, { flag_name: 'flag' })
  const noFlag = '404 FLAG-NOT-FOUND'
  const noUser = '404 USER-NOT-FOUND'
  const cases: [id: string, flag_name: unknown, expected: string][] = [
    ['2', 'flag', good],
    ['002', 'flag', good],
    ['2', 'unknown', noFlag],
    ['2', 'Flag', noFlag],
    ['3', 'flag', noUser],
    ['0', 'flag', noUser],
    ['9007199254740991', 'flag', noUser],
    ['3', 'unknown', noFlag],
    // HTTP-4
    ['9007199254740992', 'flag', '404 USER-NOT-FOUND'],
    ['', 'flag', bad],
    ['demo', 'flag', bad],
    ['-1', 'flag', bad],
    ['2.0', 'flag', bad],
    ['2', 'x'.repeat(129), bad],
    ['2', '', bad]
  ]
  for (const [id, flag_name, expected] of cases) {
    const put = await send('PUT', overrideOf(id), { flag_name, is_enabled: true })
    t.equal(outcome(put), expected, `PUT ${id} ${flag_name}`)
    const removed = await send('DELETE', `${overrideOf(id)}?flag_name=${flag_name}`)
    t.equal(outcome(removed), expected, `DELETE ${id} ${flag_name}`)
  }
  for (const body of [
    {},
    null,
    { flag_name: 'flag' },
    { is_enabled: true },
    { flag_name: 'flag', is_enabled: null },
    { flag_name: 'flag', is_enabled: 1 },
    { flag_name: 7, is_enabled: true }
  ]) {
    t.equal(outcome(await send('PUT', overrideOf(demo), body)), bad, JSON.stringify(body))
  }
  t.equal(outcome(await send('PUT', '/admin/featureflag/override', { flag_name: 'flag' })), bad)
  for (const query of ['', '?flag_name', '?flag_name=flag&flag_name=flag', '?name=flag']) {
    t.equal(outcome(await send('DELETE', `${overrideOf(demo)}${query}`)), bad, query)
  }
})

t.test('only administrators manage flags, with any credential', async (t) => {
  const asDemo = await startService(t, {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: 'demo',
    SVC_JWT_SECRET: secret
  })
  const asAdmin = await startService(t, {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_JWT_SECRET: secret
  })
  const session = async ({ app }: typeof asDemo, user: string) => {
    const { cookie, csrfToken } = await signIn(app, user)
    return { cookie, 'x-csrf-token': csrfToken }
  }
  const adminSession = await session(asAdmin, 'admin')
  const forbidden = '403 FORBIDDEN'
  const cases: [
    who: string,
    service: typeof asDemo,
    headers: Record<string, string>,
    expected: string
  ][] = [
    ['nobody', asDemo, {}, '401 SESSION-CLOSED'],
    ['a user, session', asDemo, await session(asDemo, 'demo'), forbidden],
    [
      'a user, session without CSRF',
      asDemo,
      { cookie: (await signIn(asDemo.app)).cookie },
      forbidden
    ],
    ['a user, agent', asDemo, agent, forbidden],
    ['a user, JWT', asDemo, jwtOf('2', 'user'), forbidden],
    ['a user, JWT that says admin', asDemo, jwtOf('2', 'admin'), forbidden],
    ['an administrator, JWT that says user', asDemo, jwtOf('1', 'user'), forbidden],
    ['an administrator, session', asAdmin, adminSession, good],
    ['an administrator, agent', asAdmin, agent, good],
    ['an administrator, JWT', asAdmin, jwtOf('1', 'admin'), good]
  ]
  const flag_name = 'flag'
  const requests = [
    ['POST', flags, { flag_name }],
    ['GET', flags, undefined],
    ['PUT', overrideOf(demo), { flag_name, is_enabled: true }],
    ['DELETE', `${overrideOf(demo)}?flag_name=${flag_name}`, undefined]
  ] as const
  for (const [who, { app }, headers, expected] of cases) {
    for (const [method, url, payload] of requests) {
      const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
      t.equal(outcome(response), expected, `${who}: ${method}`)
    }
  }
  const { cookie } = adminSession
  const unproved = await asAdmin.app.inject({
    method: 'POST',
    url: flags,
    headers: { cookie },
    payload: { flag_name }
  })
  t.equal(outcome(unproved), '403 CSRF-TOKEN-INVALID')
})

t.test('GET /featureflag/index: every flag for the caller, for anyone', async (t) => {
  const { app } = await startService(t, { SVC_AGENT_BEARER_TOKEN: token, SVC_JWT_SECRET: secret })
  const administrator = await signIn(app, 'admin')
  const { cookie } = await signIn(app)
  t.same((await app.inject(own)).json(), { Result: true, Data: { status: 'success', flags: {} } })

  const rollout_pct = bucket('part', demo) + 1
  t.ok(bucket('part', admin) >= rollout_pct, 'the sample distinguishes the two')
  for (const setting of [
    { flag_name: 'constructor', is_enabled: true },
    { flag_name: 'off' },
    { flag_name: 'all', rollout_pct: 100 },
    { flag_name: 'part', rollout_pct },
    { flag_name: 'granted' },
    { flag_name: 'killed', is_enabled: true }
  ]) {
    t.equal(outcome(await administrator.send('POST', flags, setting)), good)
  }
  for (const [flag_name, is_enabled] of [
    ['granted', true],
    ['killed', false]
  ] as const) {
    await administrator.send('PUT', overrideOf(demo), { flag_name, is_enabled })
  }
  const forEverybody = {
    constructor: true,
    off: false,
    all: false,
    part: false,
    granted: false,
    killed: true
  }
  const forDemo = { ...forEverybody, all: true, part: true, granted: true, killed: false }
  const forAdmin = { ...forEverybody, all: true }
  const cases: [who: string, headers: Record<string, string>, expected: object][] = [
    ['nobody', {}, forEverybody],
    ['a session', { cookie }, forDemo],
    ['a JWT', jwtOf('2', 'user'), forDemo],
    ['the agent', agent, forAdmin],
    ['a session that is over', { cookie: 'PHPSESSID=unknown' }, forEverybody]
  ]
  for (const [who, headers, expected] of cases) {
    const response = await app.inject({ url: own, headers })
    t.equal(response.statusCode, 200, who)
    t.strictSame(response.json().Data.flags, expected, who)
  }
})

t.test('50 changes of one flag at once make one flag', async (t) => {
  const { app } = await restart(shared)
  const { send } = await signIn(app, 'admin')
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, rollout_pct) =>
      send('POST', flags, { flag_name: 'flag', rollout_pct })
    )
  )
  t.same(new Set(responses.map(outcome)), new Set([good]))
  t.equal((await send('GET', flags)).json().Data.flags.length, 1)
  const overrides = await Promise.all(
    Array.from({ length: 50 }, () =>
      send('PUT', overrideOf(demo), { flag_name: 'flag', is_enabled: true })
    )
  )
  // Which id is up to the database: PostgreSQL's sequences have gaps.
  const ids = new Set(overrides.map((response) => response.json().Data.override.id))
  t.match([...ids], [Number])
  t.equal(ids.size, 1)
})

t.test('Allow lists the methods of each path (contract E4)', async (t) => {
  for (const [url, allow] of [
    [flags, 'GET, HEAD, POST'],
    [overrideOf(demo), 'DELETE, PUT'],
    [own, 'GET, HEAD']
  ] as const) {
    const response = await app.inject({ method: 'PATCH', url })
    t.equal(outcome(response), '405 METHOD-NOT-ALLOWED', url)
    t.equal(response.headers.allow, allow, url)
  }
})
