import t from 'tap'
import { newcomer, outcome, restart, signIn, startService } from '../../support/helper.ts'
import { addPasskey, beginSignIn, useKey } from '../../support/passkey.ts'
import { withSecondFactor } from '../../support/second-factor.ts'

const bytes = (text: string) => Buffer.from(text).toString('base64url')
const done = '200 success'
const failed = '401 LOGIN-FAILED'
const locked = '423 ACCOUNT-LOCKED'

const shared = await startService(t)
const { app, clock, sql } = shared

/** A fresh service whose demo has a passkey. */
async function withPasskey() {
  await restart(shared)
  return addPasskey(app, await signIn(app))
}

const events = async (like = '%') =>
  sql(`SELECT event, user_id, via, detail FROM audit_events WHERE event LIKE '${like}' ORDER BY id`)

t.test('a passkey signs in, as a login does (contract PASSKEY-2)', async (t) => {
  const key = await withPasskey()
  const { begun, options, send } = await beginSignIn(app)
  t.match(
    begun.headers['set-cookie'],
    /^passkey=[\w-]{43}; Max-Age=300; Path=\/session; HttpOnly; SameSite=Strict$/
  )
  t.same(
    { ...options, challenge: '' },
    { challenge: '', rpId: 'localhost', timeout: 300_000, userVerification: 'required' }
  )
  const answer = await send(key.get(options))
  t.equal(outcome(answer), done)
  const { csrfToken, user } = answer.json().Data
  t.equal(user.user_id, 'demo')
  t.equal(
    answer.cookies.filter(({ name }) => name === 'PHPSESSID').length,
    2,
    'the old and the new id'
  )
  const headers = { cookie: `PHPSESSID=${answer.cookies.at(-1)?.value}`, 'x-csrf-token': csrfToken }
  const sessions = (await app.inject({ url: '/session/index', headers })).json().Data.sessions
  t.same(
    sessions.map(({ via }: { via: string }) => via),
    ['passkey', 'password']
  )
  t.match((await events('login')).at(-1), { event: 'login', user_id: 2, via: 'passkey' })
  const { passkeys } = (await app.inject({ url: '/account/passkeys', headers })).json().Data
  t.match(passkeys, [{ name: 'my phone', last_used_at: '2026-11-21T09:30:00.000Z' }])
})

t.test('no second factor is asked for besides', async (t) => {
  await restart(shared)
  const { browser } = await withSecondFactor(app, clock.now)
  const key = await addPasskey(app, browser)
  t.equal(outcome(await useKey(app, key)), done)
})

t.test('a challenge is good once, also at once', async (t) => {
  const key = await withPasskey()
  const { options, send } = await beginSignIn(app)
  const answers = await Promise.all([send(key.get(options)), send(key.get(options))])
  t.same(answers.map(outcome).sort(), [done, failed])
  t.equal(outcome(await send(key.get(options))), failed)
  t.equal((await sql('SELECT * FROM used_passkey_challenges')).length, 2)
  await startService(t, shared.place, undefined, clock.now + 599_999)
  t.equal((await sql('SELECT * FROM used_passkey_challenges')).length, 2)
  await startService(t, shared.place, undefined, clock.now + 600_000)
  t.same(
    await sql('SELECT * FROM used_passkey_challenges'),
    [],
    'the sweep forgets those that have expired'
  )
})

t.test('a challenge is good for five minutes', async (t) => {
  const key = await withPasskey()
  for (const [age, expected] of [
    [299_999, done],
    [300_000, failed]
  ] as const) {
    const { options, send } = await beginSignIn(app)
    clock.now += age
    t.equal(outcome(await send(key.get(options))), expected, `${age} ms old`)
  }
})

t.test('a challenge is good in the browser that got it, in each of its tabs', async (t) => {
  const key = await withPasskey()
  const [mine, other] = [await beginSignIn(app), await beginSignIn(app)]
  t.equal(outcome(await other.send(key.get(mine.options))), failed, 'of another browser')
  t.equal(
    outcome(await mine.send(key.get(mine.options), { headers: { cookie: '' } })),
    failed,
    'of none'
  )
  const second = await app.inject({
    method: 'POST',
    url: '/session/passkeyoptions',
    headers: { cookie: mine.cookie }
  })
  t.equal(second.cookies[0]?.value, mine.cookie.slice('passkey='.length))
  t.equal(outcome(await mine.send(key.get(mine.options))), done)
  t.equal(outcome(await mine.send(key.get(second.json().Data.options))), done)
})

t.test('a challenge of one process is good in the others, and used up there', async (t) => {
  const key = await withPasskey()
  const other = await startService(t, shared.place, undefined, clock.now)
  const { options, send } = await beginSignIn(app)
  t.equal(outcome(await send(key.get(options), { as: other.app })), done)
  t.equal(outcome(await send(key.get(options))), failed)
})

t.test('what is not right is refused, in one way, and recorded', async (t) => {
  const key = await withPasskey()
  const anna = await addPasskey(app, await newcomer(app, 'anna'))
  const { options, send } = await beginSignIn(app)
  const own = (await (await signIn(app)).send('POST', '/account/passkeyoptions')).json().Data
    .options
  const right = key.get(options)
  const changed = (response: Partial<typeof right.response>) => ({
    ...right,
    response: { ...right.response, ...response }
  })
  const wrong = {
    'another origin': key.get(options, { origin: 'http://localhost.example' }),
    'another port': key.get(options, { origin: 'http://localhost:1' }),
    'another RP ID': key.get(options, { rpId: 'example.com' }),
    'the user not verified': key.get(options, { isVerified: false }),
    'an answer of another kind': key.get(options, { type: 'webauthn.create' }),
    'a challenge of its own': key.get(options, { challenge: 'AAAA' }),
    'no challenge': key.get(options, { challenge: '' }),
    'a challenge for making one': key.get(options, { challenge: own.challenge }),
    'a credential of another user': changed({ userHandle: anna.get(options).response.userHandle }),
    'a signature of another key': changed({ signature: anna.get(options).response.signature }),
    'no signature': changed({ signature: 'AAAA' }),
    'no JSON': changed({ clientDataJSON: 'AAAA' }),
    'a challenge that is a number': key.get(options, { challenge: 5 as never }),
    'a challenge that is a list': key.get(options, { challenge: [options.challenge] as never }),
    'the challenge in another spelling': key.get(options, { challenge: `${options.challenge}=` }),
    'null for an answer': changed({ clientDataJSON: bytes('null') }),
    'an answer of many levels': changed({ clientDataJSON: bytes('['.repeat(8000)) }),
    'a user that is none': changed({ userHandle: 'AAAA' }),
    'data that is cut': changed({ authenticatorData: 'AAAA' }),
    'an unknown credential': { ...right, id: 'AAAA', rawId: 'AAAA' },
    'two ids': { ...right, rawId: 'AAAA' }
  }
  for (const [name, credential] of Object.entries(wrong)) {
    t.equal(outcome(await send(credential)), failed, name)
  }
  const session = (await sql('SELECT id_hash FROM sessions ORDER BY created_at')).at(-1)?.id_hash
  const posed = await send(wrong['a challenge for making one'], {
    headers: { cookie: `passkey=${session}` }
  })
  t.equal(outcome(posed), failed, 'a challenge for making one, whose holder poses as a browser')
  const recorded = await events('login-failed')
  t.equal(recorded.length, Object.keys(wrong).length + 1)
  t.match(recorded[0], { user_id: 2, via: 'passkey', detail: 'passkey' })
  t.equal(outcome(await send(right)), done, 'none of them has used up the challenge')
  t.same(await sql('SELECT * FROM login_failures'), [], 'nor locks anybody')
})

t.test('bodies of another form are VALIDATION-FAILED, and name the member', async (t) => {
  await restart(shared)
  const answer = await app.inject({
    method: 'POST',
    url: '/session/passkey',
    payload: { credential: { id: '+', rawId: '', type: 'x', response: {} } }
  })
  t.equal(outcome(answer), '422 VALIDATION-FAILED')
  const fields = answer.json().Data.details.map(({ field }: { field: string }) => field)
  t.ok(fields.includes('credential.response.signature'))
})

t.test('a counter that does not go up is refused and recorded', async (t) => {
  const key = await withPasskey()
  t.equal(outcome(await useKey(app, key, { counter: 7 })), done)
  for (const counter of [6, 7, 0]) {
    t.equal(outcome(await useKey(app, key, { counter })), failed, `${counter} after 7`)
  }
  const recorded = await events('passkey-counter')
  t.equal(recorded.length, 3)
  t.match(recorded[0], { user_id: 2, via: 'passkey', detail: 'my phone: 6 after 7' })
  t.equal(outcome(await useKey(app, key, { counter: 8 })), done)
})

t.test('a lock holds, of wrong passwords and of an administrator (contract LOCK-1)', async (t) => {
  const key = await withPasskey()
  const wrong = () =>
    app.inject({
      method: 'POST',
      url: '/session/login',
      payload: { user_id: 'demo', user_pass: 'x' }
    })
  for (let i = 0; i < 4; i++) await wrong()
  t.equal(outcome(await useKey(app, key)), done)
  t.equal(outcome(await wrong()), failed, 'a sign-in forgets wrong passwords')
  for (let i = 0; i < 4; i++) await wrong()
  t.equal(outcome(await useKey(app, key)), locked)
  const admin = await signIn(app, 'admin')
  const change = (locked: boolean) => admin.send('PATCH', '/admin/user/item/id_2', { locked })
  await change(false)
  t.equal(outcome(await useKey(app, key)), done)
  await change(true)
  t.equal(outcome(await useKey(app, key)), locked)
  await change(false)
  t.equal(outcome(await useKey(app, key)), done)
})

t.test('a foreign page cannot sign anybody in (contract CSRF-5)', async (t) => {
  const key = await withPasskey()
  const { options, send } = await beginSignIn(app)
  const headers = { 'sec-fetch-site': 'cross-site' }
  t.equal(outcome(await send(key.get(options), { headers })), '403 CSRF-TOKEN-INVALID')
  const begun = await app.inject({ method: 'POST', url: '/session/passkeyoptions', headers })
  t.equal(outcome(begun), '403 CSRF-TOKEN-INVALID')
})

t.test('sign-ins that begin and never end keep nothing', async (t) => {
  await restart(shared)
  for (let i = 0; i < 10_000; i++) {
    await app.inject({ method: 'POST', url: '/session/passkeyoptions' })
  }
  t.same(await sql('SELECT * FROM used_passkey_challenges'), [])
})

t.test('a new password leaves passkeys as they are', async (t) => {
  const key = await withPasskey()
  const demo = await signIn(app)
  const change = { user_pass: 'demo', new_pass: 'correct horse battery' }
  t.equal(outcome(await demo.send('PUT', '/account/password', change)), done)
  t.equal(outcome(await useKey(app, key)), done)
})

t.test('an administrator removes all passkeys of a user (contract ADMIN-3)', async (t) => {
  const key = await withPasskey()
  const demo = await signIn(app)
  await addPasskey(app, demo, 'another')
  const admin = await signIn(app, 'admin')
  const own = await addPasskey(app, admin, 'of admin')
  const end = (id: number) => admin.send('POST', `/admin/user/endpasskeys/id_${id}`)
  t.match((await end(2)).json().Data.user, { user_id: 'demo' })
  t.equal(outcome(await useKey(app, key)), failed)
  t.equal(outcome(await useKey(app, own)), done, 'those of others stay')
  t.same((await demo.send('GET', '/account/passkeys')).json().Data.passkeys, [], 'sessions stay')
  t.match((await events('passkey-removed')).at(-1), {
    user_id: 1,
    via: 'session',
    detail: 'all: 2'
  })
  t.equal(outcome(await signInWithPassword()), done)
  t.equal(outcome(await end(999)), '404 USER-NOT-FOUND')
  t.equal(outcome(await demo.send('POST', '/admin/user/endpasskeys/id_1')), '403 FORBIDDEN')

  const form = new URLSearchParams({ action: 'endpasskeys', id: '1', csrf_token: admin.csrfToken })
  const send = (body: URLSearchParams) =>
    app.inject({
      method: 'POST',
      url: '/admin/users',
      headers: { cookie: admin.cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(body)
    })
  t.match((await send(form)).body, 'Remove all passkeys of admin?')
  form.set('sure', 'yes')
  t.equal((await send(form)).statusCode, 303, 'by the desk, once it is sure')
  t.equal(outcome(await useKey(app, own)), failed)
})

const signInWithPassword = () =>
  app.inject({
    method: 'POST',
    url: '/session/login',
    payload: { user_id: 'demo', user_pass: 'demo' }
  })
