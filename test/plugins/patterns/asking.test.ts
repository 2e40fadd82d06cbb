import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { letIn, oauthProgram } from '../../support/oauth.ts'
import { openBrowser } from '../../support/visitor.ts'

/** A service whose changes are not recorded: there are no plans, so nobody could approve one. */
const start = async (t: Parameters<typeof startService>[0]) =>
  (await startService(t, { SVC_ACTIVITY_DAYS: '0' })).app

t.test('without the record, no token that asks is made (contract TOKEN-4)', async (t) => {
  const app = await start(t)
  const { send } = await signIn(app)
  const create = (more: object) =>
    send('POST', '/accesstoken/index', { name: 'x', scopes: ['todo:write'], ...more })
  const refused = await create({ asks: true })
  t.equal(outcome(refused), '422 VALIDATION-FAILED')
  t.match(refused.json().Data.details, [
    { in: 'body', field: 'asks', message: /^must be false: .*not recorded/ }
  ])
  t.equal(outcome(await create({ asks: false })), '200 success')
  const made = (await create({})).json().Data

  const derive = (token: string, more = {}) =>
    app.inject({
      ...{ method: 'POST', url: '/accesstoken/derive' },
      headers: { authorization: `Bearer ${token}` },
      payload: { name: 'x', scopes: ['todo:write'], expires_in_minutes: 5, ...more }
    })
  t.equal(outcome(await derive(made.token, { asks: true })), '422 VALIDATION-FAILED')
  t.equal(outcome(await derive(made.token)), '200 success')
  const earlier = await makeAccessToken(app, { asks: true })
  t.match((await derive(earlier.token)).json().Data, { access_token: { asks: true } })
  t.match((await app.inject('/llms.txt')).body, /"expires_in_minutes"\}/, 'nor is it offered')
})

t.test('without the record, the pages offer no credential that asks', async (t) => {
  const app = await start(t)
  const url = '/account/tokens'
  const browser = openBrowser(app)
  await browser.signIn()
  t.notMatch((await browser.get(url)).body, 'Ask me')
  const hidden = await browser.hiddenFields(url)
  const fields = { ...hidden, action: 'maketoken', name: 'x', scopes: 'todo:read' }
  const refused = await browser.submit(url, { ...fields, asks: 'true' })
  t.equal(refused.statusCode, 422)
  t.notMatch(refused.body, /gth_/)

  const program = oauthProgram(app)
  const client_id = await program.registered()
  const asking = await letIn(app, client_id, { asks: true })
  t.notMatch(asking.page.body, 'Ask me')
  t.equal(asking.to, null, 'what was not offered is not given otherwise either')
  t.not((await letIn(app, client_id)).code, '')
})
