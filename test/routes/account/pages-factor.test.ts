import t from 'tap'
import { type Service, signIn, startService } from '../../support/helper.ts'
import { codeAt, step, withSecondFactor } from '../../support/second-factor.ts'
import { spokenOf } from '../../support/spoken.ts'
import { chrome } from '../../support/visitor.ts'

const url = '/account/signin'

/** The page of a signed-in browser, and its forms. */
function pageOf({ app }: Pick<Service, 'app'>, browser: { cookie: string; csrfToken: string }) {
  const headers = { accept: chrome, cookie: browser.cookie }
  return {
    get: () => app.inject({ url, headers }),
    submit: (fields: Record<string, string> | [string, string][], token = browser.csrfToken) =>
      app.inject({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: `${new URLSearchParams(fields)}&csrf_token=${token}`
      })
  }
}

t.test('forms without their token, or with that of another session, do nothing', async (t) => {
  const service = await startService(t)
  const [demo, admin] = [await signIn(service.app), await signIn(service.app, 'admin')]
  const page = pageOf(service, demo)
  for (const action of ['beginfactor', 'confirmfactor', 'endfactor']) {
    for (const token of ['', admin.csrfToken, 'x']) {
      const answer = await page.submit({ action, code: '123456' }, token)
      t.equal(answer.statusCode, 403, action)
      t.match(answer.body, 'Form expired')
    }
  }
  t.same(await service.sql('SELECT * FROM second_factors'), [])
})

t.test('the secret and the codes are shown once', async (t) => {
  const service = await startService(t)
  const page = pageOf(service, await signIn(service.app))
  const begun = await page.submit({ action: 'beginfactor' })
  t.equal(begun.statusCode, 200)
  const shown = begun.body
  const [, otpauth = ''] = /href="otpauth:[^"]*secret=([A-Z2-7]{32})/.exec(shown) ?? []
  t.match(shown, '<svg class="qr" role="img" aria-label="QR code for the app"')
  const asked = (await page.get()).body
  t.match(asked, 'value="confirmfactor"')
  t.notMatch(asked, /secret=|class="secret"/, 'whoever has stolen the session does not see it')
  t.notMatch(asked, /\bundefined\b/)
  const code = codeAt(otpauth, service.clock.now)
  const confirmed = await page.submit({ action: 'confirmfactor', code })
  t.equal(confirmed.statusCode, 200)
  t.equal([...confirmed.body.matchAll(/<li><code>/g)].length, 10)
  t.equal(confirmed.headers['cache-control'], 'no-store')
  t.equal((await page.submit({ action: 'confirmfactor', code })).statusCode, 409, 'sent again')
  const after = (await page.get()).body
  t.notMatch(after, otpauth)
  t.notMatch(after, '<li><code>')
})

t.test(
  'wrong passwords count where a factor begins, also with the id of a form (contract LOCK-1)',
  async (t) => {
    const service = await startService(t)
    const page = pageOf(service, await signIn(service.app))
    service.clock.now += 16 * 60_000
    const guess = (n: number) =>
      page.submit({
        action: 'beginfactor',
        user_pass: `wrong ${n}`,
        form_id: `form-${n}-0123456789`
      })
    const answers = []
    for (let n = 0; n < 6; n++) answers.push((await guess(n)).statusCode)
    t.same(answers.slice(0, 5), [401, 401, 401, 401, 401])
    t.not(answers[5], 401, 'the sixth is not judged')
    const failed = await service.sql("SELECT event FROM audit_events WHERE event = 'login-failed'")
    t.equal(failed.length, 5)
  }
)

t.test('switching off on the page: wrong passwords and codes count for the lock', async (t) => {
  const service = await startService(t)
  const { app, clock } = service
  const demo = await withSecondFactor(app, clock.now)
  clock.now += step
  const page = pageOf(service, demo.browser)
  const end = (user_pass: string, code: string) =>
    page.submit({ action: 'endfactor', user_pass, code })
  for (let n = 0; n < 4; n++) {
    const { statusCode, body } = await end('demo', '000000')
    t.equal(statusCode, 401)
    t.same(spokenOf(body, 'LOGIN-FAILED'), ['This code is wrong or was already used.'])
    t.match(body, 'id="endfactor-code-problem"')
  }
  const { statusCode, body } = await end('wrong', codeAt(demo.secret, clock.now))
  t.equal(statusCode, 401)
  t.same(spokenOf(body, 'LOGIN-FAILED'), ['This is not your password.'])
  t.match(body, 'id="endfactor-user_pass-problem"')
  const locked = await end('demo', codeAt(demo.secret, clock.now))
  t.equal(locked.statusCode, 423)
  t.match(locked.body, 'ACCOUNT-LOCKED')
})
