import t from 'tap'
import { startService } from '../../support/helper.ts'
import { openBrowser } from '../../support/visitor.ts'

const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const { app } = await startService(t)

t.test('a visit that needs a sign-in goes on afterwards to the page that was wanted', async (t) => {
  for (const path of ['/account/tokens', '/memo/board?q=a%20b', '/activity/board?run=x.y']) {
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
    '',
    '/'
  ]) {
    const query = `?${new URLSearchParams({ next })}`
    const fields = { user_id: 'demo', user_pass: 'demo' }
    const { statusCode, headers } = await openBrowser(app).submit(`/login/index${query}`, fields)
    t.same([statusCode, headers.location], [303, '/board/index'], next)
  }
})

t.test('other requests are redirected to SVC_LOGOUT_URI itself (contract CSRF-4)', async (t) => {
  const browser = openBrowser(app)
  for (const [path, headers] of [
    ['/memo/board', {}],
    ['/board/index', visit],
    ['/logout/index', visit]
  ] as const) {
    t.equal((await browser.get(path, headers)).headers.location, '/login/index')
  }
  const elsewhere = await startService(t, { SVC_LOGOUT_URI: 'https://portal.example/out' })
  const { headers } = await openBrowser(elsewhere.app).get('/memo/board', visit)
  t.equal(headers.location, 'https://portal.example/out')
})
