import t from 'tap'
import { startService } from '../../support/helper.ts'
import { openBrowser } from '../../support/visitor.ts'

const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const { app } = await startService(t)

t.test('a sign-in leads home, or to the page that was asked for', async (t) => {
  const browser = openBrowser(app)
  const before = await browser.get('/', visit)
  t.match(before.body, 'href="/login/index"')
  const entered = await browser.signIn()
  t.same([entered.statusCode, entered.headers.location], [303, '/'])
  const after = await browser.get('/', visit)
  t.match(after.body, '<h1>Hello, <bdi>Demo</bdi></h1>')
  for (const { statusCode, headers } of [before, after]) {
    t.same([statusCode, headers['cache-control']], [200, 'no-store'], 'no browser shows an old one')
  }
  const paths = [
    ...['/board/index', '/board/index?show=all', '/account/tokens'],
    ...['/memo/board?q=a%20b', '/activity/board?run=x.y']
  ]
  for (const path of paths) {
    const browser = openBrowser(app)
    const { statusCode, headers } = await browser.get(path, visit)
    t.equal(statusCode, 302)
    const login = String(headers.location)
    t.match(login, /^\/login\/index\?next=%2F/)
    const page = await browser.get(login)
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page.body) ?? []
    const wrong = await browser.submit(action, { user_id: 'demo', user_pass: 'wrong' })
    t.equal(wrong.statusCode, 401)
    t.match(wrong.body, `action="${action}"`, 'a wrong password does not forget it')
    const right = await browser.submit(action, { user_id: 'demo', user_pass: 'demo' })
    t.same([right.statusCode, right.headers.location], [303, path])
  }
  const known = await openBrowser(app).get('/login/index?next=/memo/board')
  t.match(known.body, 'to go on to <strong>Memos</strong>')
})

t.test('a sign-in leads to pages of ours only', async (t) => {
  for (const next of [
    'https://evil.example/a/b',
    '//evil.example/a/b',
    '/\\evil.example/a/b',
    '\\\\evil.example',
    '/oauth/authorize?client_id=x',
    '/logout/index',
    '/login/index',
    '/a/../../oauth/authorize',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    'https:/evil.example/a/b',
    'https:evil.example',
    '///evil.example/a/b',
    '/\t/evil.example/a/b',
    '/\n/evil.example/a/b',
    '\r\n//evil.example/a/b',
    '\u0000//evil.example/a/b',
    '/%2fevil.example/a/b',
    '/%5cevil.example/a/b',
    '/%0d%0aLocation:%20https://evil.example',
    '/board/index%0d%0aX-Evil:1',
    '/board%2findex',
    '/.//evil.example/a/b',
    '/;@evil.example/a/b',
    '//own.invalid@evil.example/board/index',
    'http://own.invalid:80@evil.example/a/b',
    '/memo/board/../../signup/index',
    '/memo/board@evil.example',
    'data:text/html,x',
    '',
    '/'
  ]) {
    const query = `?${new URLSearchParams({ next })}`
    const fields = { user_id: 'demo', user_pass: 'demo' }
    const { statusCode, headers } = await openBrowser(app).submit(`/login/index${query}`, fields)
    t.same([statusCode, headers.location], [303, '/'], JSON.stringify(next))
  }
})

t.test('what a path has besides stays encoded', async (t) => {
  for (const [next, expected] of [
    ['/memo/board?q=%0d%0aX-Evil:1', '/memo/board?q=%0d%0aX-Evil:1'],
    ['/memo/board?q=a\r\nX-Evil: 1', '/memo/board?q=aX-Evil:%201'],
    ['/memo/board?next=//evil.example', '/memo/board?next=//evil.example'],
    ['/memo/board#//evil.example', '/memo/board'],
    ['/memo/\tboard', '/memo/board']
  ] as const) {
    const query = `?${new URLSearchParams({ next })}`
    const fields = { user_id: 'demo', user_pass: 'demo' }
    const { headers } = await openBrowser(app).submit(`/login/index${query}`, fields)
    t.equal(headers.location, expected)
    t.equal(headers['x-evil'], undefined)
  }
})

t.test('a session that has ended says so, and a form leads back to its page', async (t) => {
  const browser = openBrowser(app)
  t.notMatch((await browser.get('/login/index')).body, 'Your session has ended.')
  await browser.signIn()
  const fields = await browser.hiddenFields()
  const other = openBrowser(app)
  await other.signIn()
  await app.inject({
    method: 'POST',
    url: '/session/endothers',
    headers: {
      cookie: other.cookie(),
      'x-csrf-token': (await other.hiddenFields()).csrf_token ?? ''
    }
  })
  const form = { ...fields, action: 'add', id: '7', body: 'typed <b>here</b>', user_pass: 'secret' }
  const own = { ...visit, 'sec-fetch-site': 'same-origin' }
  const sent = await browser.submit('/memo/board', form, own)
  t.same([sent.statusCode, sent.headers.location], [307, '/login/unsent?next=%2Fmemo%2Fboard'])
  const kept = await browser.submit(String(sent.headers.location), form, own)
  t.equal(kept.statusCode, 401)
  t.match(kept.body, 'Your session has ended')
  t.match(kept.body, 'typed &lt;b&gt;here&lt;/b&gt;</textarea>')
  t.equal(kept.body.split('<textarea').length, 2, 'no key, no token, no password')
  t.notMatch(kept.body, 'secret')
  t.match(kept.body, 'href="/login/index?next=%2Fmemo%2Fboard"')
  const nothing = await browser.submit(String(sent.headers.location), { id: '7' }, own)
  t.same([nothing.statusCode, nothing.headers.location], [303, '/login/index?next=%2Fmemo%2Fboard'])
  const foreign = { ...visit, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  t.equal((await browser.submit('/memo/board', form, foreign)).headers.location, '/login/index')
  t.equal((await browser.submit('/login/unsent', form, foreign)).statusCode, 403)
  t.equal((await browser.get('/login/unsent')).headers.location, '/login/index')
  const login = await browser.get('/login/index?next=/memo/board', visit)
  t.match(login.body, 'Your session has ended.')
  t.match(login.body, 'to go on to <strong>Memos</strong>')
  const wrong = await browser.signIn('demo', 'wrong')
  t.notMatch(wrong.body, 'Your session has ended.')
  await browser.signIn()
  await browser.submit('/logout/index', await browser.hiddenFields('/logout/index'))
  t.notMatch((await browser.get('/login/index')).body, 'Your session has ended.')
})

t.test('other requests are redirected to SVC_LOGOUT_URI itself (contract CSRF-4)', async (t) => {
  const browser = openBrowser(app)
  for (const [path, headers] of [
    ['/memo/board', {}],
    ['/board/index', {}],
    ['/logout/index', visit]
  ] as const) {
    t.equal((await browser.get(path, headers)).headers.location, '/login/index')
  }
  const elsewhere = await startService(t, { SVC_LOGOUT_URI: 'https://portal.example/out' })
  const { headers } = await openBrowser(elsewhere.app).get('/memo/board', visit)
  t.equal(headers.location, 'https://portal.example/out')
})
