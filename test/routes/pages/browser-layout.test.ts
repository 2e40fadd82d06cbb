import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { App } from '../../../app.ts'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { samples, upload } from '../../support/form.ts'
import { signIn } from '../../support/helper.ts'
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
