import t from 'tap'
import { restart, startService } from '../../support/helper.ts'
import { goRound, openJar, secret, startProvider } from '../../support/provider.ts'

const provider = await startProvider(t)
const shared = await startService(t, provider.env)
const { app, sql, log } = shared

async function fresh() {
  provider.reset()
  await restart(shared)
  return openJar(app)
}
const identities = () => sql('SELECT user_id, issuer, sub FROM identities ORDER BY id')
const events = async () =>
  sql("SELECT event, via, subject, detail FROM audit_events WHERE event <> 'logout' ORDER BY id")

t.test(
  'an account that nobody has linked asks the user with its address for the password, once',
  async (t) => {
    const browser = await fresh()
    const answer = await goRound(provider, browser)
    t.same([answer.statusCode, answer.headers.location], [302, '/login/confirm'], answer.body)
    t.same(await identities(), [], 'nothing is linked yet')
    const page = await browser.send('/login/confirm')
    t.match(page.body, /demo@example\.com/)
    t.match(page.body, /Acme/)
    const wrong = await browser.send('/login/confirm', { user_pass: 'guess' })
    t.equal(wrong.statusCode, 401)
    t.match(wrong.body, /not the password/)
    const entered = await browser.send('/login/confirm', { user_pass: 'demo' })
    t.same([entered.statusCode, entered.headers.location], [303, '/board/index'], entered.body)
    t.same(await identities(), [{ user_id: 2, issuer: `${provider.issuer}/`, sub: 'u1' }])
    t.same(await events(), [
      { event: 'login-failed', via: 'password', subject: 'demo', detail: null },
      { event: 'identity-linked', via: 'provider', subject: 'demo', detail: 'Acme' },
      { event: 'login', via: 'provider', subject: 'demo', detail: null }
    ])
    const again = openJar(app)
    const known = await goRound(provider, again)
    t.same([known.statusCode, known.headers.location], [303, '/board/index'])
    t.equal((await again.send('/board/index')).statusCode, 200)
    const sessions = await again.send('/account/sessions')
    t.match(sessions.body, /with another service/)
    t.notMatch(log.join(''), secret)
  }
)
