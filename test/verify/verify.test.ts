import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import type { App } from '../../app.ts'
import { rules } from '../../commands/verify/report.ts'
import { verify } from '../../commands/verify/verification.ts'
import { makeAccessToken } from '../support/access-token.ts'
import { runInProcess } from '../support/command.ts'
import { temporaryFolder } from '../support/folder.ts'
import { signIn, startService } from '../support/helper.ts'
import { faults } from './faults.ts'
import { cert, startProxy } from './proxy.ts'

// A folder without `.env`.
process.chdir(temporaryFolder(t))

/** High, so that they are told of, but nothing waits for them. */
const limits = { SVC_RATE_MAX: '100000', SVC_REDIS_URL: '' }
const secret = 'a secret of at least thirty-two bytes'
const { app } = await startService(t, { ...limits, SVC_JWT_SECRET: secret }, undefined, Date.now())
const address = await app.listen({ port: 0, host: '127.0.0.1' })
const { token } = await makeAccessToken(app)

const allRules = Object.keys(rules)
const uncheckedOf = (report: { rules: { rule: string; checked: number }[] }) =>
  report.rules.filter(({ checked }) => checked === 0).map(({ rule }) => rule)

/** All that a caller can make, as lists show it. */
async function thingsOf(app: App) {
  const { send } = await signIn(app, 'admin')
  const urls = ['/todo/index', '/memo/index', '/attachment/index', '/accesstoken/index']
  const lists = await Promise.all(urls.map((url) => send('GET', url)))
  const sessions = (await send('GET', '/session/index')).json().Data.sessions.length
  await send('POST', '/session/logout')
  return [sessions, ...lists.map((list) => list.json())]
}

t.test('this service keeps every rule, and nothing of the run is left in it', async (t) => {
  const before = await thingsOf(app)
  const args = ['verify', address, '--write', '--user', 'admin', '--seed', '5', '--json']
  const { code, stdout, stderr } = await runInProcess({}, args, 'admin\n')
  const report = JSON.parse(stdout)
  t.same({ code, stderr, failures: report.failures }, { code: 0, stderr: '', failures: [] })
  t.same(uncheckedOf(report), ['tls'])
  t.ok(report.requests > 1000, `${report.requests} requests`)
  t.same(await thingsOf(app), before)
})

t.test('without --write it sends safe methods only', async (t) => {
  const proxy = await startProxy(t, [
    ({ method }) => {
      methods.add(method)
      return undefined
    }
  ])
  const methods = new Set<string>()
  proxy.serve(address)
  const { code, stdout } = await runInProcess({}, [
    'verify',
    proxy.address.href,
    '--token',
    token,
    '--seed',
    '2'
  ])
  t.equal(code, 0, stdout)
  t.same([...methods].sort(), ['GET', 'HEAD', 'OPTIONS'])
  t.match(stdout, /^RULE +CHECKED$/m)
  t.match(stdout, /^no 5xx +kept +\d\d\d/m)
  t.match(stdout, /^csrf +- +0 /m)
})

t.test('each planted fault is found by its own rule, and nothing else is', async (t) => {
  const proxy = await startProxy(
    t,
    faults.map(({ change }) => change)
  )
  proxy.serve(address)
  const report = await verify(proxy.address, {
    user: { user_id: 'admin', user_pass: 'admin' },
    isWrite: true,
    seed: 11
  })
  const named = ({ rule, where }: { rule: string; where: string }) => `${rule}: ${where}`
  const found = report.failures.map(named).sort()
  t.same(found, faults.map(named).sort(), '', { failures: report.failures })
  t.same([...faults.map(({ rule }) => rule), 'tls'].sort(), [...allRules].sort())
  const text = JSON.stringify(report)
  t.notMatch(text, /PHPSESSID=|x-csrf-token: [0-9a-f]/, 'no credential is shown')
})

t.test('the curl of a failure shows it; the token is in a variable', async (t) => {
  const proxy = await startProxy(t, [
    ({ url }) =>
      url.startsWith('/todo/index?')
        ? (reply) => {
            delete reply.headers['x-content-type-options']
          }
        : undefined
  ])
  proxy.serve(address)
  const args = ['verify', proxy.address.href, '--token', token, '--seed', '3', '--json']
  const { code, stdout } = await runInProcess({}, args)
  t.equal(code, 1)
  t.notOk(stdout.includes(token))
  const [{ rule, where, curl }] = JSON.parse(stdout).failures
  t.same({ rule, where }, { rule: 'security headers', where: 'GET /todo/index' })
  const command = `TOKEN='${token}'; ${curl}`
  const { stdout: shown } = await promisify(execFile)('bash', ['-c', command])
  t.match(shown, /^HTTP\/1.1 [24]/)
  t.notMatch(shown, /x-content-type-options/i)
})

t.test('over TLS: HSTS, Secure cookies, the own name, no old protocol', async (t) => {
  const asked = { user: { user_id: 'demo', user_pass: 'demo' }, isWrite: true, seed: 1, ca: cert }
  const proxy = await startProxy(t, [], {})
  const ownName = { SVC_BASE_URL: proxy.address.origin, SVC_SESSION_SECURE: '1' }
  const named = await startService(t, { ...limits, ...ownName })
  proxy.serve(await named.app.listen({ port: 0, host: '127.0.0.1' }))
  const kept = await verify(proxy.address, { ...asked, runs: 1 })
  t.same(kept.failures, [])
  t.same(uncheckedOf(kept), [])

  // It knows nothing of the proxy, which accepts what is old.
  const old = await startProxy(t, [], { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' })
  old.serve(address)
  const { failures } = await verify(old.address, { ...asked, runs: 1 })
  const messages = failures.map(({ rule, message }) => `${rule}: ${message}`).join('\n')
  t.match(messages, 'tls: TLS 1.1 is accepted')
  t.match(messages, 'cookies: it is not Secure')
  t.match(messages, `host: the document names ${address}`)
  t.match(messages, 'security headers: strict-transport-security is absent')
})

t.test('it leaves a tenth of a limit, and ends at its bounds', async (t) => {
  const statuses = new Set<number>()
  const proxy = await startProxy(t, [
    () => (reply) => {
      statuses.add(reply.status)
    }
  ])
  const few = { ...limits, SVC_RATE_MAX: '40', SVC_RATE_SECONDS: '600' }
  const { app } = await startService(t, few)
  proxy.serve(await app.listen({ port: 0, host: '127.0.0.1' }))
  const { token } = await makeAccessToken(app)
  const asked = { token, isWrite: false, seed: 1, runs: 1 }
  const { notes, failures } = await verify(proxy.address, asked)
  t.same(failures, [])
  t.match(notes.join('\n'), 'GET /todo/index was not checked to its end')
  t.notOk(statuses.has(429))

  const { stopped } = await verify(proxy.address, { ...asked, bounds: { requests: 9, seconds: 9 } })
  t.equal(stopped, 'after 9 requests')
})

t.test('what it made is removed, also when it ends early', async (t) => {
  const proxy = await startProxy(t, [
    ({ method, url }) =>
      method === 'POST' && url === '/todo/index'
        ? ({ status }) => {
            if (status === 200) interruption.abort()
          }
        : undefined
  ])
  const interruption = new AbortController()
  proxy.serve(address)
  const before = await thingsOf(app)
  const user = { user_id: 'admin', user_pass: 'admin' }
  const bounds = { signal: interruption.signal }
  const asked = { user, isWrite: true, seed: 1, runs: 1, bounds }
  const { stopped, failures } = await verify(proxy.address, asked)
  t.same({ stopped, failures }, { stopped: 'interrupted', failures: [] })
  t.same(await thingsOf(app), before)
})

t.test('what cannot run is told in one line, with exit code 2', async (t) => {
  for (const [args, message, input] of [
    [['http://127.0.0.1:1'], /^gatehouse: http:\/\/127\.0\.0\.1:1 cannot be reached: .+\n$/],
    [[`${address}/nowhere`], /gives no document at \/api-docs\/json \(404\)\n$/],
    [[address, '--write', '--user', 'demo'], /demo cannot sign in: LOGIN-FAILED/, 'wrong\n'],
    [[address, '--user', 'demo'], /--user needs --write/],
    [[address, '--token', 'wrong'], /refuses the token \(401\)\n$/],
    [[address, '--seed', 'x'], /NUMBER is not valid/],
    [['ftp://127.0.0.1'], /URL is not valid/],
    [['http://gatehouse.example', '--token', 'x'], /over https only/],
    [[], /verify needs URL/]
  ] as const) {
    const { code, stdout, stderr } = await runInProcess({}, ['verify', ...args], input)
    t.same({ code, stdout }, { code: 2, stdout: '' }, args.join(' '))
    t.match(stderr, message)
    t.notMatch(stderr, /\n./, 'one line')
  }
})
