import t, { type Test } from 'tap'
import { catalog } from '../../../schemas/errors.ts'
import { signIn, startService } from '../../support/helper.ts'
import { html, openBrowser } from '../../support/visitor.ts'

/** The pages, by the actions of their forms. */
const pages = new Map([
  ['password', '/account/profile'],
  ['endsession', '/account/sessions'],
  ['endothers', '/account/sessions'],
  ['maketoken', '/account/tokens'],
  ['revoketoken', '/account/tokens']
])
const [profile, sessions, tokens] = ['/account/profile', '/account/sessions', '/account/tokens']

/** A service with one signed-in browser, and its form token. */
async function start(t: Test) {
  const service = await startService(t)
  const browser = openBrowser(service.app)
  await browser.signIn()
  const { csrf_token = '' } = await browser.hiddenFields(profile)
  return {
    ...service,
    browser,
    csrf_token,
    /** Sends a form, with yes to what the page asks first. */
    act: ({ action = '', ...fields }: Record<string, string>) =>
      browser.submit(pages.get(action) ?? profile, { csrf_token, action, sure: 'yes', ...fields })
  }
}

const change = { action: 'password', user_pass: 'demo', new_pass: 'a new password' }

t.test('a changed password is 303 to the page, which says so (contract PASSWORD-2)', async (t) => {
  const { app, browser, act } = await start(t)
  const elsewhere = await signIn(app)
  const { statusCode, headers } = await act(change)
  t.same([statusCode, headers.location], [303, `${profile}?done=password`])
  const page = await browser.get(`${profile}?done=password`)
  t.match(page.body, 'The password was changed')
  t.equal((await elsewhere.send('GET', '/todo/index')).statusCode, 401)
  const again = openBrowser(app)
  t.equal((await again.signIn('demo', 'a new password')).statusCode, 303)
})

t.test('errors are shown on the page, with the status of the catalog', async (t) => {
  const { act } = await start(t)
  for (const [fields, status, code, text] of [
    [{ user_pass: 'wrong' }, 401, 'LOGIN-FAILED', 'This is not your current password.'],
    [
      { new_pass: 'PASSWORD1' },
      422,
      'VALIDATION-FAILED',
      'This must not be one of the most common passwords.'
    ],
    [{ new_pass: 'short' }, 422, 'VALIDATION-FAILED', 'Use at least 8 characters.'],
    [{ new_pass: '' }, 422, 'VALIDATION-FAILED', 'Fill this in.'],
    [
      { new_pass: 'é'.repeat(37) },
      422,
      'VALIDATION-FAILED',
      'This must NOT have more than 72 bytes.'
    ]
  ] as const) {
    const { statusCode, headers, body } = await act({ ...change, ...fields })
    t.same([statusCode, headers['content-type']], [status, html], code)
    t.match(body, `<p class="code">${code}</p>`)
    t.match(body, `>${catalog[code].message}</p>`)
    const field = 'user_pass' in fields ? 'user_pass' : 'new_pass'
    t.match(body, `<p class="problem" id="password-${field}-problem">${text}</p>`)
    const [input = ''] = new RegExp(`<input[^>]*id="password-${field}"[^>]*>`).exec(body) ?? []
    t.match(input, /aria-invalid="true"/)
    t.match(input, / autofocus(="")?[ >]/, 'the first that is wrong')
    t.match(input, new RegExp(`aria-describedby="[^"]*password-${field}-problem"`))
    t.notMatch(body, /value="(wrong|PASSWORD1|x+)"/, 'nothing of what was typed')
  }
})

t.test('five wrong passwords lock, on the page too (contract LOCK-1)', async (t) => {
  const { act } = await start(t)
  for (let n = 0; n < 5; n++) {
    t.equal((await act({ ...change, user_pass: `wrong ${n}` })).statusCode, 401)
  }
  const { statusCode, body } = await act(change)
  t.equal(statusCode, 423)
  t.match(body, 'Account is locked')
})

t.test(
  'a session: shown with its device, ended, gone (contract SESSION-6, SESSION-7)',
  async (t) => {
    const { app, browser, act } = await start(t)
    for (const [agent, device] of [
      [
        'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'Firefox on Linux'
      ],
      [
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
        'Edge on Windows'
      ],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
        'Safari on iOS'
      ],
      [
        'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
        'Chrome on Android'
      ],
      ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;']
    ] as const) {
      await app.inject({
        method: 'POST',
        url: '/session/login',
        headers: { 'user-agent': agent },
        payload: { user_id: 'demo', user_pass: 'demo' }
      })
      const { body } = await browser.get(sessions)
      t.ok(body.includes(`<strong>${device}</strong>`), device)
      t.notMatch(body, '<script>')
    }
    const other = await signIn(app)
    const [{ id }] = (await other.send('GET', '/session/index')).json().Data.sessions
    const { statusCode, headers } = await act({ action: 'endsession', id: String(id) })
    t.same([statusCode, headers.location], [303, `${sessions}?done=endsession`])
    t.equal((await other.send('GET', '/todo/index')).statusCode, 401)
    const again = await act({ action: 'endsession', id: String(id) })
    t.equal(again.statusCode, 404)
    t.match(again.body, 'SESSION-NOT-FOUND')
    for (const wrong of ['', 'x', '1.5']) {
      t.equal((await act({ action: 'endsession', id: wrong })).statusCode, 422, wrong)
    }
  }
)

t.test('all other sessions end; ending this one signs out (contract SESSION-7)', async (t) => {
  const { app, browser, act } = await start(t)
  const other = await signIn(app)
  t.equal((await act({ action: 'endothers' })).headers.location, `${sessions}?done=endothers`)
  t.equal((await other.send('GET', '/todo/index')).statusCode, 401)
  const page = await browser.get(`${sessions}?done=endothers`)
  t.match(page.body, 'All other sessions were ended.')
  t.notMatch(page.body, 'End all others', 'there are none')
  const [, id = ''] = /name="id" value="(\d+)"/.exec(page.body) ?? []
  const { statusCode, headers } = await act({ action: 'endsession', id })
  t.same([statusCode, headers.location], [303, '/'])
  t.equal(browser.cookie(), '')
  t.equal((await browser.get(sessions)).headers.location, '/login/index')
})

t.test(
  'a token is shown in the answer to its form, and never again (contract TOKEN-1)',
  async (t) => {
    const { app, browser, act } = await start(t)
    const made = await act({
      action: 'maketoken',
      name: 'nightly <b>import</b>',
      scopes: 'todo:read',
      expires_in: '30'
    })
    t.same([made.statusCode, made.headers['content-type']], [200, html])
    t.equal(made.headers['cache-control'], 'no-store')
    const [token = ''] = /gth_[\w-]{43}[0-9A-Za-z]{6}/.exec(made.body) ?? []
    t.ok(made.body.includes('nightly &lt;b&gt;import&lt;/b&gt;'))
    const use = () =>
      app.inject({ url: '/todo/index', headers: { authorization: `Bearer ${token}` } })
    t.equal((await use()).statusCode, 200)
    const page = await browser.get(tokens)
    t.notOk(page.body.includes(token))
    t.match(page.body, token.slice(0, 8), 'its hint')
    t.match(page.body, 'todo:read')
    t.match(page.body, '2026-12-21 09:30')
    const id =
      /name="id" value="(\d+)" \/>\s*<button class="quiet danger" name="action" value="revoketoken"/
        .exec(page.body)
        ?.at(1)
    const { statusCode, headers } = await act({ action: 'revoketoken', id: id ?? '' })
    t.same([statusCode, headers.location], [303, `${tokens}?done=revoketoken`])
    t.equal((await use()).statusCode, 401)
    t.equal((await act({ action: 'revoketoken', id: id ?? '' })).statusCode, 404)
  }
)

t.test('tokens with several scopes, none, or admin scopes (contract TOKEN-2)', async (t) => {
  const { browser, act, csrf_token, app } = await start(t)
  const send = (scopes: string) =>
    browser.send(
      'POST',
      tokens,
      { 'content-type': 'application/x-www-form-urlencoded' },
      `csrf_token=${csrf_token}&action=maketoken&name=x&expires_in=90${scopes}`
    )
  t.equal((await send('&scopes=todo:read&scopes=memo:write')).statusCode, 200)
  const none = await send('')
  t.equal(none.statusCode, 422)
  t.match(none.body, 'Choose at least one thing that it may do.')
  t.equal((await send('&scopes=nonsense')).statusCode, 422)
  t.equal((await send('&scopes=admin:read')).statusCode, 403, 'for a user')
  t.notMatch((await browser.get(tokens)).body, 'admin:read', 'and not offered')
  const fields = { action: 'maketoken', name: 'x', scopes: 'todo:read' }
  for (const expires_in of ['', '0', '366', '1.5', 'x']) {
    const refused = await act({ ...fields, expires_in })
    t.equal(refused.statusCode, 422, expires_in)
    t.match(refused.body, 'Enter 1 to 365 days, or 5 to 525,600 minutes.')
  }
  t.equal((await act({ ...fields, expires_in: '4', unit: 'minutes' })).statusCode, 422)
  for (const changes_max of ['0', '1000001', '-1', 'x']) {
    const refused = await act({ ...fields, changes_max })
    t.equal(refused.statusCode, 422, changes_max)
    t.match(refused.body, 'Enter a whole number from 1 to 1,000,000, or nothing.')
  }
  const admin = openBrowser(app)
  await admin.signIn('admin')
  t.match((await admin.get(tokens)).body, 'admin:read')
})

t.test('a token with limits, and what was derived from it', async (t) => {
  const { app, browser, act, clock } = await start(t)
  const fields = { action: 'maketoken', name: 'an agent', scopes: 'todo:write' }
  const limits = { asks: 'true', changes_max: '7', expires_in: '90', unit: 'minutes' }
  const made = await act({ ...fields, ...limits })
  const [token = ''] = /gth_[\w-]{49}/.exec(made.body) ?? []
  const headers = { authorization: `Bearer ${token}` }
  const { Data } = (await app.inject({ url: '/session/current', headers })).json()
  t.match(Data, { asks: true, changes_max: 7, scopes: ['todo:write'] })
  t.equal(Date.parse(Data.expires_at), clock.now + 90 * 60_000)
  await act({ ...fields, name: 'another' })
  for (const name of ['a helper', 'a second helper']) {
    const payload = { name, scopes: ['todo:write'], expires_in_minutes: 5, changes_max: 3 }
    await app.inject({ method: 'POST', url: '/accesstoken/derive', headers, payload })
  }
  const { body } = await browser.get(tokens)
  const listed = [
    ...body.matchAll(/<li id="token-\d+"([^>]*)>.*?<strong dir="auto">(.*?)<.*?<\/li>/gs)
  ]
  t.same(
    listed.map(([, level, name]) => [level?.trim(), name]),
    [
      ['', 'another'],
      ['', 'an agent'],
      ['class="level-1"', 'a second helper'],
      ['class="level-1"', 'a helper']
    ]
  )
  t.match(body, 'asks you before it changes anything, 7 changes left')
  t.match(body, 'created by a program, asks you before it changes anything, 3 changes left')
})

t.test('every form needs the token of its session (contract CSRF-3)', async (t) => {
  const { app, browser, sql } = await start(t)
  const { csrfToken } = await signIn(app)
  const [{ id } = {}] = await sql('SELECT id FROM sessions ORDER BY id DESC')
  for (const fields of [
    change,
    { action: 'endsession', id: String(id) },
    { action: 'endothers' },
    { action: 'maketoken', name: 'x', scopes: 'todo:read' },
    { action: 'revoketoken', id: '1' }
  ]) {
    for (const token of [{}, { csrf_token: '' }, { csrf_token: csrfToken }]) {
      const { statusCode, body } = await browser.submit(pages.get(fields.action) ?? '', {
        ...token,
        ...fields
      })
      t.equal(statusCode, 403, fields.action)
      t.match(body, 'Form expired')
    }
  }
  t.equal((await sql('SELECT id FROM sessions')).length, 2, 'nothing was done')
  t.equal((await sql('SELECT id FROM access_tokens')).length, 0)
})

t.test('if the session ends meanwhile, a form leads to sign-in (contract CSRF-4)', async (t) => {
  const { app, act, sql } = await start(t)
  const { verifyOwnPassword } = app
  Object.assign(app, {
    verifyOwnPassword: async (...args: Parameters<typeof verifyOwnPassword>) => {
      const account = await verifyOwnPassword.apply(app, args)
      await sql('DELETE FROM sessions')
      return account
    }
  })
  const { statusCode, headers } = await act(change)
  t.same([statusCode, headers.location], [302, '/login/index'])
})

t.test('an unknown action is 422, and an unknown `done` shows nothing', async (t) => {
  const { act, browser } = await start(t)
  for (const action of ['', 'nonsense', 'toString', '__proto__', 'constructor']) {
    t.equal((await act({ action })).statusCode, 422, action)
  }
  for (const done of ['nonsense', 'toString', '__proto__', '<b>']) {
    const { statusCode, body } = await browser.get(`${profile}?done=${encodeURIComponent(done)}`)
    t.equal(statusCode, 200)
    t.notMatch(body, /class="told"|<b>/, done)
  }
})

t.test('SVC_CSRF_FIELD names the field on this page too (contract CSRF-3)', async (t) => {
  const service = await startService(t, { SVC_CSRF_FIELD: '_proof' })
  const browser = openBrowser(service.app)
  await browser.signIn()
  const fields = await browser.hiddenFields(profile)
  t.match(fields._proof, /^[0-9a-f]{64}$/)
  t.equal((await browser.submit(profile, { ...fields, ...change })).statusCode, 303)
})

t.test('what cannot be undone is asked about first, by name', async (t) => {
  const { browser, csrf_token, act } = await start(t)
  await act({ action: 'maketoken', name: 'nightly <b>', scopes: 'todo:read' })
  const asked = await browser.submit(tokens, { csrf_token, action: 'revoketoken', id: '1' })
  t.equal(asked.statusCode, 200)
  t.match(asked.body, 'Revoke “nightly &lt;b&gt;”?')
  t.match(asked.body, /<dialog id="question" open/)
  t.match(asked.body, '<input type="hidden" name="id" value="1" />')
  t.match((await browser.get(tokens)).body, 'revoketoken', 'nothing is done yet')
  await act({ action: 'revoketoken', id: '1' })
  t.notMatch((await browser.get(tokens)).body, 'revoketoken')
})

t.test('a form that is sent again, as by a reload, does nothing', async (t) => {
  const { browser, act } = await start(t)
  const { form_id = '' } = await browser.hiddenFields(tokens)
  t.equal(form_id.length, 36)
  const form = { action: 'maketoken', name: 'once', scopes: 'todo:read', form_id }
  t.match((await act(form)).body, 'gth_')
  const again = await act(form)
  t.same([again.statusCode, again.headers.location], [303, tokens])
  const { body } = await browser.get(tokens)
  t.equal([...body.matchAll(/value="revoketoken"/g)].length, 1)
})

t.test('/account/index leads to the first of the pages', async (t) => {
  const { browser } = await start(t)
  const { statusCode, headers } = await browser.get('/account/index')
  t.same([statusCode, headers.location], [303, profile])
})
