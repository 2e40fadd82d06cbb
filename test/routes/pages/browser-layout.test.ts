import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { App } from '../../../app.ts'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { samples, upload } from '../../support/form.ts'
import { addUser, signIn } from '../../support/helper.ts'
import { makePkce, oauthProgram } from '../../support/oauth.ts'

const layout = readFileSync(new URL('../../support/layout.js', import.meta.url), 'utf8')

/** 600: 1200 at 200 %. */
const widths = [320, 390, 600, 768, 1200, 1600]
const long = 'x'.repeat(200)
const name = 'N'.repeat(60)

/** What is hard to show: long words, right to left, long names, many rows. */
async function fill(app: App, user_id: string) {
  const user = await signIn(app, user_id)
  const send = (url: string, body: object) => user.send('POST', url, body)
  const texts = ['Buy milk', long, 'שלום עולם, קנה חלב בבקשה', 'words '.repeat(40).trim()]
  for (const text of texts) await send('/memo/index', { body: text })
  const items = Array.from({ length: 50 }, (_, n) => ({ title: texts[n] ?? `Todo ${n}` }))
  await send('/todo/batch', { items })
  await upload(app, user, samples.png, `${'n'.repeat(180)}.png`)
  await send('/accesstoken/index', { name, scopes: ['todo:read', 'attachment:write'] })
  const steps = texts.map((body) => ({ operation: 'createMemo', arguments: { body } }))
  await send('/plan/index', { purpose: texts.join('\n'), steps })
  const url = `http://127.0.0.1:8080/${'h'.repeat(180)}`
  await send('/subscription/index', { url, kinds: ['todo'], description: long })
  return send
}

t.test('nothing is squeezed, overlaps, or scrolls sideways', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL } = await listen(t, {
    SVC_WEBHOOK_PRIVATE: '1',
    SVC_SIGN_UP: 'open'
  })
  const send = await fill(app, 'admin')
  await send('/admin/featureflag/index', { flag_name: 'f'.repeat(120), is_enabled: false })
  await send('/admin/user/index', { user_id: name, user_name: name, e_mail: `${name}@example.com` })
  const program = oauthProgram(app)
  const { client_id } = (await program.register({ client_name: name })).json()
  const scope = 'todo:read todo:write memo:write attachment:read attachment:write'
  const consent = program.authorizeUrl(client_id, makePkce().challenge, { scope })

  async function check(t: Test, paths: string[], isSignedIn: boolean) {
    const { page } = await openWindow(t, { baseURL })
    if (isSignedIn) await signInWith(page, 'admin')
    for (const path of paths) {
      await page.goto(path)
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        t.same(await page.evaluate(layout), [], `${path.slice(0, 40)} at ${width} px`)
      }
    }
  }

  const open = ['/', '/login/index', '/password-reset', '/password-reset/x', '/no/such']
  open.push('/signup/index', '/signup/sent', '/signup/confirm/token_x')
  await t.test('signed out', (t) => check(t, open, false))
  const own = [
    ...[
      '/',
      '/board/index',
      '/memo/board',
      '/attachment/board',
      '/activity/board',
      '/plan/board',
      '/logout/index',
      '/oauth/device'
    ],
    ...['profile', 'signin', 'sessions', 'tokens', 'programs', 'webhooks'].map(
      (name) => `/account/${name}`
    )
  ]
  const desk = ['hour', 'users', 'flags', 'programs', 'webhooks', 'rows', 'audit'].map(
    (name) => `/admin/${name}`
  )
  await t.test('signed in', (t) => check(t, [...own, ...desk, consent], true))
})

const pages = [
  ...['/', '/board/index', '/memo/board', '/attachment/board', '/activity/board', '/plan/board'],
  ...['/logout/index', '/oauth/device'],
  ...['profile', 'signin', 'sessions', 'tokens', 'programs', 'webhooks'].map(
    (name) => `/account/${name}`
  ),
  ...['hour', 'users', 'flags', 'programs', 'webhooks', 'audit'].map((name) => `/admin/${name}`),
  ...['todo', 'memo', 'attachment'].map((kind) => `/admin/rows?kind=${kind}`)
]

t.test(
  'no page scrolls sideways at 320 px, however long its names are',
  { skip: noBrowser },
  async (t) => {
    const { app, address: baseURL } = await listen(t, { SVC_WEBHOOK_PRIVATE: '1' })
    const login = 'L'.repeat(64)
    await addUser(app, login, { role: 'admin' })
    const run = 'r'.repeat(64)
    const token = 'T'.repeat(64)
    const user = await signIn(app, login)
    const send = async (
      method: 'POST' | 'PATCH' | 'DELETE' | 'PUT',
      url: string,
      body?: object
    ) => {
      const answer = await user.send(method, url, body)
      t.ok(answer.statusCode < 400, `${method} ${url}: ${answer.body.slice(0, 300)}`)
      return answer.json().Data
    }
    await upload(app, user, samples.png, `${'n'.repeat(200)}.png`)
    const scopes = ['todo:read', 'todo:write', 'memo:read', 'memo:write']
    const made = await send('POST', '/accesstoken/index', { name: token, scopes })
    const bearer = { authorization: `Bearer ${made.token}`, 'x-run-id': run }
    const asProgram = async (url: string, payload: object) =>
      (await app.inject({ method: 'POST', url, headers: bearer, payload })).json().Data
    const { todo } = await asProgram('/todo/index', { title: long })
    await asProgram('/memo/index', { body: 'm'.repeat(2000) })
    const purpose = 'p'.repeat(500)
    const steps = [
      { operation: 'createTodo', arguments: { title: long } },
      { operation: 'createMemo', arguments: { body: 'b'.repeat(500) } },
      { operation: 'deleteTodo', arguments: { id: todo.id } }
    ]
    const [first, second, third] = [
      (await asProgram('/plan/index', { purpose, run, steps: steps.slice(0, 2) })).plan.id,
      (await asProgram('/plan/index', { purpose, run, steps: steps.slice(0, 1) })).plan.id,
      (await asProgram('/plan/index', { purpose, steps })).plan.id
    ]
    await send('POST', `/plan/apply/id_${first}`)
    await send('POST', `/plan/refuse/id_${second}`, { reason: 'x'.repeat(500) })
    await send('PATCH', `/todo/item/id_${todo.id}`, { title: 'y'.repeat(200) })
    const url = `http://127.0.0.1:8080/${'h'.repeat(1900)}`
    await send('POST', '/subscription/index', {
      url,
      kinds: ['todo'],
      description: 'd'.repeat(255)
    })
    const flag_name = 'f'.repeat(128)
    await send('POST', '/admin/featureflag/index', { flag_name, is_enabled: false })
    const { page } = await openWindow(t, { baseURL })
    await signInWith(page, login)

    /** What stands on top of the page hides some of it. */
    async function check(name: string, isCovered = false) {
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 900 })
        const found = (await page.evaluate(layout)) as string[]
        const wrong = isCovered ? found.filter((one) => !one.includes(' overlaps ')) : found
        t.same(wrong, [], `${name} at ${width} px`)
      }
    }
    const more = [
      ...[`/activity/board?run=${run}`, `/plan/board?plan=${third}`, `/plan/board?plan=${first}`],
      ...['/admin/rows?kind=todo&edit=1#edit', `/admin/rows?kind=todo&user_id=${'U'.repeat(255)}`],
      `/board/index?done=complete&undo=1`
    ]
    for (const path of [...pages, ...more]) {
      await page.goto(path)
      await check(path.slice(0, 40))
    }
    for (const [path, button] of [
      ['/board/index', 'Delete'],
      ['/attachment/board', 'Link for others'],
      ['/activity/board', 'Undo all'],
      ['/account/tokens', 'Revoke'],
      ['/admin/users', 'Lock'],
      ['/plan/board', 'Apply']
    ] as const) {
      await page.goto(path)
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      await page.getByRole('button', { name: button }).first().click()
      await page.locator('.told, dialog, .once').first().waitFor()
      await check(`${path}, ${button}`, true)
    }
  }
)
