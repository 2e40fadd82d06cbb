import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { restart, startService } from '../../support/helper.ts'
import { goRound, openJar, secret, sign, startProvider } from '../../support/provider.ts'
import { slow } from '../../support/selection.ts'

const provider = await startProvider(t)
const shared = await startService(t, { ...provider.env, SVC_SIGN_UP: 'open' })
const { app, sql, log, clock } = shared
const { faults, person, issuer } = provider

let rounds = 0
/** A fresh service. What it remembers of the provider has expired. */
async function fresh() {
  provider.reset()
  await restart(shared)
  rounds += 1
  clock.now += rounds * 3_600_000
  person.email = 'new@example.com'
  return openJar(app)
}

/** Nobody is signed in, linked or made, and the log has no secret. */
async function checkNothing(t: Test, { jar }: ReturnType<typeof openJar>) {
  t.notOk(jar.has('PHPSESSID'), 'no session')
  for (const table of ['identities', 'sessions', 'pending_sign_ins']) {
    t.same(await sql(`SELECT * FROM ${table}`), [], table)
  }
  t.equal((await sql('SELECT * FROM users')).length, 2)
  t.notMatch(log.join(''), new RegExp(`${secret}|token-of-the-provider`))
}

const away = [502, /Acme does not answer/] as const
const faulty = [502, /The answer of Acme is not as it must be/] as const
const refused = [401, /You did not go on at Acme/] as const
const notBegun = [401, /This sign-in did not begin in this browser/] as const

const json = (response: ServerResponse, status: number, body: string) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  return true
}
const at = (path: string, answer: (response: ServerResponse) => unknown) => () => {
  faults.respond = (asked, response) => asked === path && !!answer(response)
}
const says = (claims: object) => () => {
  faults.claims = (right) => ({ ...right, ...claims })
}
const describes = (metadata: object) => () => {
  faults.metadata = (right) => ({ ...right, ...metadata })
}
const answers = (change: (query: URLSearchParams) => void) => () => {
  faults.answer = change
}
const discovery = '/.well-known/openid-configuration'
const unpadded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const cases: Record<string, [arrange: () => unknown, expected: readonly [number, RegExp]]> = {
  'that is away': [at(discovery, (response) => response.destroy()), away],
  'that is down': [at(discovery, (response) => json(response, 503, '{}')), away],
  'that is not found': [at(discovery, (response) => json(response, 404, '{}')), faulty],
  'that sends no JSON': [at(discovery, (response) => json(response, 200, '<html>')), faulty],
  'that sends null': [at(discovery, (response) => json(response, 200, 'null')), faulty],
  'that sends very much': [
    at(discovery, (response) => json(response, 200, ' '.repeat(300_000))),
    faulty
  ],
  'that has another name': [describes({ issuer: 'https://other.example' }), faulty],
  'whose page is a script': [describes({ authorization_endpoint: 'javascript:alert(1)' }), faulty],
  'without a page': [describes({ authorization_endpoint: undefined }), faulty],
  'without keys': [describes({ jwks_uri: undefined }), faulty],
  'whose description is nonsense': [
    describes({ token_endpoint_auth_methods_supported: 7 }),
    faulty
  ],
  'that goes away during the sign-in': [at('/token', (response) => response.destroy()), away],
  'whose keys are away': [at('/keys', (response) => json(response, 500, '{}')), away],
  'whose keys are no keys': [at('/keys', (response) => json(response, 200, '{"keys":7}')), faulty],
  'that sends no tokens': [at('/token', (response) => json(response, 200, '{}')), faulty],
  'that sends us elsewhere': [
    at('/token', (response) => response.writeHead(307, { location: `${issuer}/other` }).end()),
    faulty
  ],
  'that refuses our secret, and repeats it': [
    at('/token', (response) =>
      json(response, 401, JSON.stringify({ error: secret, error_description: secret }))
    ),
    faulty
  ],
  'whose person refuses': [answers((query) => query.set('error', 'access_denied')), refused],
  'that has an error': [answers((query) => query.set('error', 'server_error')), faulty],
  'that sends no code': [answers((query) => query.delete('code')), faulty],
  'that sends two codes': [answers((query) => query.append('code', 'b')), faulty],
  'that sends no state': [answers((query) => query.delete('state')), notBegun],
  'that sends two states': [answers((query) => query.append('state', 'b')), faulty],
  'that sends the state of another browser': [
    answers((query) => query.set('state', 'b'.repeat(43))),
    notBegun
  ],
  'that sends another iss': [answers((query) => query.set('iss', 'https://other.example')), faulty],
  'that sends no iss': [answers((query) => query.delete('iss')), faulty],
  'that sends an unknown code': [answers((query) => query.set('code', 'b')), faulty],
  'whose token has another nonce': [says({ nonce: 'b' }), faulty],
  'whose token has no nonce': [says({ nonce: undefined }), faulty],
  'whose token has another iss': [says({ iss: 'https://other.example' }), faulty],
  'whose token is for another': [says({ aud: 'other' }), faulty],
  'whose token has expired': [says({ exp: 1 }), faulty],
  'whose token names nobody': [says({ sub: undefined }), faulty],
  'whose token names an empty person': [says({ sub: '' }), faulty],
  'whose token names a number': [says({ sub: 7 }), faulty],
  'whose token has a long name': [says({ sub: 'x'.repeat(256) }), faulty],
  'whose token has a name with U+0000': [says({ sub: 'a\u0000' }), faulty],
  'whose token was signed by another key': [
    () => {
      faults.sign = async (claims) => {
        const { jwk } = provider.key()
        return sign({ ...(await provider.newKey()), jwk }, claims)
      }
    },
    faulty
  ],
  'whose token was signed by an unknown key': [
    () => {
      faults.sign = async (claims) => sign(await provider.newKey(), claims)
    },
    faulty
  ],
  'whose token is not signed (alg: none)': [
    () => {
      faults.metadata = (right) => ({ ...right, id_token_signing_alg_values_supported: ['none'] })
      faults.sign = async (claims) => `${unpadded({ alg: 'none' })}.${unpadded(claims)}.`
    },
    faulty
  ],
  'whose token was signed with our secret (HS256)': [
    () => {
      faults.metadata = (right) => ({ ...right, id_token_signing_alg_values_supported: ['HS256'] })
      faults.sign = (claims) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
    },
    faulty
  ],
  'whose token is none': [
    () => {
      faults.sign = async () => 'a.b.c'
    },
    faulty
  ],
  'that knows no address': [says({ email: undefined, sub: 'u2' }), faulty],
  'that has not verified the address': [
    says({ email_verified: false }),
    [401, /Acme has not verified/]
  ],
  'that says "yes"': [says({ email_verified: 'yes' }), [401, /Acme has not verified/]],
  'that does not say whether it has': [
    says({ email_verified: undefined }),
    [401, /Acme has not verified/]
  ],
  'whose address is none': [says({ email: 'nobody' }), [401, /has not said your email address/]],
  'whose address is two': [
    says({ email: 'a@example.com,b@example.com' }),
    [401, /has not said your email address/]
  ],
  'whose address is a list': [
    says({ email: ['a@example.com'] }),
    [401, /has not said your email address/]
  ]
}

for (const [name, [arrange, [status, text]]] of Object.entries(cases)) {
  t.test(
    `a provider ${name}: a page says so, and nothing is left (contract PROVIDER-1)`,
    async (t) => {
      const jar = await fresh()
      arrange()
      const begun = await jar.send('/login/with_acme')
      const location = begun.headers.location
      const back = location === undefined ? undefined : new URL(provider.comeBack(String(location)))
      const answer = back ? await jar.send(back.pathname + back.search) : begun
      t.equal(answer.statusCode, status, answer.body)
      t.match(answer.body, text)
      t.match(answer.headers['content-type'], /^text\/html/)
      t.notMatch(answer.body, secret)
      await checkNothing(t, jar)
      // What it was, is over with the fault.
      for (const fault of Object.keys(faults)) delete faults[fault as keyof typeof faults]
      clock.now += 300_001
      const right = await goRound(provider, jar)
      t.same([right.statusCode, right.headers.location], [303, '/'], right.body)
    }
  )
}

t.test('a provider that is slow is given up after five seconds', async (t) => {
  const jar = await fresh()
  at('/token', () => true)()
  const begun = performance.now()
  const answer = await goRound(provider, jar)
  t.equal(answer.statusCode, 502)
  t.match(answer.body, away[1])
  const took = performance.now() - begun
  t.ok(took > 4900 && took < 15_000, `${took} ms`)
  await checkNothing(t, jar)
})

t.test('an answer that never ends is given up, too', async (t) => {
  const jar = await fresh()
  at(discovery, (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  )()
  const answer = await jar.send('/login/with_acme')
  t.equal(answer.statusCode, 502)
  t.match(answer.body, away[1])
  await checkNothing(t, jar)
})

t.test('a provider leads us only to public addresses beside its own', async (t) => {
  let asked = 0
  const inner = createServer((_request, response) => {
    asked += 1
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => inner.close())
  await new Promise((resolve) => inner.once('listening', resolve))
  const address = `http://127.0.0.1:${(inner.address() as AddressInfo).port}`
  for (const name of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
    const jar = await fresh()
    describes({ [name]: `${address}/x` })()
    if (name === 'userinfo_endpoint') says({ email: undefined })()
    const answer = await goRound(provider, jar)
    t.same([answer.statusCode, asked], [502, 0], name)
    await checkNothing(t, jar)
  }
  t.match(log.join(''), /127\.0\.0\.1 has no public address/)
})

t.test('a provider that is away is not asked by each visitor', async (t) => {
  const { send } = await fresh()
  at(discovery, (response) => json(response, 503, '{}'))()
  for (let n = 0; n < 3; n += 1) {
    await Promise.all([1, 2, 3].map(() => send('/login/with_acme')))
  }
  t.equal(provider.requests.length, 1)
  provider.reset()
  clock.now += 1001
  t.equal((await send('/login/with_acme')).statusCode, 302, 'a second later it is')
})

t.test('keys that turn are found at once', async (t) => {
  const jar = await fresh()
  t.equal((await goRound(provider, jar)).statusCode, 303)
  await provider.turnKeys()
  const again = await goRound(provider, openJar(app))
  t.same([again.statusCode, again.headers.location], [303, '/'], again.body)
})

t.test('an answer is taken once, also if the provider takes its code twice', async (t) => {
  const jar = await fresh()
  const begun = await jar.send('/login/with_acme')
  const cookies = new Map(jar.jar)
  const back = new URL(provider.comeBack(String(begun.headers.location)))
  const url = back.pathname + back.search
  const others = [1, 2, 3].map(() => {
    const other = openJar(app)
    for (const [name, value] of cookies) other.jar.set(name, value)
    return other
  })
  const outcomes = await Promise.all(others.map(async ({ send }) => (await send(url)).statusCode))
  t.same(outcomes.sort(), [303, 401, 401])
  const last = await jar.send(url)
  t.equal(last.statusCode, 401)
  t.match(last.body, notBegun[1])
  t.equal((await sql('SELECT * FROM answered_sign_ins')).length, 1)
  t.equal((await sql('SELECT * FROM users')).length, 3, 'one user was made')
})

t.test('an answer counts only in the browser that has begun, for ten minutes', async (t) => {
  const jar = await fresh()
  const begun = await jar.send('/login/with_acme')
  const back = new URL(provider.comeBack(String(begun.headers.location)))
  const url = back.pathname + back.search
  const stranger = await openJar(app).send(url)
  t.equal(stranger.statusCode, 401)
  t.match(stranger.body, notBegun[1])
  for (const cookie of ['', 'x', 'x'.repeat(64), jar.jar.get('provider')?.slice(0, -4)]) {
    const forged = openJar(app)
    forged.jar.set('provider', cookie ?? '')
    t.equal((await forged.send(url)).statusCode, 401, `${cookie}`)
    t.equal((await forged.send('/login/confirm')).statusCode, 401, `${cookie}`)
  }
  clock.now += 600_000
  t.equal((await jar.send(url)).statusCode, 401)
  await checkNothing(t, jar)
})

t.test('sign-ins that begin and never end cost the database nothing', async (t) => {
  await fresh()
  provider.requests.length = 0
  const hundreds = slow.skip ? 10 : 100
  for (let n = 0; n < hundreds; n += 1) {
    const { send } = openJar(app)
    await Promise.all(Array.from({ length: 100 }, () => send('/login/with_acme')))
  }
  t.equal(provider.requests.length, 1, 'and the provider one request')
  t.same(await sql('SELECT * FROM answered_sign_ins'), [])
})

t.test('the sweep forgets answers that have expired', async (t) => {
  const jar = await fresh()
  await goRound(provider, jar)
  t.equal((await sql('SELECT * FROM answered_sign_ins')).length, 1)
  await startService(t, shared.place, undefined, clock.now + 600_000)
  t.same(await sql('SELECT * FROM answered_sign_ins'), [])
})
