import t from 'tap'
import { operations } from '../../contract/document/operations.ts'
import { type Caller, exampleCall, send, startEverything } from '../../contract/document/service.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { makeJwt, secret } from '../../support/jwt.ts'

const url = '/session/current'
const start = Date.parse('2026-11-21T09:30:00.000Z')
const at = (ms: number) => new Date(start + ms).toISOString()
const noLimit = 'Your requests are not limited: each of `limits` counts only what it says.'

interface OfArea {
  area: string
  operations: Record<string, string>
  as_plan?: Record<string, string>
}
const namesIn = (can: OfArea[]) =>
  can.flatMap(({ operations, as_plan }) => Object.keys({ ...operations, ...as_plan }))

t.test('a session: user, CSRF token, expiry and operations (contract SESSION-5)', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const response = await demo.send('GET', url)
  t.equal(response.statusCode, 200)
  t.equal(response.headers['set-cookie'], undefined)
  const { can, limits, ...rest } = response.json().Data
  t.same(rest, {
    status: 'success',
    user: { id: 2, user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com' },
    role: 'user',
    via: 'session',
    scopes: null,
    expires_at: at(7_200_000),
    token_id: null,
    asks: false,
    changes_max: null,
    changes_left: null,
    parent_id: null,
    next_after: 0,
    csrfToken: demo.csrfToken,
    limits_message: noLimit,
    maximum: { batch: 100, page: 500, upload_bytes: 10_485_760 }
  })
  const { operations } = (await demo.send('GET', `${url}?operations=1`)).json().Data
  const { length } = response.body
  t.ok(length < 200 + 65 * operations.length, `${length} bytes for ${operations.length} operations`)
  t.same(namesIn(can).sort(), operations.toSorted())
  const areas = can.map(({ area }: { area: string }) => area)
  t.same(areas, [...new Set(areas)], 'each area once')
  t.equal(
    can.find(({ area }: { area: string }) => area === 'todo').operations.getTodo,
    'GET /todo/item/id_{id}'
  )
  t.ok(operations.includes('createTodo'))
  t.ok(operations.includes('listMemos'))
  t.notOk(operations.includes('setFeatureFlag'), 'which is for administrators')
  const post = { method: 'POST', url: '/todo/index', payload: { title: 'x' } } as const
  const headers = { cookie: demo.cookie, 'x-csrf-token': rest.csrfToken }
  t.equal((await app.inject({ ...post, headers })).statusCode, 200, 'the token is the session’s')
})

t.test('expires_at is the sooner of the two limits of a session', async (t) => {
  const { app, clock } = await startService(t, { SVC_SESSION_MAX_SECONDS: '10000' })
  const demo = await signIn(app)
  const end = async () => (await demo.send('GET', url)).json().Data.expires_at
  clock.now += 30_000
  t.equal(await end(), at(7_200_000), 'extended once a minute')
  clock.now += 30_000
  t.equal(await end(), at(7_260_000), 'then extended')
  clock.now += 7_000_000
  t.equal(await end(), at(10_000_000), 'never beyond the absolute limit')
})

t.test('agent and JWT: no CSRF token, and their own expiry', async (t) => {
  const token = 'the-token-of-an-agent'
  const { app } = await startService(t, {
    SVC_JWT_SECRET: secret,
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: 'demo'
  })
  const { cookie } = await signIn(app, 'admin')
  const ask = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}`, cookie }
    const response = await app.inject({ url, headers })
    return response.statusCode === 200 ? response.json().Data : outcome(response)
  }
  const agent = await ask(token)
  t.same(
    [agent.user.user_id, agent.via, agent.csrfToken, agent.expires_at, agent.scopes],
    ['demo', 'agent', null, null, null],
    'the header comes before the cookie'
  )
  t.notOk(namesIn(agent.can).includes('listMemos'), 'which takes a session only')
  const exp = start / 1000 + 100
  const jwt = await ask(makeJwt({ sub: '1', role: 'user', exp }))
  t.same([jwt.via, jwt.role, jwt.expires_at], ['jwt', 'user', at(100_000)], 'role as in the token')
  const endless = await ask(makeJwt({ sub: '1', exp: 1e300 }))
  t.equal(endless.expires_at, '9999-12-31T23:59:59.999Z', 'a number that is no date')
  t.equal(await ask('wrong'), '401 JWT-INVALID')
})

t.test('without credentials: SESSION-CLOSED', async (t) => {
  const { app } = await startService(t, { SVC_JWT_SECRET: secret })
  t.equal(outcome(await app.inject(url)), '401 SESSION-CLOSED')
  const headers = { cookie: 'PHPSESSID=unknown' }
  t.equal(outcome(await app.inject({ url, headers })), '401 SESSION-CLOSED')
})

t.test('limits: what was counted, without counting more', async (t) => {
  const { app, clock } = await startService(t, {
    SVC_REDIS_URL: '',
    SVC_RATE_MAX: '5',
    SVC_LOGIN_RATE_MAX: '10'
  })
  const demo = await signIn(app)
  const read = async () => {
    const { limits } = (await demo.send('GET', url)).json().Data
    return Object.fromEntries(limits.map(({ name, ...rest }: { name: string }) => [name, rest]))
  }
  const user = { counts: 'requests', max: 5, window_seconds: 60 }
  const login = { counts: 'sign-ins', max: 10, window_seconds: 900 }
  const first = await read()
  const oauth = ['oauth', 'oauth-authorize', 'oauth-register']
  const names = ['bearer', 'login', ...oauth, 'reset', 'reset-request', 'user']
  t.same(Object.keys(first).sort(), names, 'every limit that counts this caller')
  t.same(first.user, { ...user, remaining: 4, reset_seconds: 60 }, 'this request was counted')
  t.same(first.login, { ...login, remaining: 9, reset_seconds: 900 })
  const reset = { counts: 'password resets', max: 10, window_seconds: 900 }
  t.same(first.reset, { ...reset, remaining: 10, reset_seconds: 0 })
  t.equal(first.bearer.counts, 'wrong credentials')
  clock.now += 1500
  const second = await read()
  t.same(second.user, { ...user, remaining: 3, reset_seconds: 59 })
  t.same(second.login, { ...login, remaining: 9, reset_seconds: 899 })
  clock.now += 900_000
  t.same((await read()).login, { ...login, remaining: 10, reset_seconds: 0 })
})

t.test('limits agree with the headers, if processes share the counts', async (t) => {
  const { app } = await startService(t, { SVC_RATE_MAX: '5' })
  const demo = await signIn(app)
  const { headers, body } = await demo.send('GET', url)
  const user = JSON.parse(body).Data.limits.find((it: { name: string }) => it.name === 'user')
  t.equal(String(user.remaining), headers['x-ratelimit-remaining'])
  t.equal(user.remaining, 4)
  t.equal(JSON.parse(body).Data.limits_message, null)
})

t.test('operations come only to who asks for them', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  t.notOk('operations' in (await demo.send('GET', url)).json().Data)
  t.ok('operations' in (await demo.send('GET', `${url}?operations=1`)).json().Data)
  t.equal(outcome(await demo.send('GET', `${url}?operations=2`)), '422 VALIDATION-FAILED')
})

/** Not sent, as they may end the caller's own session, or remove another caller. */
const isEnding = (operationId: string) =>
  ['logout', 'endSession', 'deleteUser'].includes(operationId)

/** A failure of the guard. */
const closed =
  /"errorCode":"(SESSION-CLOSED|JWT-INVALID|ACCESS-TOKEN-INVALID|SCOPE-INSUFFICIENT|FORBIDDEN)","errorMessage"/

t.test('operations are those that the guard lets the caller use, and no others', async (t) => {
  const service = await startEverything(t)
  for (const as of [
    // Tokens first: the calls of a session revoke one.
    ...(['access token', 'token to read todos', 'token to read memos'] as const),
    ...(['admin', 'demo', 'agent', 'jwt'] as const)
  ] satisfies Caller[]) {
    const headers = service.ways[as]
    const own: string[] = (await service.app.inject({ url: `${url}?operations=1`, headers })).json()
      .Data.operations
    t.ok(own.length >= 5)
    const refused: string[] = []
    for (const operation of operations) {
      if (isEnding(operation.operationId)) continue
      const call = exampleCall(operation)
      const { body } = await send(service, operation, { ...call, body: '{' }, as)
      if (closed.test(body)) refused.push(operation.operationId)
    }
    const all = operations.map(({ operationId }) => operationId)
    t.same(
      own.filter((id) => !isEnding(id)).sort(),
      all.filter((id) => !isEnding(id) && !refused.includes(id)).sort(),
      as
    )
  }
})

t.test('a token that asks learns what it can do only as a plan, and what not at all', async (t) => {
  const { app } = await startService(t)
  const { bearer: headers } = await makeAccessToken(app, {
    scopes: ['todo:read', 'todo:write', 'attachment:write'],
    asks: true
  })
  const asked = { url: `${url}?operations=1`, headers }
  const { can, operations } = (await app.inject(asked)).json().Data
  t.same(namesIn(can).sort(), operations.toSorted())
  const now = Object.assign({}, ...can.map(({ operations }: OfArea) => operations))
  const later = Object.assign({}, ...can.map(({ as_plan }: OfArea) => as_plan))
  t.match(later, { createTodo: 'POST /todo/index', undoActivity: 'POST /activity/undo' })
  t.match(now, { listTodos: 'GET /todo/index', createPlan: 'POST /plan/index' })
  for (const id of Object.keys(later)) t.notOk(id in now, id)
  for (const id of ['createAttachment', 'applyPlan']) t.notOk(namesIn(can).includes(id), id)
})

t.test(
  'a token learns its key, where its changes go on, and only limits that count it',
  async (t) => {
    const { app } = await startService(t, { SVC_RATE_MAX: '5' })
    const { bearer: headers, id } = await makeAccessToken(app, {
      scopes: ['todo:write', 'todo:read']
    })
    await app.inject({ method: 'POST', url: '/todo/index', headers, payload: { title: 'x' } })
    const { Data } = (await app.inject({ url, headers })).json()
    t.match(Data, { token_id: id, next_after: 1 })
    t.ok(JSON.stringify(Data).length < 3000, `${JSON.stringify(Data).length} bytes`)
    t.same(Data.limits.map(({ name }: { name: string }) => name).sort(), ['bearer', 'user'])
  }
)
