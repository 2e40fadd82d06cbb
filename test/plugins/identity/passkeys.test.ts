import { registerHooks } from 'node:module'
import t from 'tap'
import { restart, signIn, startService } from '../../support/helper.ts'
import { addPasskey, makeAuthenticator, useKey } from '../../support/passkey.ts'
import { openBrowser } from '../../support/visitor.ts'

/** What the service asks for while it runs. */
const asked: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    asked.push(specifier)
    return next(specifier, context)
  }
})
const library = '@simplewebauthn/server'

const service = await startService(t)
const { app } = service

t.test('the library is not loaded before an authenticator has answered', async (t) => {
  await restart(service)
  asked.length = 0
  const browser = openBrowser(app)
  await browser.get('/login/index')
  await browser.signIn()
  await browser.get('/account/signin')
  const demo = await signIn(app)
  const { options } = (await demo.send('POST', '/account/passkeyoptions')).json().Data
  t.equal((await useKey(app, makeAuthenticator(app), { userHandle: 'AAAA' })).statusCode, 401)
  t.notOk(asked.includes(library))
  const credential = makeAuthenticator(app).create(options)
  const made = await demo.send('POST', '/account/passkey', { name: 'my phone', credential })
  t.equal(made.statusCode, 200)
  t.ok(asked.includes(library))
})

t.test('the login page has nothing of passkeys while nobody has one', async (t) => {
  await restart(service)
  const page = async () => (await openBrowser(app).get('/login/index')).body
  t.notMatch(await page(), 'passkey')
  const demo = await signIn(app)
  const { passkey } = await addPasskey(app, demo)
  t.match(await page(), 'passkey.js')
  await demo.send('DELETE', `/account/passkey/id_${passkey.id}`)
  t.notMatch(await page(), 'passkey')
})
