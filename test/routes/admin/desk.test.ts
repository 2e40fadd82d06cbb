import t, { type Test } from 'tap'
import { catalog } from '../../../schemas/errors.ts'
import { newService, signIn, startService } from '../../support/helper.ts'
import { html, openBrowser } from '../../support/visitor.ts'

const [desk, flags, audit] = ['/admin/hour', '/admin/flags', '/admin/audit']

/** A service with an administrator's browser at the desk. */
async function start(t: Test, env: Record<string, string> = {}, begin = startService) {
  const service = await begin(t, env)
  const browser = openBrowser(service.app)
  await browser.signIn('admin')
  const { csrf_token = '' } = await browser.hiddenFields('/logout/index')
  return {
    ...service,
    browser,
    csrf_token,
    /** Sends a form of the flags: `override` if it has a value for one user, else `set`. */
    act: (fields: Record<string, string>) => {
      const action = 'value' in fields ? 'override' : 'set'
      return browser.submit(flags, { csrf_token, action, ...fields })
    },
    /** Text of a page, without tags. */
    text: async (page: string, query = '') => textOf((await browser.get(page + query)).body)
  }
}

/** The text of a page, on one line. */
function textOf(page: string) {
  const [, part = ''] = /<main.*?>(.*?)<\/main>/s.exec(page) ?? []
  return part.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

t.test('the desk is for administrators', async (t) => {
  const { app, browser } = await start(t)
  const [demo, visitor] = [openBrowser(app), openBrowser(app)]
  await demo.signIn()
  const page = await browser.get(desk)
  t.same([page.statusCode, page.headers['content-type']], [200, html])
  t.match(page.body, '<h1>Last hour</h1>')
  t.match((await browser.get('/board/index')).body, `<a href="${desk}">Desk</a>`)
  t.notMatch((await demo.get('/board/index')).body, '/admin/', 'no link for anybody else')

  const others = ['desk', 'users', 'programs', 'webhooks', 'rows'].map((name) => `/admin/${name}`)
  for (const path of [desk, flags, audit, ...others]) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const refused = await demo.send(method, path)
      t.same([refused.statusCode, refused.headers['content-type']], [403, html])
      t.match(refused.body, '<p class="code">FORBIDDEN</p>')
      const sent = await visitor.send(method, path)
      t.same([sent.statusCode, sent.headers.location], [302, '/login/index'])
    }
  }
})

t.test('the desk takes no token: pages are for sessions', async (t) => {
  const token = 'the-token-of-the-agent'
  const { app } = await startService(t, {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: 'admin'
  })
  const headers = { authorization: `Bearer ${token}` }
  t.equal((await app.inject({ url: desk, headers })).statusCode, 302)
})

t.test('flags: add, switch, change the share; each answers 303 to the desk', async (t) => {
  const { act, text, app } = await start(t)
  t.match(await text(flags), 'No flags yet.')
  const flag_name = 'checkout.new-form'
  for (const [fields, expected] of [
    [{ rollout_pct: '0' }, 'Off Reaches 0 of 2 users (0%)'],
    [{ is_enabled: 'true' }, 'On for everybody Reaches 2 of 2 users (100%)'],
    [{ is_enabled: 'false' }, 'Off Reaches 0 of 2 users (0%)'],
    [{ rollout_pct: '50' }, 'On for 50% of users Reaches about 1 of 2 users (50%)'],
    [{ rollout_pct: '100' }, 'On for 100% of users Reaches 2 of 2 users (100%)']
  ] as const) {
    const { statusCode, headers } = await act({ flag_name, ...fields })
    t.same([statusCode, headers.location], [303, flags])
    t.match(await text(flags), `${flag_name} ${expected}`)
  }
  const rest = await signIn(app, 'admin')
  const { Data } = (await rest.send('GET', '/admin/featureflag/index')).json()
  t.match(Data.flags, [{ flag_name, is_enabled: false, rollout_pct: 100 }], 'in the API too')
  const audit = (await rest.send('GET', '/admin/audit/index?event=flag-change')).json().Data.events
  t.equal(audit.length, 5)
  t.match(audit[0], { via: 'session', subject: flag_name })
})

t.test('overrides: give, take away and remove, by login name', async (t) => {
  const { act, text, app } = await start(t)
  const flag_name = 'f'
  const reaches = async () => /Reaches .*? users/.exec(await text(flags))?.[0]
  await act({ flag_name, rollout_pct: '0' })
  for (const [user_id, value, said, reached] of [
    ['demo', 'on', 'demo has it', 'Reaches 1 of 2 users'],
    ['admin', 'on', 'admin has it', 'Reaches 2 of 2 users'],
    ['admin', 'off', 'admin does not have it', 'Reaches 1 of 2 users'],
    ['demo', 'none', 'admin does not have it', 'Reaches 0 of 2 users'],
    ['demo', 'none', 'admin does not have it', 'Reaches 0 of 2 users']
  ] as const) {
    t.equal((await act({ flag_name, user_id, value })).statusCode, 303)
    t.match(await text(flags), said)
    t.equal(await reaches(), reached)
  }
  t.notMatch(await text(flags), 'demo has it')
  await act({ flag_name, is_enabled: 'true' })
  t.equal(await reaches(), 'Reaches 1 of 2 users', 'everybody but the one without it')
  const demo = await signIn(app)
  t.equal((await demo.send('GET', '/featureflag/index')).json().Data.flags.f, true)
})

t.test('errors of a form are shown on the desk, with the status of their code', async (t) => {
  const { act, sql } = await start(t)
  await act({ flag_name: 'f', rollout_pct: '7' })
  for (const [fields, code, said] of [
    [
      { action: 'add', flag_name: '<script>alert(1)</script>' },
      'VALIDATION-FAILED',
      'Use letters, digits'
    ],
    [{ action: 'add' }, 'VALIDATION-FAILED', 'Use letters, digits'],
    [
      { flag_name: 'f', rollout_pct: '101' },
      'VALIDATION-FAILED',
      'Enter a whole number from 0 to 100.'
    ],
    [{ flag_name: 'f', rollout_pct: '' }, 'VALIDATION-FAILED', ''],
    [
      { flag_name: 'f', rollout_pct: '1e1' },
      'VALIDATION-FAILED',
      'Enter a whole number from 0 to 100.'
    ],
    [{ flag_name: 'f', is_enabled: 'perhaps' }, 'VALIDATION-FAILED', ''],
    [{ flag_name: 'f', user_id: 'demo', value: 'x' }, 'VALIDATION-FAILED', ''],
    [{ flag_name: 'f', user_id: 'nobody', value: 'on' }, 'USER-NOT-FOUND', ''],
    [{ flag_name: 'f', value: 'on' }, 'USER-NOT-FOUND', ''],
    [{ flag_name: 'f', user_id: 'a\0b', value: 'on' }, 'VALIDATION-FAILED', ''],
    [{ flag_name: 'g', user_id: 'demo', value: 'on' }, 'FLAG-NOT-FOUND', ''],
    [{ flag_name: 'g', user_id: 'demo', value: 'none' }, 'FLAG-NOT-FOUND', '']
  ] as [Record<string, string>, keyof typeof catalog, string][]) {
    const { statusCode, headers, body } = await act(fields)
    const name = JSON.stringify(fields)
    t.same([statusCode, headers['content-type']], [catalog[code].status, html], name)
    const section = textOf(body)
    for (const part of [catalog[code].message, code, said, 'On for 7% of users']) {
      t.ok(section.includes(part), `${name}: ${part}`)
    }
  }
  t.same(await sql('select flag_name, rollout_pct from feature_flags'), [
    { flag_name: 'f', rollout_pct: 7 }
  ])
})

t.test('a form without the token of its session changes nothing (contract CSRF-3)', async (t) => {
  const { app, browser, sql, csrf_token } = await start(t)
  const other = await signIn(app, 'admin')
  for (const token of ['', 'f'.repeat(64), other.csrfToken, csrf_token.slice(1)]) {
    for (const fields of [
      { flag_name: 'f', rollout_pct: '1' },
      { flag_name: '<script>' },
      { flag_name: 'f', user_id: 'demo', value: 'on' }
    ]) {
      const { statusCode, body } = await browser.submit(flags, { csrf_token: token, ...fields })
      t.equal(statusCode, 403)
      t.match(body, '<p class="code">CSRF-TOKEN-INVALID</p>')
    }
  }
  t.same(await sql('select flag_name from feature_flags'), [])
})

t.test('markup in the name of a flag is shown as text, even if it was stored', async (t) => {
  const { browser, sql } = await start(t)
  const name = `<script>alert("1")</script>`
  const now = '2026-11-21T09:30:00.000Z'
  await sql(
    `insert into feature_flags (created_at, updated_at, flag_name, is_enabled, rollout_pct)
    values ('${now}', '${now}', '${name}', false, 0)`
  )
  const { body } = await browser.get(flags)
  t.notMatch(body, '<script>')
  t.match(body, '<h2>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</h2>')
})

t.test('a link leads to older flags', async (t) => {
  const { app, browser } = await start(t)
  const now = app.timestamp()
  for (let i = 1; i <= 21; i++) {
    const flag = { flag_name: `flag-${i}.`, is_enabled: true, rollout_pct: 0, now }
    await app.db.repos.featureFlags.set(flag)
  }
  const { body } = await browser.get(flags)
  t.notMatch(textOf(body), 'flag-1.')
  const [, older = ''] = /href="([^"]*)">Older flags</.exec(body) ?? []
  t.match(textOf((await browser.get(older)).body), 'flag-1.')
})

t.test('the audit trail shows who did what, and filters by event and user', async (t) => {
  const { app, text, browser } = await start(t)
  await openBrowser(app).signIn('demo', 'wrong')
  await openBrowser(app).signIn()
  const all = await text(audit)
  for (const part of ['login admin', 'login-failed demo', 'login demo', 'password, 127.0.0.1']) {
    t.ok(all.includes(part), part)
  }
  const rows = async (query: string) =>
    [
      ...(await browser.get(audit + query)).body.matchAll(/<strong>([a-z-]+)<\/strong>\s+(\w*)/g)
    ].map(([, event, subject]) => `${event} ${subject}`)
  t.same(await rows('?event=login-failed'), ['login-failed demo'])
  t.same(await rows('?event=login&user_id=demo'), ['login demo'])
  t.same(await rows('?user_id=1'), ['login admin'], 'an id works too')
  t.same(await rows('?event=&user_id='), ['login demo', 'login-failed demo', 'login admin'])
  t.match(
    (await browser.get(`${audit}?event=login`)).body,
    '<option value="login" selected>login</option>'
  )
})

t.test('a link leads to older events, and keeps the filter', async (t) => {
  const { app, browser } = await start(t)
  const rest = await signIn(app, 'admin')
  for (let i = 0; i < 26; i++) {
    await rest.send('POST', '/admin/featureflag/index', { flag_name: `f${i}.` })
  }
  const { body } = await browser.get(`${audit}?event=flag-change&user_id=admin`)
  const events = (page: string) => textOf(page).match(/flag-change f/g)?.length
  t.equal(events(body), 25)
  const [, older = ''] = /href="([^"]*)">Older events</.exec(body) ?? []
  const next = (await browser.get(older.replaceAll('&amp;', '&'))).body
  t.equal(events(next), 1)
  t.match(textOf(next), 'flag-change f0.')
  t.notMatch(next, 'Older events')
})

t.test('invalid filters are reported on the page', async (t) => {
  const { browser } = await start(t)
  for (const [query, said] of [
    ['event=nonsense', 'Choose one of these.'],
    ['event=<script>', 'Choose one of these.'],
    ['cursor=-1', ''],
    ['cursor=1e3', ''],
    ['cursor=', ''],
    ['cursor=99999999999999999999', ''],
    [`user_id=${'x'.repeat(256)}`, 'Use at most 255 characters.'],
    ['user_id=%00', 'This must match']
  ] as const) {
    const { statusCode, headers, body } = await browser.get(`${audit}?${query}`)
    t.same([statusCode, headers['content-type']], [422, html], query)
    const page = textOf(body)
    t.ok(page.includes(catalog['VALIDATION-FAILED'].message), query)
    t.ok(page.includes(said), `${query} names the field`)
    t.notMatch(body, '<script>')
  }
  t.equal((await browser.get(`${flags}?cursor=x`)).statusCode, 422)
  for (const query of [
    'user_id=<script>',
    "user_id='--",
    'user_id=٣',
    'user_id=9999999999999999'
  ]) {
    const { statusCode, body } = await browser.get(`${audit}?${query}`)
    t.equal(statusCode, 200, query)
    t.match(textOf(body), 'There is no user')
    t.notMatch(body, '<script>')
  }
  for (const query of ['user_id=4711', 'cursor=0', 'event=unlock', 'done=<script>', 'x=y']) {
    const { statusCode, body } = await browser.get(`${audit}?${query}`)
    t.equal(statusCode, 200, query)
    t.notMatch(body, '<script>')
  }
  t.match(textOf((await browser.get(`${audit}?event=unlock`)).body), 'No such events.')
})

t.test('the last hour is shown as drawings and as figures', async (t) => {
  const { app, clock, browser } = await start(t, {}, newService)
  for (let i = 0; i < 1200; i++) app.lastHour.request(200, 2)
  app.lastHour.request(500, 3000)
  clock.now += 60_000
  app.lastHour.request(404, 2)
  for (const outcome of ['LOGIN-FAILED', 'ACCOUNT-LOCKED']) app.lastHour.signIn(outcome)
  const { body } = await browser.get(desk)
  const section = textOf(body)
  // Signing in and reading the token are requests too.
  for (const part of [
    '1,204 requests answered by this process since it started at 09:30 UTC',
    '2xx done 1,201',
    '3xx unchanged, moved 1',
    '4xx refused 1',
    '5xx failed 1',
    'Signed in 1',
    'Wrong name or password 1',
    'Locked 1',
    'Half within 2 ms'
  ]) {
    t.ok(section.includes(part), part)
  }
  const tables = [...body.matchAll(/<tr>\s*<th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim()
  )
  t.same(tables.slice(0, 2), ['09:31 0 0 1 0', '09:30 1,201 1 0 1'])
  t.same(tables.slice(2, 4), ['09:31 0 1 0 1 0 0', '09:30 1 0 0 0 0 0'])
  const drawings = [...body.matchAll(/<svg role="img" aria-label="([^"]+)">(.*?)<\/svg>/gs)]
  t.equal(drawings.length, 3)
  t.match(drawings[0]?.[1], /^Requests by minute, 08:32 to 09:31 UTC\. 2xx done 1,201, /)
  const [, , bars = ''] = drawings[0] ?? []
  t.same(
    [...bars.matchAll(/<rect class="(\w+)"/g)].map(([, kind]) => kind),
    ['good', 'quiet', 'failed', 'refused'],
    'one for each kind in a minute'
  )
  for (const [, y = '', height = ''] of bars.matchAll(/ y="([\d.]+)%".*? height="([\d.]+)%"/g)) {
    t.ok(Number(y) >= 0 && Number(height) >= 2.5, 'inside the drawing, and visible')
  }
})

t.test('an hour without requests is drawn empty', async (t) => {
  const { clock, browser } = await start(t, { SVC_SESSION_IDLE_SECONDS: '7200' })
  clock.now += 61 * 60_000
  const { body } = await browser.get(desk)
  const section = textOf(body)
  for (const part of [' 0 requests', 'Half within none']) {
    t.ok(section.includes(part), part)
  }
  t.notMatch(body, /<rect class="\w+" x=/)
})

t.test('health, circuits and the mail queue are shown as they are', async (t) => {
  const { app, text } = await start(t)
  const well = await text(desk)
  for (const part of [
    'Service ok',
    'Database ok',
    app.db.schema,
    'Load ok',
    'Circuit mail closed'
  ]) {
    t.ok(well.includes(part), part)
  }
  t.match(well, 'Mail queue 0 ')
  const held = Promise.withResolvers<void>()
  app.background.add('held', () => held.promise)
  app.circuitStates = () => ({ mail: 'open' })
  const ill = await text(desk)
  for (const part of ['Service degraded', 'Circuit mail open', 'Mail queue 1 ']) {
    t.ok(ill.includes(part), part)
  }
  held.resolve()
  t.same((await app.inject('/health/index')).json().Data.circuits, { mail: 'open' })
})

t.test('programs are registered by hand, and removed', async (t) => {
  const { app, browser, text } = await start(t)
  const { csrf_token = '' } = await browser.hiddenFields('/logout/index')
  const act = (fields: Record<string, string>) => {
    const action = 'client_id' in fields ? 'remove' : 'register'
    return browser.submit('/admin/programs', { csrf_token, action, sure: 'yes', ...fields })
  }
  const refused = await act({ client_name: 'An assistant', redirect_uris: 'http://a.example/' })
  t.equal(refused.statusCode, 422)
  t.match(refused.body, /Each address must be https/)
  const redirect_uris = 'https://a.example/x com.example.app:/y'
  t.equal((await act({ client_name: 'An assistant', redirect_uris })).statusCode, 303)
  t.match(await text('/admin/programs'), 'https://a.example/x, com.example.app:/y')
  const [made] = await app.repos.oauthClients.listByHand({})
  const client_id = made?.client_id ?? ''
  t.equal((await act({ client_id })).statusCode, 303)
  t.match(await text('/admin/programs'), 'None yet.')
  t.equal((await act({ client_id })).statusCode, 404)
  t.equal((await act({ client_id, csrf_token: '' })).statusCode, 403)
})

t.test('rows of all users are shown by kind, user and text, and nothing else', async (t) => {
  const { app, text } = await start(t)
  const [demo, admin] = [await signIn(app), await signIn(app, 'admin')]
  for (const title of ['<b>milk</b>', 'bread']) await demo.send('POST', '/todo/index', { title })
  await admin.send('POST', '/todo/index', { title: 'milk of the administrator' })
  await demo.send('POST', '/memo/index', { body: 'a memo' })
  const rows = async (query = '') =>
    [...(await text('/admin/rows', query)).matchAll(/· (\d+) of (\w+)/g)].map(([it]) => it)
  t.same(await rows(), ['· 3 of admin', '· 2 of demo', '· 1 of demo'])
  t.same(await rows('?user_id=demo'), ['· 2 of demo', '· 1 of demo'])
  t.same(await rows('?q=MILK'), ['· 3 of admin', '· 1 of demo'])
  t.same(await rows('?q=MILK&user_id=demo'), ['· 1 of demo'])
  t.same(await rows('?kind=memo'), ['· 1 of demo'])
  t.same(await rows('?kind=attachment'), [])
  t.match(await text('/admin/rows', '?user_id=nobody'), 'There is no user nobody')
  t.match(await text('/admin/rows'), '&lt;b&gt;milk&lt;/b&gt; · 1 of demo')
})

t.test('/admin/desk leads to the first of the pages', async (t) => {
  const { browser } = await start(t)
  const { statusCode, headers } = await browser.get('/admin/desk')
  t.same([statusCode, headers.location], [303, desk])
})
