import { createHmac } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { loadConfig } from '../../../fastify.config.ts'
import { urlSecretOf } from '../../../plugins/runtime/secrets.ts'
import { ok } from '../../../schemas/common.ts'
import { outcome, startService, temporaryFolder } from '../../support/helper.ts'

const secret = 'only-for-this-test'.repeat(2)

/** A service with a route of another area behind signed links. */
const start = (t: Parameters<typeof startService>[0], env: Record<string, string> = {}) =>
  startService(
    t,
    { SVC_URL_SECRET: secret, SVC_BASE_URL: 'https://gatehouse.example', ...env },
    (app) => {
      app.get(
        '/sample/read/id_:id/part_:part',
        { config: { allow: ['anyone'] }, onRequest: app.signedUrl.verify },
        async () => ok({})
      )
    }
  )

const path = '/sample/read/id_5/part_b'
const local = (url: string) => url.replace('https://gatehouse.example', '')

t.test('a link is HMAC-SHA256 hex over path and sorted query', async (t) => {
  const { app, clock } = await start(t)
  const { url, expires, expires_at } = app.signedUrl.sign(path, { b: '2', a: 'x y' })
  t.equal(expires, clock.now / 1000 + 3600)
  t.equal(Date.parse(expires_at), expires * 1000)
  const signed = `${path}?a=x+y&b=2&expires=${expires}`
  const signature = createHmac('sha256', secret).update(signed).digest('hex')
  t.equal(
    url,
    `https://gatehouse.example${path}?b=2&a=x+y&expires=${expires}&signature=${signature}`
  )
  t.equal(outcome(await app.inject(local(url))), '200 success')
})

t.test('a link is valid to the end of the second in expires (contract LINK-1)', async (t) => {
  const { app, clock } = await start(t, { SVC_URL_TTL_SECONDS: '10' })
  const { url, expires } = app.signedUrl.sign(path)
  clock.now = expires * 1000
  t.equal(outcome(await app.inject(local(url))), '200 success')
  clock.now += 999
  t.equal(outcome(await app.inject(local(url))), '200 success')
  clock.now += 1
  t.equal(outcome(await app.inject(local(url))), '410 SIGNED-URL-EXPIRED')
  t.equal(
    outcome(await app.inject(local(url).replace(/.$/, 'x'))),
    '403 SIGNED-URL-INVALID',
    'only for a right signature is the expiry reported'
  )
})

t.test('pages of any origin may show what a link leads to (contract LINK-1)', async (t) => {
  const { app } = await start(t)
  const { url } = app.signedUrl.sign(path)
  const policyOf = async (url: string) =>
    (await app.inject(url)).headers['cross-origin-resource-policy']
  t.equal(await policyOf(local(url)), 'cross-origin')
  t.equal(await policyOf(local(url).replace(/.$/, 'x')), 'same-origin')
})

t.test('what was not signed is refused (contract LINK-1)', async (t) => {
  const { app } = await start(t)
  const { url, expires } = app.signedUrl.sign(path, { a: '1' })
  const good = local(url)
  const [query = ''] = good.split('?').slice(1)
  const signature = query.split('signature=')[1] ?? ''
  const cases: [string, string][] = [
    ['no query', path],
    ['no signature', `${path}?a=1&expires=${expires}`],
    ['an empty signature', `${path}?a=1&expires=${expires}&signature=`],
    ['no expires', `${path}?a=1&signature=${signature}`],
    ['another path', good.replace('id_5', 'id_6')],
    ['an encoded path', good.replace('id_5', 'id_%35')],
    ['a later expires', good.replace(String(expires), String(expires + 1))],
    ['expires as another number', good.replace(String(expires), `${expires}.0`)],
    ['a second expires', `${good}&expires=${expires + 1000}`],
    ['a first expires', good.replace('?', `?expires=${expires + 1000}&`)],
    ['another signature', good.replace(signature, signature.replace(/^./, 'g'))],
    ['a longer signature', `${good}00`],
    ['an upper-case signature', good.replace(signature, signature.toUpperCase())],
    ['a second signature', `${good}&signature=${signature}`],
    ['an added parameter', `${good}&b=1`],
    ['an added empty parameter', `${good}&`],
    ['a parameter without a value', `${good}&b`],
    ['an altered parameter', good.replace('a=1', 'a=2')],
    ['a parameter left out', good.replace('a=1&', '')],
    ['a parameter encoded', good.replace('a=1', 'a=%31')],
    ['a name encoded', good.replace('expires=', '%65xpires=')],
    ['a second question mark', good.replace('?', '??')],
    ['a query in the path', good.replace('?', '%3F')]
  ]
  for (const [name, target] of cases) {
    t.equal(outcome(await app.inject(target)), '403 SIGNED-URL-INVALID', name)
  }
})

t.test('a trailing slash does not matter (contract HTTP-5)', async (t) => {
  const { app } = await start(t)
  const { url } = app.signedUrl.sign(path)
  t.equal(outcome(await app.inject(local(url).replace('?', '/?'))), '200 success')
  t.equal(outcome(await app.inject(`${local(url)}/`)), '403 SIGNED-URL-INVALID', 'only of the path')
})

t.test('order does not matter, of parameters and of path segments', async (t) => {
  const { app } = await start(t)
  const { url } = app.signedUrl.sign(path, { a: '1' })
  const [, query = ''] = local(url).split('?')
  const reversed = query.split('&').reverse().join('&')
  t.equal(outcome(await app.inject(`${path}?${reversed}`)), '200 success')
  t.equal(outcome(await app.inject(`/sample/read/part_b/id_5/?${query}`)), '200 success')
  t.equal(
    outcome(await app.inject(`/sample/read/part_b/id_5/id_6?${query}`)),
    '403 SIGNED-URL-INVALID',
    'of a repeated parameter the last one counts'
  )
})

t.test('a link that was signed with another secret is invalid', async (t) => {
  const one = await start(t)
  const other = await start(t, { SVC_URL_SECRET: 'another'.repeat(6) })
  const { url } = one.app.signedUrl.sign(path)
  t.equal(outcome(await other.app.inject(local(url))), '403 SIGNED-URL-INVALID')
})

t.test('a secret that is not configured is made once, readable by its owner only', async (t) => {
  const folder = temporaryFolder(t)
  const config = loadConfig({ SVC_DATA_DIR: folder })
  const made = urlSecretOf(config)
  t.match(made, /^[0-9a-f]{64}$/)
  t.equal(urlSecretOf(config), made)
  t.equal(statSync(join(folder, 'secrets', 'SVC_URL_SECRET')).mode & 0o777, 0o600)
  t.same(readdirSync(join(folder, 'secrets')), ['SVC_URL_SECRET'], 'no temporary file is left')
  const given = { ...config, SVC_URL_SECRET: secret }
  t.equal(urlSecretOf(given), secret, 'the configuration comes first')
})

t.test('processes that start at once agree on one secret', async (t) => {
  const folder = temporaryFolder(t)
  const module = new URL('../../../plugins/runtime/secrets.ts', import.meta.url).href
  const gate = new SharedArrayBuffer(4)
  const script = `
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.module).then(({ urlSecretOf }) => {
      parentPort.postMessage('ready')
      Atomics.wait(new Int32Array(workerData.gate), 0, 0)
      parentPort.postMessage(urlSecretOf({ SVC_ENV: 'test', SVC_DATA_DIR: workerData.folder, SVC_URL_SECRET: '' }))
    })`
  const workers = Array.from(
    { length: 6 },
    () => new Worker(script, { eval: true, workerData: { module, folder, gate } })
  )
  const next = (worker: Worker) =>
    new Promise<string>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await Promise.all(workers.map(next))
  const answers = Promise.all(workers.map(next))
  Atomics.store(new Int32Array(gate), 0, 1)
  Atomics.notify(new Int32Array(gate), 0)
  t.equal(new Set(await answers).size, 1)
})

t.test('a stored secret that is too short is refused, not used', async (t) => {
  const folder = temporaryFolder(t)
  const config = loadConfig({ SVC_DATA_DIR: folder })
  mkdirSync(join(folder, 'secrets'))
  const file = join(folder, 'secrets', 'SVC_URL_SECRET')
  writeFileSync(file, 'abc')
  t.throws(() => urlSecretOf(config), /must hold at least 32 bytes/)
  t.equal(readFileSync(file, 'utf8'), 'abc')
})
