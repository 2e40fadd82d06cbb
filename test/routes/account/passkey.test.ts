import t from 'tap'
import { newcomer, outcome, restart, signIn, startService } from '../../support/helper.ts'
import { addPasskey, makeAuthenticator, useKey } from '../../support/passkey.ts'

const done = '200 success'
const invalid = '422 VALIDATION-FAILED'
const conflict = '409 CONFLICT'

const shared = await startService(t)
const { app, clock, sql } = shared

/** A fresh service, and demo's browser. */
async function freshDemo() {
  await restart(shared)
  const demo = await signIn(app)
  return {
    ...demo,
    begin: async (body?: object) => await demo.send('POST', '/account/passkeyoptions', body),
    options: async () => (await demo.send('POST', '/account/passkeyoptions')).json().Data.options,
    add: (credential: object, name = 'my phone') =>
      demo.send('POST', '/account/passkey', { name, credential }),
    list: async () => (await demo.send('GET', '/account/passkeys')).json().Data.passkeys
  }
}

const events = async () =>
  (await sql(`SELECT event, detail FROM audit_events WHERE event LIKE 'passkey%' ORDER BY id`)).map(
    ({ event, detail }) => `${event} ${detail}`
  )

t.test('made, listed, removed; each is in the audit trail (contract PASSKEY-1)', async (t) => {
  const demo = await freshDemo()
  const options = await demo.options()
  t.match(options, {
    rp: { id: 'localhost', name: 'Gatehouse' },
    user: { name: 'demo', displayName: 'Demo' },
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' }
  })
  const first = makeAuthenticator(app)
  const added = await demo.add(first.create(options))
  t.equal(outcome(added), done)
  const { passkey } = added.json().Data
  t.match(passkey, { name: 'my phone', created_at: '2026-11-21T09:30:00.000Z', last_used_at: null })
  const second = await addPasskey(app, demo, 'my key')
  t.same(
    (await demo.list()).map(({ name }: { name: string }) => name),
    ['my key', 'my phone']
  )
  const later = await demo.options()
  t.equal(later.user.id, options.user.id, 'the same for all passkeys of the user')
  t.same(
    later.excludeCredentials.map(({ id }: { id: string }) => id).sort(),
    [first.id, second.id].sort()
  )
  const path = `/account/passkey/id_${passkey.id}`
  t.equal(outcome(await demo.send('DELETE', path)), done)
  t.equal(outcome(await demo.send('DELETE', path)), '404 PASSKEY-NOT-FOUND')
  t.equal(outcome(await useKey(app, first)), '401 LOGIN-FAILED')
  t.equal(outcome(await useKey(app, second)), done)
  t.same(await events(), [
    'passkey-created my phone',
    'passkey-created my key',
    'passkey-removed my phone'
  ])
})

t.test('a session that is older than 15 minutes shows the password first', async (t) => {
  const demo = await freshDemo()
  t.equal(outcome(await demo.begin({ user_pass: 'wrong' })), '401 LOGIN-FAILED', 'as any session')
  clock.now += 15 * 60_000 + 1
  t.equal(outcome(await demo.begin()), invalid)
  t.equal(outcome(await demo.begin({ user_pass: 'wrong' })), '401 LOGIN-FAILED')
  t.equal(outcome(await demo.begin({ user_pass: 'demo' })), done)
})

t.test('a passkey that does not answer a challenge of the session is refused', async (t) => {
  const demo = await freshDemo()
  const options = await demo.options()
  const anna = await newcomer(app, 'anna')
  const others = (await anna.send('POST', '/account/passkeyoptions')).json().Data.options
  const { create } = makeAuthenticator(app)
  const right = create(options)
  const changed = (response: Partial<typeof right.response>) => ({
    ...right,
    response: { ...right.response, ...response }
  })
  const wrong = {
    'another origin': create(options, { origin: 'https://localhost:3000' }),
    'another RP ID': create(options, { rpId: 'example.com' }),
    'the user not verified': create(options, { isVerified: false }),
    'an answer of another kind': create(options, { type: 'webauthn.get' }),
    'the challenge of another session': create(others),
    'a challenge of its own': create(options, { challenge: 'A'.repeat(75) }),
    'no CBOR': changed({ attestationObject: 'AAAA' }),
    'CBOR of many levels': changed({
      attestationObject: Buffer.alloc(9000, 0x81).toString('base64url')
    }),
    'CBOR that promises much': changed({
      attestationObject: Buffer.from('9bffffffffffffffff', 'hex').toString('base64url')
    }),
    'a length that is not there': changed({
      attestationObject: Buffer.from('5affffffff', 'hex').toString('base64url')
    }),
    'no JSON': changed({ clientDataJSON: 'AAAA' }),
    'two ids': { ...right, rawId: 'AAAA' },
    'no bytes': { ...right, id: '+' }
  }
  for (const [name, credential] of Object.entries(wrong)) {
    t.equal(outcome(await demo.add(credential)), invalid, name)
  }
  t.equal(outcome(await demo.add(right, ' ')), invalid, 'a name that is empty')
  t.same(await demo.list(), [])
  clock.now += 300_000
  t.equal(outcome(await demo.add(right)), invalid, 'five minutes old')
  clock.now -= 1
  t.equal(outcome(await demo.add(right)), done)
  const again = makeAuthenticator(app).create(options)
  t.equal(outcome(await demo.add(again)), invalid, 'a challenge twice')
})

t.test('a credential belongs to one user', async (t) => {
  const demo = await freshDemo()
  const options = await demo.options()
  const key = makeAuthenticator(app)
  await demo.add(key.create(options))
  const anna = await newcomer(app, 'anna')
  const others = (await anna.send('POST', '/account/passkeyoptions')).json().Data.options
  const credential = key.create(others)
  const taken = await anna.send('POST', '/account/passkey', { name: 'mine', credential })
  t.equal(outcome(taken), conflict)
  t.match(taken.json().Data, { reason: 'taken', taken: 'credential' })
  const [{ id }] = await demo.list()
  t.equal(outcome(await anna.send('DELETE', `/account/passkey/id_${id}`)), '404 PASSKEY-NOT-FOUND')
})

t.test('at most 20, also at once', async (t) => {
  const demo = await freshDemo()
  for (let i = 0; i < 18; i++) await addPasskey(app, demo)
  const answers = await Promise.all(
    [1, 2, 3, 4].map(async () => demo.add(makeAuthenticator(app).create(await demo.options())))
  )
  t.same(answers.map(outcome).sort(), [done, done, conflict, conflict])
  t.equal((await demo.list()).length, 20)
  t.match((await demo.begin()).json().Data, { errorCode: 'CONFLICT', reason: 'quota' })
})

t.test('only a session with its CSRF token makes and removes', async (t) => {
  const demo = await freshDemo()
  const { passkey } = await addPasskey(app, demo)
  const headers = { cookie: demo.cookie }
  for (const [method, url] of [
    ['POST', '/account/passkeyoptions'],
    ['POST', '/account/passkey'],
    ['DELETE', `/account/passkey/id_${passkey.id}`]
  ] as const) {
    t.equal(outcome(await app.inject({ method, url, headers })), '403 CSRF-TOKEN-INVALID', url)
    t.equal(outcome(await app.inject({ method, url })), '401 SESSION-CLOSED', url)
  }
})

t.test('a session that ends meanwhile adds nothing', async (t) => {
  const demo = await freshDemo()
  const credential = makeAuthenticator(app).create(await demo.options())
  await (await signIn(app)).send('POST', '/session/endothers')
  t.equal(outcome(await demo.add(credential)), '401 SESSION-CLOSED')
  t.same(await sql('SELECT * FROM passkeys'), [])
})
