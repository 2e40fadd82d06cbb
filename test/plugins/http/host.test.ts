import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { outcome, startService } from '../../support/helper.ts'

const own = 'https://gatehouse.example:8443'

t.test('development answers only to names of this machine (contract SAFE-5)', async (t) => {
  const env = { SVC_ENV: 'development', SVC_BASE_URL: own }
  const { app, log } = await startService(t, env)
  const ask = async (host: string, url = '/health/index') =>
    outcome(await app.inject({ url, headers: { host } }))
  const names = [
    'localhost',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'a.LOCALHOST',
    'gatehouse.example'
  ]
  for (const host of names) t.equal(await ask(host), '200 success', host)
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    'evil@localhost',
    '127.0.0.1.evil.example:80',
    '192.0.2.1',
    '0.0.0.0',
    '[::]'
  ]
  for (const host of foreign) t.equal(await ask(host), '400 REQUEST-INVALID', host)
  t.equal(await ask('evil.example', '/nowhere'), '400 REQUEST-INVALID')
  const named = log.filter((line) => line.includes('SVC_DEV_REMOTE') && line.includes('"evil.ex'))
  t.equal(named.length, 1, 'the log names the setting, once for each name')

  const login = await app.inject({
    method: 'POST',
    url: '/session/login',
    headers: { host: 'evil.example', origin: 'http://evil.example' },
    payload: { user_id: 'admin', user_pass: 'admin' }
  })
  t.equal(outcome(login), '400 REQUEST-INVALID', 'DNS rebinding')
})

t.test('the host of an absolute URL counts, whatever Host says (contract SAFE-5)', async (t) => {
  const { app } = await startService(t, { SVC_ENV: 'development' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const ask = async (target: string, host: string) => {
    const request = get({ port, path: target, headers: { host, connection: 'close' } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  t.equal(await ask('http://evil.example/health/index', 'localhost'), 400)
  t.equal(await ask('http://localhost/health/index', 'evil.example'), 200)
  t.equal(await ask('http://[::1]:80/health/index', 'localhost'), 200)
})

t.test(
  'SVC_DEV_REMOTE=1 and other environments answer to any name (contract SAFE-5)',
  async (t) => {
    for (const env of [
      { SVC_ENV: 'development', SVC_DEV_REMOTE: '1' },
      { SVC_ENV: 'production' },
      {}
    ]) {
      const { app } = await startService(t, env)
      const response = await app.inject({
        url: '/health/index',
        headers: { host: 'other.example' }
      })
      t.equal(outcome(response), '200 success', JSON.stringify(env))
    }
  }
)
