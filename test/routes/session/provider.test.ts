import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addUser, restart, startService } from '../../support/helper.ts'
import { addPasskey } from '../../support/passkey.ts'
import { goRound, openJar, secret, startProvider } from '../../support/provider.ts'
import { codeAt, step, withSecondFactor } from '../../support/second-factor.ts'

const provider = await startProvider(t)
const shared = await startService(t, provider.env)
const open = await startService(t, { ...shared.place, ...provider.env, SVC_SIGN_UP: 'open' })
const { app, sql, log, clock } = shared

async function fresh() {
  provider.reset()
  await restart(shared)
  open.clock.now = clock.now
  return openJar(app)
}
type Jar = ReturnType<typeof openJar>

const identities = () => sql('SELECT user_id, issuer, sub FROM identities ORDER BY id')
const issuer = `${provider.issuer}/`
const events = async () =>
  sql('SELECT event, user_id, via, subject, detail FROM audit_events ORDER BY id')
const where = ({ statusCode, headers }: { statusCode: number; headers: object }) => [
  statusCode,
  Object(headers).location
]
const home = [303, '/']

/** Confirms by password that the account of demo is one's own. */
async function linkDemo(jar: Jar) {
  await goRound(provider, jar)
  return jar.send('/login/confirm', { user_pass: 'demo' })
}

/** The hidden fields of the form of a page that has this button. */
async function formOf({ send }: Jar, button: string, url = '/account/signin') {
  const page = await send(url)
  const forms = page.body.match(/<form.*?<\/form>/gs) ?? []
  const form = forms.find((one) => one.includes(button && `value="${button}"`)) ?? ''
  const fields = form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)
  const hidden = Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
  return { page, form, fields: { ...hidden, action: button } as Record<string, string> }
}

async function signInByPassword(jar: Jar, user_id = 'demo') {
  t.same(where(await jar.send('/login/index', { user_id, user_pass: user_id })), home)
}

/** Links the account at the provider on the account page. */
async function linkOnPage(jar: Jar, more: Record<string, string> = {}) {
  const { fields } = await formOf(jar, 'linkprovider')
  const shown = await jar.send('/account/signin', { ...fields, ...more })
  const [, href = ''] = /href="([^"]*)">Go on to Acme</.exec(shown.body) ?? []
  if (!href) return shown
  const back = new URL(provider.comeBack(href.replaceAll('&amp;', '&')))
  return jar.send(back.pathname + back.search)
}

async function remove(jar: Jar) {
  const { fields } = await formOf(jar, 'removeprovider')
  return jar.send('/account/signin', { ...fields, sure: 'yes' })
}

t.test(
  'an account that nobody has linked asks the user with its address for the password, once (contract PROVIDER-3)',
  async (t) => {
    const jar = await fresh()
    const answer = await goRound(provider, jar)
    t.same(where(answer), [302, '/login/confirm'], answer.body)
    t.same(await identities(), [], 'nothing is linked yet')
    const page = await jar.send('/login/confirm')
    t.match(page.body, /demo@example\.com/)
    t.match(page.body, /Acme/)
    const wrong = await jar.send('/login/confirm', { user_pass: 'guess' })
    t.equal(wrong.statusCode, 401)
    t.match(wrong.body, /not the password/)
    t.same(where(await jar.send('/login/confirm', { user_pass: 'demo' })), home)
    t.same(await identities(), [{ user_id: 2, issuer, sub: 'u1' }])
    const demo = { user_id: 2, subject: 'demo' }
    t.same(await events(), [
      { ...demo, event: 'login-failed', via: 'password', detail: null },
      { ...demo, event: 'identity-linked', via: 'provider', detail: 'Acme' },
      { ...demo, event: 'login', via: 'provider', detail: null }
    ])
    const again = openJar(app)
    t.same(where(await goRound(provider, again)), home, 'it is not asked for again')
    t.equal((await again.send('/board/index')).statusCode, 200)
    t.match((await again.send('/account/sessions')).body, /with another service/)
    t.notMatch(log.join(''), new RegExp(`${secret}|token-of-the-provider`))
  }
)

t.test('the address decides nothing once an account is linked', async (t) => {
  const jar = await fresh()
  await linkDemo(jar)
  provider.person.email = 'admin@example.com'
  const answer = openJar(app)
  t.same(where(await goRound(provider, answer)), home)
  t.match((await answer.send('/account/profile')).body, /demo@example\.com/)
})

t.test('an address is compared in any case, and takes over nothing', async (t) => {
  const jar = await fresh()
  provider.person.email = 'ADMIN@Example.com'
  t.same(where(await goRound(provider, jar)), [302, '/login/confirm'])
  t.equal((await jar.send('/login/confirm', { user_pass: 'demo' })).statusCode, 401)
  t.notOk(jar.jar.has('PHPSESSID'))
  t.same(await identities(), [])
})

t.test('the password counts for the lock, which holds for the provider too', async (t) => {
  const jar = await fresh()
  await goRound(provider, jar)
  for (let n = 0; n < 5; n += 1) await jar.send('/login/confirm', { user_pass: `guess ${n}` })
  const locked = await jar.send('/login/confirm', { user_pass: 'demo' })
  t.equal(locked.statusCode, 423)
  t.match(locked.body, /This account is locked/)
  t.same(await identities(), [])
})

t.test(
  'a locked user is locked on this way, by failures and by an administrator (contract PROVIDER-2)',
  async (t) => {
    for (const lock of [
      `INSERT INTO login_failures (user_id, failures, failed_at, refused_at) VALUES ('demo', 5, ${clock.now}, 0)`,
      "UPDATE users SET locked_at = 1 WHERE user_id = 'demo'"
    ]) {
      const jar = await fresh()
      await linkDemo(jar)
      await sql(lock)
      const answer = await goRound(provider, openJar(app))
      t.equal(answer.statusCode, 423)
      t.match(answer.body, /This account is locked/)
      t.match((await events()).at(-1), { event: 'login-refused', user_id: 2 })
    }
  }
)

t.test(
  'a user with a second factor enters a code: to link, and each time (contract PROVIDER-2)',
  async (t) => {
    const jar = await fresh()
    const { secret } = await withSecondFactor(app, clock.now)
    async function enterCode(jar: Jar, code: string) {
      const { fields } = await formOf(jar, '', '/login/code')
      return jar.send('/login/code?next=%2Fmemo%2Fboard', { ...fields, code })
    }
    const query = '?next=%2Fmemo%2Fboard'
    t.same(where(await goRound(provider, jar, query)), [302, `/login/confirm${query}`])
    t.match((await jar.send(`/login/confirm${query}`)).body, `action="/login/confirm${query}"`)
    const asked = await jar.send('/login/confirm?next=%2Fmemo%2Fboard', { user_pass: 'demo' })
    t.same(where(asked), [303, '/login/code?next=%2Fmemo%2Fboard'])
    t.same(await identities(), [], 'the password alone links nothing')
    t.equal((await enterCode(jar, '000000')).statusCode, 401)
    t.same(await identities(), [])
    clock.now += step
    t.same(where(await enterCode(jar, codeAt(secret, clock.now))), [303, '/memo/board'])
    t.same(await identities(), [{ user_id: 2, issuer, sub: 'u1' }])

    const again = openJar(app)
    const begun = await goRound(provider, again)
    t.same(where(begun), [303, '/login/code'])
    t.match(String(begun.headers['set-cookie']), /sign_in_\w+=[0-9a-f]{64};[^,]* SameSite=Lax/)
    t.notOk(again.jar.has('PHPSESSID'))
    clock.now += step
    t.same(where(await enterCode(again, codeAt(secret, clock.now))), [303, '/memo/board'])
    const via = await sql('SELECT via FROM sessions ORDER BY id')
    t.same(
      via.map((row) => Object(row).via),
      ['password', 'provider', 'provider']
    )
  }
)

t.test(
  'an account that was linked with another user before the code is entered stays there',
  async (t) => {
    const jar = await fresh()
    const { secret } = await withSecondFactor(app, clock.now)
    await goRound(provider, jar)
    await jar.send('/login/confirm', { user_pass: 'demo' })
    await sql(
      `INSERT INTO identities (user_id, issuer, sub, created_at) VALUES (1, '${issuer}', 'u1', '2026-11-21T09:30:00.000Z')`
    )
    const { fields } = await formOf(jar, '', '/login/code')
    clock.now += step
    const answer = await jar.send('/login/code', { ...fields, code: codeAt(secret, clock.now) })
    t.equal(answer.statusCode, 409)
    t.match(answer.body, /signs in another user here/)
    t.notOk(jar.jar.has('PHPSESSID'))
    t.same(await identities(), [{ user_id: 1, issuer, sub: 'u1' }])
  }
)

t.test('a program that asks is let in after a sign-in at a provider', async (t) => {
  const jar = await fresh()
  await linkDemo(openJar(app))
  t.same(where(await goRound(provider, jar, '?request=abc')), [303, '/oauth/consent/abc'])
})

t.test('a new password between password and code ends what was to be linked', async (t) => {
  const jar = await fresh()
  const { secret } = await withSecondFactor(app, clock.now)
  await goRound(provider, jar)
  await jar.send('/login/confirm', { user_pass: 'demo' })
  const { fields } = await formOf(jar, '', '/login/code')
  await sql("UPDATE users SET password_changed_at = password_changed_at + 1 WHERE user_id = 'demo'")
  clock.now += step
  const answer = await jar.send('/login/code', { ...fields, code: codeAt(secret, clock.now) })
  t.not(answer.statusCode, 303)
  t.same(await identities(), [])
})

t.test(
  'nobody known: closed, a page says whom to ask; open, a user is made (contract PROVIDER-3)',
  async (t) => {
    const jar = await fresh()
    Object.assign(provider.person, { email: 'Ann.New+x@example.com', name: 'Ann' })
    const closed = await goRound(provider, jar)
    t.equal(closed.statusCode, 401)
    t.match(closed.body, /Ask an administrator of this service/)
    t.equal((await sql('SELECT * FROM users')).length, 2)

    const other = openJar(open.app)
    t.same(where(await goRound(provider, other)), home)
    const made = await sql(
      'SELECT id, user_id, user_name, e_mail, role, password_hash FROM users WHERE id > 2'
    )
    const ann = { user_id: 'ann.newx', user_name: 'Ann', e_mail: 'Ann.New+x@example.com' }
    t.same(made, [{ id: 3, ...ann, role: 'user', password_hash: '' }])
    t.match((await events()).slice(-3), [
      { event: 'user-add', user_id: 3, via: 'provider', subject: 'ann.newx' },
      { event: 'identity-linked', user_id: 3, via: 'provider' },
      { event: 'login', user_id: 3, via: 'provider' }
    ])
    t.same(where(await goRound(provider, openJar(app))), home, 'and is known from then on')
    const guess = await app.inject({
      method: 'POST',
      url: '/session/login',
      payload: { user_id: 'ann.newx', user_pass: '' }
    })
    t.equal(guess.statusCode, 401, 'no password is right')
  }
)

t.test(
  'a login name that is taken gets something random; a name of other people is theirs',
  async (t) => {
    const jar = await fresh()
    await addUser(app, 'ann')
    const other = openJar(open.app)
    Object.assign(provider.person, { sub: 'u2', email: 'Ann@other.example', name: 'x\u0000' })
    t.same(where(await goRound(provider, other)), home)
    const [made] = await sql('SELECT user_id, user_name FROM users WHERE id > 3')
    t.match(made, { user_id: /^ann-[0-9a-f]{8}$/, user_name: /^ann-[0-9a-f]{8}$/ })
    Object.assign(provider.person, { sub: 'u3', email: '\u00e9\u00e9@other.example', name: 7 })
    const third = openJar(open.app)
    t.same(where(await goRound(provider, third)), home)
    const [last] = await sql('SELECT user_id FROM users ORDER BY id DESC LIMIT 1')
    t.same(last, { user_id: 'user' })
    t.notOk(jar.jar.has('PHPSESSID'))
  }
)

t.test('of the same person in two browsers at once, one user is made', async (t) => {
  await fresh()
  provider.person.email = 'twice@example.com'
  const jars = [1, 2, 3].map(() => openJar(open.app))
  const answers = await Promise.all(jars.map((jar) => goRound(provider, jar)))
  t.equal((await sql("SELECT * FROM users WHERE e_mail = 'twice@example.com'")).length, 1)
  t.equal((await identities()).length, 1)
  t.ok(answers.some(({ statusCode }) => statusCode === 303))
})

t.test(
  'the page of the account links it; a sign-in of long ago shows the password first (contract PROVIDER-4)',
  async (t) => {
    const jar = await fresh()
    await signInByPassword(jar)
    const { page } = await formOf(jar, 'linkprovider')
    t.match(page.body, /Link Acme/)
    t.notMatch(page.body, /id="linkprovider-acme-user_pass"/)
    const guess = await linkOnPage(jar, { user_pass: 'guess' })
    t.equal(guess.statusCode, 401, 'it is checked, though not asked for')
    t.match(guess.body, /This is not your password/)
    t.same(where(await linkOnPage(jar)), [302, '/account/signin?done=linkprovider'])
    t.same(await identities(), [{ user_id: 2, issuer, sub: 'u1' }])
    t.match((await events()).at(-1), { event: 'identity-linked', user_id: 2, via: 'session' })
    t.match((await jar.send('/account/signin?done=linkprovider')).body, /It was linked/)

    t.same(where(await remove(jar)), [303, '/account/signin?done=removeprovider'])
    t.same(await identities(), [])
    t.match((await events()).at(-1), { event: 'identity-removed', detail: 'Acme', user_id: 2 })

    clock.now += 16 * 60_000
    t.match((await linkOnPage(jar, { user_pass: '' })).body, /id="linkprovider-acme-user_pass"/)
    const wrong = await linkOnPage(jar, { user_pass: 'guess' })
    t.equal(wrong.statusCode, 401)
    t.match(wrong.body, /This is not your password/)
    t.same(where(await linkOnPage(jar, { user_pass: 'demo' })), [
      302,
      '/account/signin?done=linkprovider'
    ])
  }
)

t.test('linking needs the form token, and the session that began it', async (t) => {
  const jar = await fresh()
  await signInByPassword(jar)
  const { fields } = await formOf(jar, 'linkprovider')
  const { csrf_token: _, ...others } = fields
  t.equal((await jar.send('/account/signin', others)).statusCode, 403)
  const unknown = await jar.send('/account/signin', { ...fields, id: 'other' })
  t.equal(unknown.statusCode, 404)

  const shown = await jar.send('/account/signin', fields)
  const [, href = ''] = /href="([^"]*)">Go on to Acme</.exec(shown.body) ?? []
  const back = new URL(provider.comeBack(href.replaceAll('&amp;', '&')))
  jar.jar.delete('PHPSESSID')
  await signInByPassword(jar, 'admin')
  const answer = await jar.send(back.pathname + back.search)
  t.equal(answer.statusCode, 401)
  t.match(answer.body, /You have been signed out meanwhile/)
  t.same(await identities(), [])
})

t.test('an account signs in one user, and a user has one of each provider', async (t) => {
  const jar = await fresh()
  await linkDemo(jar)
  const admin = openJar(app)
  await signInByPassword(admin, 'admin')
  const taken = await linkOnPage(admin)
  t.equal(taken.statusCode, 409)
  t.match(taken.body, /signs in another user here/)
  provider.person.sub = 'u2'
  // The page offers what is not linked; a form that was open before still can be sent.
  const { fields } = await formOf(admin, 'linkprovider')
  t.same(where(await linkOnPage(admin)), [302, '/account/signin?done=linkprovider'])
  provider.person.sub = 'u3'
  const shown = await admin.send('/account/signin', fields)
  const [, href = ''] = /href="([^"]*)">Go on to Acme</.exec(shown.body) ?? []
  const back = new URL(provider.comeBack(href.replaceAll('&amp;', '&')))
  const second = await admin.send(back.pathname + back.search)
  t.equal(second.statusCode, 409)
  t.match(second.body, /Another account at Acme is linked/)
  t.same(
    (await identities()).map((row) => Object(row).sub),
    ['u1', 'u2']
  )
})

t.test('the last way in is never removed (contract PROVIDER-4)', async (t) => {
  await fresh()
  provider.person.email = 'ann@example.com'
  const jar = openJar(open.app)
  await goRound(provider, jar)
  t.match((await jar.send('/account/profile')).body, /You have none: you sign in with another/)
  const refused = await remove(jar)
  t.equal(refused.statusCode, 409)
  t.match(refused.body, /this is your last way in/)
  t.equal((await identities()).length, 1)

  // With a passkey, either can go, but not both, also not at once.
  const { csrfToken } = (await jar.send('/session/current')).json().Data
  const cookie = `PHPSESSID=${jar.jar.get('PHPSESSID')}`
  const browser = {
    cookie,
    csrfToken,
    send: (method: NonNullable<InjectOptions['method']>, url: string, payload?: unknown) =>
      open.app.inject({
        method,
        url,
        headers: { cookie, 'x-csrf-token': csrfToken },
        ...(payload !== undefined && { payload: JSON.stringify(payload) })
      })
  }
  await addPasskey(open.app, browser)
  const { passkeys } = (await browser.send('GET', '/account/passkeys')).json().Data
  const [one, two] = await Promise.all([
    remove(jar),
    browser.send('DELETE', `/account/passkey/id_${passkeys[0].id}`)
  ])
  t.same(
    [one.statusCode, two.statusCode].filter((status) => status === 409),
    [409]
  )
  const left = (await identities()).length + (await sql('SELECT * FROM passkeys')).length
  t.equal(left, 1)

  // A password makes both dispensable.
  await sql("UPDATE users SET password_hash = 'x' WHERE e_mail = 'ann@example.com'")
  if ((await identities()).length > 0) t.same(where(await remove(jar)).at(0), 303)
})

t.test('an account at a provider that is configured no more is no way in', async (t) => {
  await fresh()
  provider.person.email = 'ann@example.com'
  const jar = openJar(open.app)
  await goRound(provider, jar)
  await sql(
    "INSERT INTO identities (user_id, issuer, sub, created_at) VALUES (3, 'https://gone.example/', 'x', '2026-11-21T09:30:00.000Z')"
  )
  t.match((await jar.send('/account/signin')).body, /gone\.example/)
  const page = await jar.send('/account/signin')
  const form = (page.body.match(/<form.*?<\/form>/gs) ?? []).findLast((one) =>
    one.includes('value="removeprovider"')
  )
  const hidden = [...(form ?? '').matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
  const kept = await jar.send('/account/signin', {
    ...fields,
    action: 'removeprovider',
    sure: 'yes'
  })
  t.equal(kept.statusCode, 409)
})

t.test('what begins in one process goes on in another (contract PROVIDER-1)', async (t) => {
  const jar = await fresh()
  const begun = await jar.send('/login/with_acme')
  const back = new URL(provider.comeBack(String(begun.headers.location)))
  const there = await jar.send(back.pathname + back.search, undefined, open.app)
  t.same(where(there), [302, '/login/confirm'])
  t.same(where(await jar.send('/login/confirm', { user_pass: 'demo' }, app)), home)
})

t.test(
  'the login page offers it, and leads to where the visitor wanted to go, of ours only',
  async (t) => {
    const jar = await fresh()
    const page = await jar.send('/login/index?next=/memo/board')
    t.match(page.body, /href="\/login\/with_acme\?next=%2Fmemo%2Fboard">Sign in with Acme</)
    await linkDemo(openJar(app))
    t.same(where(await goRound(provider, openJar(app), '?next=/memo/board')), [303, '/memo/board'])
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/logout/index',
      `/memo/board?${'x'.repeat(4000)}`
    ]) {
      const query = `?${new URLSearchParams({ next })}`
      t.same(where(await goRound(provider, openJar(app), query)), home, next.slice(0, 40))
    }
    const signedIn = openJar(app)
    await signInByPassword(signedIn)
    t.same(where(await signedIn.send('/login/with_acme?next=/memo/board')), [302, '/memo/board'])
  }
)

t.test('what is sent to the provider', async (t) => {
  const { send } = await fresh()
  const begun = await send('/login/with_acme')
  t.match(
    begun.headers['set-cookie'],
    /^begun_\w+=[\w-]+; Max-Age=600; Path=\/login; HttpOnly; SameSite=Lax$/
  )
  const { searchParams, origin } = new URL(String(begun.headers.location))
  t.equal(origin, provider.issuer)
  t.match(Object.fromEntries(searchParams), {
    response_type: 'code',
    client_id: 'client',
    redirect_uri: `${app.baseUrl}/login/callback`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/
  })
})

t.test('a provider that takes the secret only in the body gets it there', async (t) => {
  const jar = await fresh()
  clock.now += 3_600_000
  provider.faults.metadata = (right) => ({
    ...right,
    token_endpoint_auth_methods_supported: ['client_secret_post']
  })
  await goRound(provider, jar)
  const { body, authorization } = provider.requests.find(({ path }) => path === '/token') ?? {}
  t.equal(authorization, undefined)
  t.equal(new URLSearchParams(body).get('client_secret'), secret)
})

t.test('an address that only the userinfo endpoint says is taken from there', async (t) => {
  const jar = await fresh()
  clock.now += 7_200_000
  provider.faults.claims = ({ email: _, email_verified: __, ...right }) => right
  t.same(where(await goRound(provider, jar)), [302, '/login/confirm'])
  provider.faults.claims = ({ email: _, ...right }) => ({ ...right, sub: 'u2' })
  t.equal((await goRound(provider, openJar(app))).statusCode, 502, 'but not that of somebody else')
})

t.test('sign-ins at a provider in two tabs: each answer is taken, also a late one', async (t) => {
  const { send, jar } = await fresh()
  const begin = async () => {
    const { headers } = await send('/login/with_acme?next=%2Fmemo%2Fboard')
    const { pathname, search } = new URL(provider.comeBack(String(headers.location)))
    return pathname + search
  }
  const [first, second] = [await begin(), await begin()]
  t.same(where(await send(first)), [302, '/login/confirm?next=%2Fmemo%2Fboard'])
  t.same(where(await send('/login/confirm', { user_pass: 'demo' })), [303, '/'])
  t.same(where(await send(second)), [303, '/memo/board'], 'the other tab too')
  t.same(where(await send(second)), [302, '/'], 'sent twice: who is signed in goes on')
  for (let tab = 0; tab < 9; tab += 1) {
    clock.now += 1
    jar.delete('PHPSESSID')
    await begin()
  }
  t.equal([...jar.keys()].filter((name) => name.startsWith('begun_')).length, 4, 'a few at most')
})

t.test('addresses of a provider that says nothing of them count if it is trusted', async (t) => {
  await fresh()
  const env = { SVC_OIDC_PROVIDERS: JSON.stringify([{ ...provider.config, email: 'trusted' }]) }
  const trusting = await startService(t, { ...shared.place, ...env }, undefined, clock.now)
  for (const [service, email_verified, leadsTo] of [
    [app, undefined, null],
    [app, 'true', '/login/confirm'],
    [app, 'false', null],
    [trusting.app, undefined, '/login/confirm'],
    [trusting.app, null, '/login/confirm'],
    [trusting.app, false, null],
    [trusting.app, 'false', null],
    [trusting.app, 'true', '/login/confirm']
  ] as const) {
    provider.person.email_verified = email_verified
    const { headers } = await goRound(provider, openJar(service))
    t.equal(
      headers.location ?? null,
      leadsTo,
      `${service === app ? '' : 'trusted'} ${email_verified}`
    )
  }
})

t.test('GitHub, which has no OpenID Connect', async (t) => {
  provider.reset()
  const env = { SVC_OIDC_PROVIDERS: JSON.stringify([provider.githubConfig]), SVC_SIGN_UP: 'open' }
  const { app, sql, log } = await startService(t, env)
  const { github, faults } = provider
  faults.answer = (query) => query.delete('iss')
  const round = (jar = openJar(app)) =>
    goRound({ ...provider, config: { ...provider.config, id: 'github' } }, jar)
  const page = await app.inject({ url: '/login/index', headers: { accept: 'text/html' } })
  t.match(page.body, 'GitHub')

  const begun = new URL(String((await openJar(app).send('/login/with_github')).headers.location))
  t.equal(begun.pathname, '/login/oauth/authorize')
  const { state, code_challenge, ...rest } = Object.fromEntries(begun.searchParams)
  t.match([state, code_challenge], [/./, /./])
  t.same(rest, {
    ...{ client_id: 'client', response_type: 'code', scope: 'user:email' },
    ...{ code_challenge_method: 'S256', redirect_uri: `${app.baseUrl}/login/callback` }
  })

  const jar = openJar(app)
  t.same(where(await round(jar)), [302, '/login/confirm'], 'demo has this address')
  t.same(where(await jar.send('/login/confirm', { user_pass: 'demo' })), home)
  t.same(await sql('SELECT user_id, issuer, sub FROM identities'), [
    { user_id: 2, issuer: `${provider.issuer}/login/oauth`, sub: '583231' }
  ])
  github.emails = []
  github.user.login = 'renamed'
  t.same(where(await round()), home, 'known by the number, whatever else has changed')

  github.user.id = 2
  github.emails = [{ email: 'new@example.com', primary: true, verified: true }]
  t.same(where(await round()), home, 'a new user')
  t.match(await sql('SELECT user_id, user_name FROM users WHERE id > 2'), [
    { user_id: 'new', user_name: 'Demo' }
  ])

  github.user.id = 3
  for (const emails of [
    [{ email: 'x@example.com', primary: true, verified: false }],
    [{ email: 'x@example.com', primary: false, verified: true }],
    [{ email: 7, primary: true, verified: true }],
    [null, 'x'],
    { message: 'none' }
  ]) {
    github.emails = emails
    const { statusCode } = await round()
    t.equal(statusCode, 401, JSON.stringify(emails))
  }
  for (const id of [undefined, '3', 0, -1, 1.5, 2 ** 53]) {
    github.user.id = id
    t.equal((await round()).statusCode, 502, String(id))
  }
  github.user.id = 3
  for (const [path, status] of [
    ['/api/v3/user', 401],
    ['/api/v3/user', 403],
    ['/api/v3/user/emails', 404],
    ['/api/v3/user', 500],
    ['/login/oauth/access_token', 404]
  ] as const) {
    faults.respond = (asked, response) => {
      if (asked === path)
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      return asked === path
    }
    t.equal((await round()).statusCode, 502, `${path} ${status}`)
  }
  delete faults.respond
  const other = openJar(app)
  const back = new URL(
    provider.comeBack(String((await other.send('/login/with_github')).headers.location))
  )
  back.searchParams.set('code', 'another')
  t.equal(
    (await other.send(back.pathname + back.search)).statusCode,
    502,
    'refused with status 200'
  )
  t.notMatch(log.join(''), /token-of-github|a-secret-that/)
})

t.test('an unknown provider, or none: 404', async (t) => {
  const { send } = await fresh()
  t.equal((await send('/login/with_other')).statusCode, 404)
  t.equal((await send('/login/with_')).statusCode, 404)
  const without = await startService(t)
  for (const url of ['/login/with_acme', '/login/callback', '/login/confirm']) {
    t.equal((await openJar(without.app).send(url)).statusCode, 404, url)
  }
  t.notMatch((await without.app.inject('/login/index')).body, /login\/with_/)
})

t.test('the password of a confirmation is refused from a foreign page', async (t) => {
  const jar = await fresh()
  await goRound(provider, jar)
  const foreign = await app.inject({
    method: 'POST',
    url: '/login/confirm',
    headers: {
      cookie: `provider=${jar.jar.get('provider')}`,
      origin: 'https://evil.example',
      'content-type': 'application/x-www-form-urlencoded'
    },
    payload: 'user_pass=demo'
  })
  t.equal(foreign.statusCode, 403)
  clock.now += 300_000
  const late = await jar.send('/login/confirm', { user_pass: 'demo' })
  t.equal(late.statusCode, 401)
  t.match(late.body, /did not begin in this browser/)
  t.same(await identities(), [])
})
