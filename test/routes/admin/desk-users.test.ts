import t, { type Test } from 'tap'
import { catalog } from '../../../schemas/errors.ts'
import { signIn, startService } from '../../support/helper.ts'
import { mailIn } from '../../support/outbox.ts'
import { html, openBrowser } from '../../support/visitor.ts'

const url = '/admin/users'

/** A service with an administrator's browser at the desk. */
async function start(t: Test) {
  const service = await startService(t)
  const browser = openBrowser(service.app)
  await browser.signIn('admin')
  const { csrf_token = '' } = await browser.hiddenFields('/logout/index')
  const act = (fields: Record<string, string>) =>
    browser.submit(url, { csrf_token, sure: 'yes', ...fields })
  const text = async (query = '') => textOf((await browser.get(url + query)).body)
  return { ...service, browser, act, text }
}

/** The text of the page, on one line. */
function textOf(page: string) {
  const [, part = ''] = /<main.*?>(.*?)<\/main>/s.exec(page) ?? []
  return part.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

const shown = (page: string) => [...page.matchAll(/(\S+) \S+ \S+@example.com/g)].map(([, it]) => it)

t.test('users: lock, unlock, role, sign out, reset; each answers 303 to the user', async (t) => {
  const { act, text, app, folder, sql } = await start(t)
  const demo = await signIn(app)
  const isOpen = async () => (await demo.send('GET', '/todo/index')).statusCode
  for (const [action, expected] of [
    ['admin', 'Administrator Manage'],
    ['user', 'User Manage'],
    ['signout', 'User Manage'],
    ['lock', 'User · Locked by an administrator'],
    ['unlock', 'User Manage'],
    ['reset', 'User Manage']
  ] as const) {
    const { statusCode, headers } = await act({ action, id: '2' })
    t.same([statusCode, headers.location], [303, `${url}?done=${action}`], action)
    const section = await text(`?q=demo&done=${action}`)
    t.match(section, /^ The user|^ An email|^ The sessions/)
    t.ok(section.includes(`Demo demo@example.com ${expected}`), `${action}: ${section}`)
    t.equal(await isOpen(), ['admin', 'user'].includes(action) ? 200 : 401)
  }
  await app.background.idle()
  t.equal((await mailIn(folder)).to, 'demo@example.com')
  const events = await sql('SELECT event, user_id, subject FROM audit_events WHERE user_id = 1')
  t.same(
    events.filter(({ subject }) => subject === 'demo').map(({ event }) => event),
    ['role-change', 'role-change', 'sessions-end', 'lock', 'unlock', 'reset-request']
  )
})

t.test('users are found by text, role and lock', async (t) => {
  const { act, text } = await start(t)
  await act({ action: 'lock', id: '2' })
  for (const [query, expected] of [
    ['', ['demo', 'admin']],
    ['?q=&role=&locked=', ['demo', 'admin']],
    ['?q=DEMO', ['demo']],
    ['?role=admin', ['admin']],
    ['?locked=true', ['demo']],
    ['?locked=false&role=user', []]
  ] as const) {
    t.same(shown(await text(query)), expected, query)
  }
  t.match(await text('?q=nobody'), 'No such users.')
})

t.test('a link leads to older users, and keeps the filters', async (t) => {
  const { app, browser } = await start(t)
  for (let i = 1; i <= 21; i++) {
    const names = { user_id: `u${i}`, user_name: 'Somebody', e_mail: `u${i}@example.com` }
    const times = { now: app.timestamp(), now_ms: app.now() }
    await app.db.repos.users.insert({ ...names, role: 'user', password_hash: '', ...times })
  }
  const { body } = await browser.get(`${url}?q=some&role=user`)
  t.equal(shown(textOf(body)).length, 20)
  const [, older = ''] = /href="([^"]*)">Older users</.exec(body) ?? []
  t.same(shown(textOf((await browser.get(older.replaceAll('&amp;', '&'))).body)), ['u1'])
})

t.test('a user is added, and gets a mail', async (t) => {
  const { act, text, app, folder } = await start(t)
  const fields = { user_id: 'anna', user_name: '<b>Anna</b>', e_mail: 'anna@example.com' }
  t.equal((await act({ action: 'add', ...fields, role: 'admin' })).statusCode, 303)
  t.match(await text('?q=anna'), '&lt;b&gt;Anna&lt;/b&gt; anna@example.com Administrator')
  await app.background.idle()
  t.equal((await mailIn(folder)).to, 'anna@example.com')
})

t.test('errors are shown in the section, with the status of their code', async (t) => {
  const { act, sql } = await start(t)
  const add = { action: 'add', user_id: 'anna', user_name: 'Anna', e_mail: 'anna@example.com' }
  for (const [fields, code, said] of [
    [{ action: 'lock', id: '1' }, 'CONFLICT', 'At least one unlocked administrator must remain.'],
    [{ action: 'user', id: '1' }, 'CONFLICT', 'At least one unlocked administrator must remain.'],
    [{ ...add, user_id: 'demo' }, 'CONFLICT', 'Another user has this user ID or email address.'],
    [
      { ...add, e_mail: 'demo@example.com' },
      'CONFLICT',
      'Another user has this user ID or email address.'
    ],
    [{ ...add, e_mail: 'x' }, 'VALIDATION-FAILED', ''],
    [{ ...add, role: 'root' }, 'VALIDATION-FAILED', 'Choose one of these.'],
    [{ action: 'add', user_id: 'anna', user_name: 'Anna' }, 'VALIDATION-FAILED', ''],
    [{ action: 'lock' }, 'VALIDATION-FAILED', ''],
    [{ action: 'lock', id: 'x' }, 'VALIDATION-FAILED', ''],
    [{ action: 'lock', id: '99' }, 'USER-NOT-FOUND', ''],
    [{ action: 'reset', id: '99' }, 'USER-NOT-FOUND', ''],
    [{ action: 'signout', id: '99' }, 'USER-NOT-FOUND', ''],
    [{ action: '<script>', id: '2' }, 'VALIDATION-FAILED', ''],
    [{ id: '2' }, 'VALIDATION-FAILED', '']
  ] as [Record<string, string>, keyof typeof catalog, string][]) {
    const { statusCode, headers, body } = await act(fields)
    const name = JSON.stringify(fields)
    t.same([statusCode, headers['content-type']], [catalog[code].status, html], name)
    t.notMatch(body, '<script>')
    for (const part of [said || catalog[code].message, code]) {
      t.ok(textOf(body).includes(part), `${name}: ${part} in ${textOf(body).slice(0, 300)}`)
    }
  }
  t.same(await sql('SELECT id, role, locked_at FROM users ORDER BY id'), [
    { id: 1, role: 'admin', locked_at: null },
    { id: 2, role: 'user', locked_at: null }
  ])
})

t.test('invalid filters are reported in the section', async (t) => {
  const { browser } = await start(t)
  for (const [query, field] of [
    [`q=${'x'.repeat(101)}`, 'Use at most 100'],
    ['q=%00', 'This must'],
    ['role=root', 'Choose one'],
    ['locked=perhaps', 'Choose one'],
    ['cursor=x', 'One or more input fields failed validation.']
  ] as const) {
    const { statusCode, body } = await browser.get(`${url}?${query}`)
    t.equal(statusCode, 422, query)
    t.match(textOf(body), field)
  }
})

t.test('a form without the token of its session changes nothing (contract CSRF-3)', async (t) => {
  const { app, browser, sql } = await start(t)
  const other = await signIn(app, 'admin')
  for (const csrf_token of ['', other.csrfToken]) {
    const { statusCode, body } = await browser.submit(url, {
      csrf_token,
      action: 'lock',
      id: '2'
    })
    t.equal(statusCode, 403)
    t.match(body, '<p class="code">CSRF-TOKEN-INVALID</p>')
  }
  t.same(await sql('SELECT id FROM users WHERE locked_at IS NOT NULL'), [])
})

t.test('an administrator who locks themselves is signed out', async (t) => {
  const { act, browser } = await start(t)
  await act({ action: 'admin', id: '2' })
  t.equal((await act({ action: 'lock', id: '1' })).statusCode, 303)
  t.equal((await browser.get(url)).headers.location, '/login/index')
})
