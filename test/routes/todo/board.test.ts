import { globSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { catalog } from '../../../schemas/errors.ts'
import { signIn, startService } from '../../support/helper.ts'
import { html, openBrowser } from '../../support/visitor.ts'

const url = '/board/index'

/** A service with one signed-in browser. */
async function start(t: Test) {
  const { app } = await startService(t)
  const browser = openBrowser(app)
  await browser.signIn()
  const { csrf_token = '' } = await browser.hiddenFields()
  const rest = await signIn(app)
  return {
    app,
    browser,
    csrf_token,
    rest,
    act: (fields: { action?: string; title?: string; id?: string }) =>
      browser.submit(url, { csrf_token, ...fields }),
    /** The rows as they are stored. */
    todos: async (): Promise<{ id: number; title: string; is_completed: boolean }[]> =>
      (await rest.send('GET', '/todo/index')).json().Data.todos
  }
}

t.test('add, complete, reopen, delete: each answers 303 to the board', async (t) => {
  const { act, todos, browser } = await start(t)
  const steps: [fields: { action: string; title?: string; id?: string }, [string, boolean][]][] = [
    [{ action: 'add', title: '  Buy milk ' }, [['Buy milk', false]]],
    [
      { action: 'add', title: 'Wäsche & <b>"牛乳"</b>' },
      [
        ['Wäsche & <b>"牛乳"</b>', false],
        ['Buy milk', false]
      ]
    ],
    [
      { action: 'complete', id: '1' },
      [
        ['Wäsche & <b>"牛乳"</b>', false],
        ['Buy milk', true]
      ]
    ],
    [
      { action: 'complete', id: '1' },
      [
        ['Wäsche & <b>"牛乳"</b>', false],
        ['Buy milk', true]
      ]
    ],
    [{ action: 'delete', id: '2' }, [['Buy milk', true]]],
    [{ action: 'reopen', id: '1' }, [['Buy milk', false]]]
  ]
  for (const [fields, expected] of steps) {
    const { statusCode, headers } = await act(fields)
    const told = fields.action === 'delete' ? `${url}?done=delete&undo=5` : url
    t.same([statusCode, headers.location], [303, told], fields.action)
    t.same(
      (await todos()).map(({ title, is_completed }) => [title, is_completed]),
      expected
    )
  }
  t.same(await browser.titles(), ['Buy milk'])
})

t.test('scripts in titles are text', async (t) => {
  const { act, browser } = await start(t)
  const titles = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '</span></form><form action="//evil.example">',
    '<%= it.csrfToken %>{{message}}',
    '&lt;script&gt;'
  ]
  for (const title of titles) await act({ action: 'add', title })
  const { body } = await browser.get(url)
  t.notMatch(body, /<script>alert|<img|<form action="\/\/evil/)
  t.notMatch(body, /" (autofocus )?on\w+=/)
  const escaped = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
  t.same(await browser.titles(), titles.map(escaped).reverse())
})

t.test('an error of a form is a page with its code and message (contract ERROR-2)', async (t) => {
  const { act, todos, rest, app } = await start(t)
  const admin = await signIn(app, 'admin')
  await admin.send('POST', '/todo/index', { title: 'of another user' })
  await rest.send('POST', '/todo/index', { title: 'mine' })
  const before = await todos()
  for (const [fields, status, code] of [
    [{ action: 'add' }, 400, 'TODO-TITLE-REQUIRED'],
    [{ action: 'add', title: '' }, 400, 'TODO-TITLE-REQUIRED'],
    [{ action: 'add', title: ' \t ' }, 400, 'TODO-TITLE-REQUIRED'],
    [{ action: 'add', title: 'x'.repeat(256) }, 422, 'VALIDATION-FAILED'],
    [{ action: 'complete' }, 400, 'TODO-ID-REQUIRED'],
    [{ action: 'complete', id: '1' }, 404, 'TODO-NOT-FOUND'],
    [{ action: 'delete', id: '1' }, 404, 'TODO-NOT-FOUND'],
    [{ action: 'delete', id: '99' }, 404, 'TODO-NOT-FOUND'],
    [{ action: 'delete', id: '2 OR 1=1' }, 400, 'TODO-ID-REQUIRED'],
    [{ action: 'delete', id: '9'.repeat(30) }, 404, 'TODO-NOT-FOUND'],
    [{ action: 'rename', id: '2' }, 400, 'TODO-TITLE-REQUIRED'],
    [{ action: 'archive', id: '2' }, 422, 'VALIDATION-FAILED'],
    [{ id: '2' }, 422, 'VALIDATION-FAILED']
  ] as const) {
    const { statusCode, headers, body } = await act(fields)
    const name = JSON.stringify(fields).slice(0, 60)
    t.same([statusCode, headers['content-type']], [status, html], name)
    t.match(body, `<p class="code">${code}</p>`)
    t.match(body, `>${catalog[code].message}</p>`)
  }
  t.same(await todos(), before)
  t.equal((await admin.send('GET', '/todo/item/id_1')).statusCode, 200)
})

t.test('forms and JSON judge the same id alike (contract HTTP-4)', async (t) => {
  const { act, rest } = await start(t)
  const ids = ['1', '01', '0'.repeat(30), `${'0'.repeat(30)}1`, '9'.repeat(15), '1234567890123456']
  const most = String(Number.MAX_SAFE_INTEGER)
  ids.push(
    most,
    `${most}0`,
    '9'.repeat(400),
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '1.0',
    '1e0',
    '0x1',
    '١',
    'a'
  )
  for (const id of ids) {
    await rest.send('POST', '/todo/index', { title: 'x' })
    const json = await rest.send('PATCH', `/todo/item/id_${encodeURIComponent(id)}`, {
      is_completed: true
    })
    const form = await act({ action: 'complete', id })
    const code = json.json().Data.errorCode ?? ''
    t.equal(form.statusCode, json.statusCode === 200 ? 303 : json.statusCode, `${id}: ${code}`)
    if (code) t.match(form.body, `<p class="code">${code}</p>`)
  }
  const huge = await rest.send('GET', `/todo/item/id_${'9'.repeat(400)}`)
  t.equal(huge.json().Data.errorCode, 'TODO-NOT-FOUND')
})

t.test('a form without the token of its session changes nothing (contract CSRF-3)', async (t) => {
  const { app, browser, todos, rest, csrf_token } = await start(t)
  await rest.send('POST', '/todo/index', { title: 'mine' })
  const before = await todos()
  const stranger = await signIn(app, 'admin')
  const tokens: [name: string, token: Record<string, string>][] = [
    ['none', {}],
    ['an empty one', { csrf_token: '' }],
    ['a wrong one', { csrf_token: 'f'.repeat(64) }],
    ['one in capitals', { csrf_token: csrf_token.toUpperCase() }],
    ['part of it', { csrf_token: csrf_token.slice(0, -1) }],
    ['that of another user', { csrf_token: stranger.csrfToken }],
    ['that of another session of the user', { csrf_token: rest.csrfToken }],
    ['under another name', { csrf: csrf_token }]
  ]
  for (const [name, token] of tokens) {
    for (const fields of [
      { action: 'add', title: 'x' },
      { action: 'complete', id: '1' },
      { action: 'delete', id: '1' }
    ]) {
      const { statusCode, headers, body } = await browser.submit(url, { ...fields, ...token })
      t.same([statusCode, headers['content-type']], [403, html], name)
      t.match(body, '<h1>Form expired</h1>')
      t.match(body, '<p class="code">CSRF-TOKEN-INVALID</p>')
    }
  }
  const send = (fields: string, headers = {}) =>
    browser.send(
      'POST',
      url,
      { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      fields
    )
  const twice = `csrf_token=${csrf_token}&csrf_token=${csrf_token}&action=delete&id=1`
  t.equal((await send(twice)).statusCode, 403, 'two tokens')
  const inHeader = await send('action=delete&id=1', { 'x-csrf-token': csrf_token })
  t.equal(inHeader.statusCode, 403, 'the header is for REST')
  const inQuery = await browser.submit(`${url}?csrf_token=${csrf_token}`, {
    action: 'delete',
    id: '1'
  })
  t.equal(inQuery.statusCode, 403, 'the query is not the form')
  t.same(await todos(), before)
})

t.test('SVC_CSRF_FIELD names the field on both sides (contract CSRF-3)', async (t) => {
  const { app } = await startService(t, { SVC_CSRF_FIELD: '_proof' })
  const browser = openBrowser(app)
  await browser.signIn()
  for (const page of [url, '/logout/index']) {
    const { _proof, csrf_token } = await browser.hiddenFields(page)
    t.match(_proof, /^[0-9a-f]{64}$/)
    t.equal(csrf_token, undefined)
    const old = await browser.submit(page, { csrf_token: _proof ?? '', action: 'add', title: 'x' })
    t.equal(old.statusCode, 403)
    const right = await browser.submit(page, { _proof: _proof ?? '', action: 'add', title: 'x' })
    t.equal(right.statusCode, 303)
  }
})

t.test('SVC_CSRF_FIELD can be no field of a form (contract CSRF-3)', async (t) => {
  const { app } = await startService(t)
  const folder = new URL('../../../', import.meta.url)
  for (const name of globSync('{plugins,routes}/**/*.eta', { cwd: folder })) {
    const view = readFileSync(new URL(name, folder), 'utf8')
    for (const [form] of view.matchAll(/<form [^>]*method="post".*?<\/form>/gs)) {
      // A form of the OAuth library has a token of its own.
      if (form.includes('name="xsrf"')) continue
      for (const [, field = ''] of form.matchAll(/ name="(\w+)"/g)) {
        t.ok(app.formFields.has(field), `${name}: ${field}`)
      }
    }
  }
  const message = /^SVC_CSRF_FIELD must [^;\n]+$/
  await t.rejects(startService(t, { SVC_CSRF_FIELD: 'title' }), { message })
})

t.test('nothing but a POST writes (contract SERVICE-3)', async (t) => {
  const { app, browser, todos, rest, csrf_token } = await start(t)
  await rest.send('POST', '/todo/index', { title: 'mine' })
  const before = await todos()
  for (const fields of [
    { action: 'add', title: 'x' },
    { action: 'complete', id: '1' },
    { action: 'delete', id: '1' }
  ]) {
    const form = { csrf_token, ...fields }
    for (const path of [url, '/logout/index', '/login/index', '/']) {
      const query = `${path}?${new URLSearchParams(form)}`
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await browser.submit(query, form, {}, method)
        t.equal(response.statusCode, path === '/login/index' ? 302 : 200, `${method} ${path}`)
        t.notMatch(response.headers['set-cookie'], 'PHPSESSID')
      }
      const headers = { 'x-http-method-override': 'POST' }
      await browser.submit(query, { ...form, _method: 'POST' }, headers, 'PUT')
    }
  }
  t.same(await todos(), before)
  t.equal((await browser.get(url)).statusCode, 200, 'still logged in')

  const visitor = openBrowser(app)
  const login = new URLSearchParams({ user_id: 'demo', user_pass: 'demo' })
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const fields = Object.fromEntries(login)
    const response = await visitor.submit(`/login/index?${login}`, fields, {}, method)
    t.same([response.statusCode, response.headers['set-cookie']], [200, undefined], method)
  }
})

t.test('a form that is sent twice adds one todo', async (t) => {
  const { browser, todos } = await start(t)
  const titles = async () => (await todos()).map(({ title }) => title)
  const form = { ...(await browser.hiddenFields()), action: 'add', title: 'once' }
  const both = await Promise.all([browser.submit(url, form), browser.submit(url, form)])
  for (const response of both) t.same([response.statusCode, response.headers.location], [303, url])
  await browser.submit(url, form)
  t.same(await titles(), ['once'])
  await browser.submit(url, { ...form, title: 'an old page, a new title' })
  t.same(await titles(), ['an old page, a new title', 'once'], 'nothing typed is lost')
  await browser.submit(url, { ...(await browser.hiddenFields()), action: 'add', title: 'once' })
  t.equal((await titles()).length, 3, 'a new form may say the same')
})

t.test('a link leads to older todos', async (t) => {
  const { browser, act } = await start(t)
  for (let i = 1; i <= 101; i++) await act({ action: 'add', title: `todo ${i}` })
  t.equal((await browser.titles()).length, 100)
  const [, older = ''] =
    /href="(\/board\/index\?cursor=\d+)"/.exec((await browser.get(url)).body) ?? []
  const { body } = await browser.get(older)
  t.match(body, '<span dir="auto">todo 1</span>')
  t.notMatch(body, 'Older')
  t.equal((await browser.get(`${url}?cursor=x`)).statusCode, 422)
})

t.test('everybody sees their own board', async (t) => {
  const { app, act } = await start(t)
  await act({ action: 'add', title: 'mine' })
  const other = openBrowser(app)
  await other.signIn('admin')
  t.same(await other.titles(), [])
  t.match((await other.get(url)).body, 'Nothing to do.')
})
