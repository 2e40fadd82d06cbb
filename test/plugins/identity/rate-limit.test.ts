import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t from 'tap'
import type { App } from '../../../app.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { secret } from '../../support/jwt.ts'

const exceeded = '429 RATE-LIMIT-EXCEEDED'
const failed = '401 LOGIN-FAILED'
/** The limit of production, and a lockout that is too high to come first. */
const ten = { SVC_LOGIN_RATE_MAX: '10', SVC_LOCKOUT_FAILURES: '1000' }
/** Redis has its own clock, which tests cannot move: tests about time count in memory. */
const inMemory = { SVC_REDIS_URL: '' }

const login = (app: App, options: InjectOptions = {}) =>
  app.inject({
    method: 'POST',
    url: '/session/login',
    payload: { user_id: 'demo', user_pass: 'wrong' },
    ...options
  })

/** The outcomes of `times` logins, one after another. */
async function logins(
  app: App,
  times: number,
  optionsOf: (n: number) => InjectOptions = () => ({})
) {
  const results: string[] = []
  for (let n = 1; n <= times; n++) results.push(outcome(await login(app, optionsOf(n))))
  return results
}

const names = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
  'retry-after'
]
const limitHeaders = ({ headers }: LightMyRequestResponse) => names.map((name) => headers[name])

t.test(
  '11 logins in a window: ten are let through, the 11th is 429 (contract LIMIT-3)',
  async (t) => {
    const { app } = await startService(t, ten)
    t.same(await logins(app, 10), Array(10).fill(failed))
    const right = await login(app, { payload: { user_id: 'demo', user_pass: 'demo' } })
    t.equal(outcome(right), exceeded, 'also with the right password')
    t.equal(right.headers['set-cookie'], undefined)
  }
)

t.test('values of the headers on each of 12 checks (contract LIMIT-1, LIMIT-2)', async (t) => {
  const { app, clock } = await startService(t, { ...ten, ...inMemory })
  for (let n = 1; n <= 12; n++) {
    const remaining = String(Math.max(0, 10 - n))
    const reset = String(900 - (n - 1))
    t.same(limitHeaders(await login(app)), [
      '10',
      remaining,
      reset,
      '"login";q=10;w=900',
      `"login";r=${remaining};t=${reset}`,
      n > 10 ? reset : undefined
    ])
    clock.now += 1000
  }
})

for (const [name, options, expected] of [
  ['success', { payload: { user_id: 'demo', user_pass: 'demo' } }, '200 success'],
  ['wrong password', {}, failed],
  ['a foreign page', { headers: { 'sec-fetch-site': 'cross-site' } }, '403 CSRF-TOKEN-INVALID'],
  ['a field is missing', { payload: { user_id: 'demo' } }, '422 VALIDATION-FAILED'],
  ['not JSON', { payload: '{' }, '400 BODY-INVALID'],
  ['empty body', { payload: '' }, '422 VALIDATION-FAILED'],
  ['body too large', { payload: 'x'.repeat(1024 ** 2 + 1) }, '413 BODY-TOO-LARGE'],
  ['locked', { payload: { user_id: 'locked', user_pass: 'x' } }, '423 ACCOUNT-LOCKED']
] as const) {
  t.test(`headers on a checked response that ends with ${expected}: ${name}`, async (t) => {
    const { app } = await startService(t, { ...ten, SVC_LOCKOUT_FAILURES: '2' })
    const asLocked = { payload: { user_id: 'locked', user_pass: 'x' } }
    await logins(app, 2, () => asLocked)
    const response = await login(app, options)
    t.equal(outcome(response), expected)
    t.same(limitHeaders(response).slice(0, 3), ['10', '7', '900'])
    t.same(limitHeaders(response).slice(3, 5), ['"login";q=10;w=900', '"login";r=7;t=900'])
    t.equal(response.headers['retry-after'], undefined)
  })
}

t.test('a route without a limit has no limit headers', async (t) => {
  const { app } = await startService(t, ten)
  for (const url of ['/todo/index', '/health/index', '/no/such', '/session/login']) {
    t.same(
      limitHeaders(await app.inject(url)),
      names.map(() => undefined),
      url
    )
  }
})

t.test('the first request starts a window, and the next window starts from zero', async (t) => {
  const { app, clock } = await startService(t, { ...ten, ...inMemory })
  clock.now += 12_345
  t.same(await logins(app, 10), Array(10).fill(failed))
  clock.now += 900_000 - 1
  const last = await login(app)
  t.equal(outcome(last), exceeded)
  t.equal(last.headers['retry-after'], '1', 'seconds, rounded up')
  clock.now += 1
  const first = await login(app)
  t.equal(outcome(first), failed)
  t.same(limitHeaders(first).slice(0, 3), ['10', '9', '900'])
  t.same(await logins(app, 10), [...Array(9).fill(failed), exceeded])
})

t.test('refused requests do not prolong the window', async (t) => {
  const { app, clock } = await startService(t, { ...ten, ...inMemory })
  await logins(app, 30)
  clock.now += 900_000
  t.equal(outcome(await login(app)), failed)
})

t.test('SVC_LOGIN_RATE_SECONDS is the length of the window', async (t) => {
  const { app, clock } = await startService(t, {
    ...inMemory,
    SVC_LOGIN_RATE_MAX: '1',
    SVC_LOGIN_RATE_SECONDS: '7'
  })
  t.equal((await login(app)).headers['ratelimit-policy'], '"login";q=1;w=7')
  t.equal((await login(app)).headers['retry-after'], '7')
  clock.now += 7000
  t.equal(outcome(await login(app)), failed)
})

t.test('login and token issue share the count', async (t) => {
  const { app } = await startService(t, { ...ten, SVC_JWT_SECRET: secret })
  const urls = ['/session/login', '/token/issue']
  const results = await logins(app, 12, (n) => ({ url: urls[n % 2] as string }))
  t.same(results, [...Array(10).fill(failed), exceeded, exceeded])
})

t.test('no spelling of the path has a counter of its own', async (t) => {
  const { app } = await startService(t, ten)
  const spellings = [
    '/session/login/',
    '/session/login/x_1',
    '/session/login/x_2/y_3/',
    '/session/login?x=1',
    '/session/login?',
    '/session/%6Cogin',
    '/session/login;x=1',
    '/session/login/_1',
    '/session//login',
    '/Session/login'
  ]
  await logins(app, 10)
  for (const url of spellings) {
    const result = outcome(await login(app, { url }))
    t.ok(result === exceeded || result === '404 NOT-FOUND', `${url}: ${result}`)
  }
})

t.test('another address has a count of its own', async (t) => {
  const { app } = await startService(t, ten)
  await logins(app, 10, () => ({ remoteAddress: '192.0.2.1' }))
  t.equal(outcome(await login(app, { remoteAddress: '192.0.2.1' })), exceeded)
  t.equal(outcome(await login(app, { remoteAddress: '192.0.2.2' })), failed)
})

t.test('IPv6 callers are counted by /64, and a mapped IPv4 address as IPv4', async (t) => {
  const { app } = await startService(t, ten)
  const hosts = (n: number) => ({ remoteAddress: `2001:db8:1:2:${n}:aaaa::${n}` })
  t.same(await logins(app, 11, hosts), [...Array(10).fill(failed), exceeded])
  t.equal(outcome(await login(app, { remoteAddress: '2001:0DB8:0001:0002::FFFF' })), exceeded)
  t.equal(outcome(await login(app, { remoteAddress: '2001:db8:1:3::1' })), failed)

  await logins(app, 10, () => ({ remoteAddress: '192.0.2.1' }))
  t.equal(outcome(await login(app, { remoteAddress: '::ffff:192.0.2.1' })), exceeded)
})

t.test('X-Forwarded-For is not believed if no proxy is trusted', async (t) => {
  const { app } = await startService(t, ten)
  const forged = (n: number) => ({
    headers: {
      'x-forwarded-for': `203.0.113.${n}`,
      forwarded: `for=203.0.113.${n}`,
      'x-real-ip': `203.0.113.${n}`,
      'true-client-ip': `203.0.113.${n}`
    }
  })
  t.same(await logins(app, 11, forged), [...Array(10).fill(failed), exceeded])
})

t.test('with SVC_TRUST_PROXY the caller is who the proxy says', async (t) => {
  const { app } = await startService(t, { ...ten, SVC_TRUST_PROXY: '10.0.0.0/8,192.0.2.7' })
  const through = (proxy: string, forwarded: string) => ({
    remoteAddress: proxy,
    headers: { 'x-forwarded-for': forwarded }
  })
  await logins(app, 10, () => through('10.1.2.3', '203.0.113.1'))
  for (const [name, options, expected] of [
    ['the same caller', through('10.1.2.3', '203.0.113.1'), exceeded],
    ['the same through another proxy', through('192.0.2.7', '203.0.113.1'), exceeded],
    ['the same through two', through('10.1.2.3', '203.0.113.1, 10.9.9.9'), exceeded],
    ['the same, with a forged hop', through('10.1.2.3', '198.51.100.9, 203.0.113.1'), exceeded],
    ['another caller', through('10.1.2.3', '203.0.113.2'), failed],
    ['a caller that forges the first', through('10.1.2.3', '203.0.113.1, 203.0.113.3'), failed],
    ['an unknown proxy', through('198.51.100.1', '203.0.113.1'), failed]
  ] as const) {
    t.equal(outcome(await login(app, options)), expected, name)
  }
  const direct = (n: number) => through('198.51.100.2', `203.0.113.${n}`)
  t.same(
    await logins(app, 11, direct),
    [...Array(10).fill(failed), exceeded],
    'an unknown proxy is not believed'
  )
})

t.test('an X-Forwarded-For that is no address does no harm', async (t) => {
  const { app } = await startService(t, { ...ten, SVC_TRUST_PROXY: '127.0.0.1' })
  for (const forwarded of ['nonsense', '', ',', 'unknown', '203.0.113.1:99', '[2001:db8::1]:9']) {
    const response = await login(app, { headers: { 'x-forwarded-for': forwarded } })
    t.equal(outcome(response), failed, forwarded)
    t.equal(response.headers['x-ratelimit-limit'], '10')
  }
})

t.test('a text that is no address counts as the proxy, or as the last valid address', async (t) => {
  const { app } = await startService(t, { ...ten, SVC_TRUST_PROXY: '127.0.0.1,10.0.0.0/8' })
  const forwarded = (header: string) => ({ headers: { 'x-forwarded-for': header } })
  const texts = (n: number) => forwarded(n % 2 ? `not-an-ip-${n}` : `fe80::1%any${n}`)
  t.same(await logins(app, 11, texts), [...Array(10).fill(failed), exceeded])
  const hops = (n: number) => forwarded(`203.0.113.${n}, text-${n}, 10.1.2.3, ,10.1.2.4`)
  t.same(await logins(app, 11, hops), [...Array(10).fill(failed), exceeded], 'behind two proxies')
  const ports = (n: number) => forwarded(n % 2 ? `203.0.113.7:${n}` : '203.0.113.7')
  t.same(await logins(app, 11, ports), [...Array(10).fill(failed), exceeded], 'whatever its port')
})

t.test('SVC_RATE_MAX is off by default', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  t.same(
    limitHeaders(await demo.send('GET', '/todo/index')),
    names.map(() => undefined)
  )
})

t.test(
  'SVC_RATE_MAX limits each user, over all routes and ways in (contract LIMIT-3)',
  async (t) => {
    const token = 'an-agent-token'
    const { app, clock } = await startService(t, {
      ...inMemory,
      SVC_RATE_MAX: '3',
      SVC_RATE_SECONDS: '60',
      SVC_AGENT_BEARER_TOKEN: token,
      SVC_AGENT_BEARER_USER: 'demo'
    })
    const demo = await signIn(app)
    const admin = await signIn(app, 'admin')
    const first = await demo.send('GET', '/todo/index')
    t.same(limitHeaders(first), ['3', '2', '60', '"user";q=3;w=60', '"user";r=2;t=60', undefined])
    t.equal((await demo.send('GET', '/todo/item/id_99')).headers['x-ratelimit-remaining'], '1')
    const headers = { authorization: `Bearer ${token}` }
    const agent = await app.inject({
      url: '/todo/index',
      headers,
      remoteAddress: '192.0.2.9'
    })
    t.equal(agent.headers['x-ratelimit-remaining'], '0')
    const response = await demo.send('POST', '/todo/index', '{ broken')
    t.equal(outcome(response), exceeded, 'before the body is read')
    t.equal(response.headers['retry-after'], '60')
    t.equal(response.headers['x-ratelimit-reset'], '60')
    t.equal(outcome(await app.inject({ url: '/todo/index', headers })), exceeded)
    t.equal(outcome(await admin.send('GET', '/todo/index')), '200 success', 'another user')
    t.equal(outcome(await app.inject('/todo/index')), '401 SESSION-CLOSED', 'a stranger')
    t.equal(outcome(await login(app)), failed, 'logins are not counted by user')
    clock.now += 60_000
    t.equal(outcome(await demo.send('GET', '/todo/index')), '200 success')
  }
)

t.test('logout has no limit (contract SESSION-3)', async (t) => {
  const { app } = await startService(t, { ...inMemory, SVC_RATE_MAX: '1' })
  const [demo, page] = [await signIn(app), await signIn(app)]
  await demo.send('GET', '/todo/index')
  t.equal(outcome(await demo.send('GET', '/todo/index')), exceeded)
  const left = await demo.send('POST', '/session/logout')
  t.equal(outcome(left), '200 success')
  t.equal(left.headers['x-ratelimit-limit'], undefined, 'nothing was counted')

  const ask = await page.send('GET', '/logout/index')
  t.equal(ask.statusCode, 200)
  const form = await app.inject({
    method: 'POST',
    url: '/logout/index',
    headers: { cookie: page.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `csrf_token=${page.csrfToken}`
  })
  t.same([form.statusCode, form.headers.location], [303, '/'])
})

for (const [name, url, payload, expected] of [
  ['request', '/password-reset', { email: 'nobody@example.com' }, '202 success'],
  ['completion', `/password-reset/${'0'.repeat(64)}`, { password: '12345678' }, '404 NOT-FOUND']
] as const) {
  t.test(`password reset: 10 in 900 s per address: ${name}`, async (t) => {
    const { app, clock } = await startService(t, inMemory)
    const send = (address = '127.0.0.1') =>
      app.inject({ method: 'POST', url, payload, remoteAddress: address })
    for (let n = 1; n <= 10; n++) {
      const response = await send()
      t.equal(outcome(response), expected)
      t.same(limitHeaders(response).slice(0, 3), ['10', String(10 - n), '900'])
    }
    const refused = await send()
    t.equal(outcome(refused), exceeded)
    t.equal(refused.headers['retry-after'], '900')
    t.equal(outcome(await send('192.0.2.1')), expected)
    clock.now += 900_000
    t.equal(outcome(await send()), expected)
  })
}

t.test('every reset token that is tried counts, whatever it is', async (t) => {
  const { app } = await startService(t)
  for (let n = 0; n < 10; n++) {
    await app.inject({ method: 'POST', url: `/password-reset/${n}`, payload: {} })
  }
  const response = await app.inject({ method: 'POST', url: '/password-reset/x/', payload: {} })
  t.equal(outcome(response), exceeded)
})

const agent = { SVC_AGENT_BEARER_TOKEN: 'the-right-one', SVC_BEARER_FAIL_MAX: '3' }
const list = (app: App, token: string, more: Record<string, string> = {}, url = '/todo/index') =>
  app.inject({ url, headers: { authorization: `Bearer ${token}`, ...more } })

for (const [kind, env, wrong] of [
  ['agent', agent, '401 SESSION-CLOSED'],
  ['JWT', { ...agent, SVC_JWT_SECRET: secret }, '401 JWT-INVALID']
] as const) {
  t.test(`wrong Bearer credentials count by address: ${kind} (contract BEARER-4)`, async (t) => {
    const { app, clock } = await startService(t, { ...env, ...inMemory })
    for (const remaining of ['2', '1', '0']) {
      const response = await list(app, `wrong ${remaining}`)
      t.equal(outcome(response), wrong)
      t.same(limitHeaders(response).slice(0, 3), ['3', remaining, '60'])
    }
    const response = await list(app, 'wrong again')
    t.equal(outcome(response), exceeded)
    t.same(limitHeaders(response), ['3', '0', '60', '"bearer";q=3;w=60', '"bearer";r=0;t=60', '60'])
    t.equal(outcome(await list(app, 'the-right-one')), '200 success', 'a right one is served')
    t.equal(outcome(await list(app, '')), wrong, 'an absent one is not wrong')
    t.equal(outcome(await app.inject('/todo/index')), '401 SESSION-CLOSED')

    const { cookie } = await signIn(app)
    t.equal(outcome(await app.inject({ url: '/todo/index', headers: { cookie } })), '200 success')
    t.equal(outcome(await list(app, 'wrong', { cookie })), exceeded, 'a cookie does not hide it')
    t.equal(outcome(await list(app, 'wrong', { cookie }, '/memo/index')), '200 success', 'not read')
    clock.now += 60_000
    t.equal(outcome(await list(app, 'wrong')), wrong)
  })
}

t.test('right Bearer credentials are never counted (contract BEARER-4)', async (t) => {
  const { app } = await startService(t, { ...agent, SVC_JWT_SECRET: secret })
  const payload = { user_id: 'demo', user_pass: 'demo' }
  const issued = await app.inject({ method: 'POST', url: '/token/issue', payload })
  for (const token of ['the-right-one', issued.json().Data.access_token]) {
    for (let n = 0; n < 5; n++) {
      const response = await list(app, token)
      t.equal(outcome(response), '200 success')
      t.equal(response.headers['x-ratelimit-limit'], undefined)
    }
  }
})

t.test('with neither agent token nor JWT on, a Bearer header is not counted', async (t) => {
  const { app } = await startService(t, { SVC_BEARER_FAIL_MAX: '1' })
  for (let n = 0; n < 3; n++) t.equal(outcome(await list(app, 'x')), '401 SESSION-CLOSED')
})
