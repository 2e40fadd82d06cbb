import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { newService, outcome, type Service, startService } from '../support/helper.ts'

const secret = 'a-secret-of-the-sender-and-of-us!'
const url = '/webhook/index'
const now = Date.parse('2026-11-21T09:30:00.000Z')
const seconds = now / 1000
const event = '{"event":"invoice.paid","invoice":42}'
const refused = '401 WEBHOOK-SIGNATURE-INVALID'

const hmac = (body: string | Buffer, t: number | string = seconds, key = secret) =>
  createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')
const sign = (body: string | Buffer, t: number | string = seconds) => `t=${t},v1=${hmac(body, t)}`

async function startWebhook(t: Test, env: Record<string, string> = {}, start = startService) {
  const service = await start(t, { SVC_WEBHOOK_SECRET: secret, ...env })
  const post = (payload: string | Buffer, signature?: string, more: Record<string, string> = {}) =>
    service.app.inject({
      method: 'POST',
      url,
      headers: { ...(signature !== undefined && { 'x-webhook-signature': signature }), ...more },
      payload
    })
  return { ...service, post }
}

const storedEvents = ({ sql }: Service) => sql('SELECT * FROM webhook_events ORDER BY id')

t.test('an event is stored once, however often it is sent (contract WEBHOOK-2)', async (t) => {
  const { post, ...service } = await startWebhook(t)
  const first = await post(event, sign(event))
  t.equal(first.statusCode, 200)
  t.same(first.json(), { Result: true, Data: { status: 'success', duplicate: false, id: 1 } })
  service.clock.now += 200_000
  for (const signature of [
    sign(event),
    sign(event).toUpperCase().replace('T=', 't=').replace('V1', 'v1'),
    `t=${seconds},v1=${'0'.repeat(64)},v1=${hmac(event)}`
  ]) {
    const again = await post(event, signature)
    t.equal(again.statusCode, 200)
    t.same(again.json(), { Result: true, Data: { status: 'success', duplicate: true } })
  }
  const later = await post(event, sign(event, seconds + 1))
  t.equal(later.json().Data.duplicate, false, 'signed at another time, it is another event')
  const [stored, ...others] = await storedEvents(service)
  t.equal(others.length, 1)
  t.match(stored, { id: 1, payload: event, timestamp: seconds, signature_hash: /^[\da-f]{64}$/ })
  t.equal(stored?.created_at, new Date(now).toISOString())
  t.not(stored?.signature_hash, hmac(event), 'the signature itself is not stored')
})

t.test('of 20 equal events at once one is stored (contract WEBHOOK-2)', async (t) => {
  const { post, ...service } = await startWebhook(t)
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(event, sign(event))))
  t.same(new Set(answers.map(outcome)), new Set(['200 success']))
  const fresh = answers.filter((answer) => !answer.json().Data.duplicate)
  t.equal(fresh.length, 1)
  t.equal(fresh[0]?.json().Data.id, 1)
  t.equal((await storedEvents(service)).length, 1)
})

t.test('missing, malformed, wrong or stale signatures are 401 (contract WEBHOOK-1)', async (t) => {
  const { post, ...service } = await startWebhook(t)
  const good = sign(event)
  const v1 = hmac(event)
  const bodyHmac = createHmac('sha256', secret).update(event).digest('hex')
  const spaced = JSON.stringify(JSON.parse(event), null, 1)
  const accepted = '200 success'
  const cases: [name: string, signature: string | undefined, expected: string, body?: string][] = [
    ['missing', undefined, refused],
    ['empty', '', refused],
    ['no v1', `t=${seconds}`, refused],
    ['empty v1', `t=${seconds},v1=`, refused],
    ['no t', `v1=${v1}`, refused],
    ['empty t', `t=,v1=${hmac(event, '')}`, refused],
    ['t without a number', `t=now,v1=${hmac(event, 'now')}`, refused],
    ['t as a float', sign(event, `${seconds}.0`), refused],
    ['t negative', sign(event, -seconds), refused],
    ['t in milliseconds', sign(event, now), refused],
    ['t too long', sign(event, `${'0'.repeat(20)}${seconds}`), refused],
    ['two t', `t=1,${good}`, refused],
    ['the other order', `v1=${v1},t=${seconds}`, refused],
    ['white space', `t=${seconds}, v1=${v1}`, refused],
    ['something before', `x=1,${good}`, refused],
    ['a scheme of another version alone', `t=${seconds},v0=${v1}`, refused],
    ['another version beside a v1', `t=${seconds},v0=x,v1=${v1},v2=AB+/==`, accepted],
    ['another version beside a wrong v1', `t=${seconds},v0=${v1},v1=${'ab'.repeat(32)}`, refused],
    ['a v1 within another', `t=${seconds},v10=${v1},xv1=${v1}`, refused],
    ['something after that is no scheme', `${good},x`, refused],
    ['a t after', `${good},t=${seconds}`, refused],
    ['the hash alone', v1, refused],
    ['odd hex', good.slice(0, -1), refused],
    ['too short', good.slice(0, -2), refused],
    ['too long', `${good}00`, refused],
    ['not hex', `${good.slice(0, -1)}g`, refused],
    ['one digit altered', `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`, refused],
    ['another secret', `t=${seconds},v1=${hmac(event, seconds, 'other'.repeat(9))}`, refused],
    ['no secret', `t=${seconds},v1=${hmac(event, seconds, '')}`, refused],
    ['the body alone signed', `t=${seconds},v1=${bodyHmac}`, refused],
    ['another time', `t=${seconds + 1},v1=${v1}`, refused],
    ['old', sign(event, seconds - 301), refused],
    ['future', sign(event, seconds + 301), refused],
    ['just not old', sign(event, seconds - 300), accepted],
    ['just not future', sign(event, seconds + 300), accepted],
    ['altered body', good, refused, event.replace('42', '43')],
    ['body without its last byte', good, refused, event.slice(0, -1)],
    ['the same JSON, other white space', good, refused, spaced],
    ['the same JSON, other escapes', good, refused, event.replace('e', '\\u0065')],
    ['a line break after it', good, refused, `${event}\n`],
    ['no body', good, refused, ''],
    ['not JSON, and not signed', good, refused, 'broken'],
    ['several v1, the last one good', `t=${seconds},v1=${'ab'.repeat(32)},v1=${v1}`, accepted],
    ['several v1, the first one good', `t=${seconds},v1=${v1},v1=${'ab'.repeat(32)}`, accepted],
    ['several v1, none good', `t=${seconds}${`,v1=${'ab'.repeat(32)}`.repeat(9)}`, refused],
    ['several v1, one malformed', `${good},v1=x`, refused]
  ]
  for (const [name, signature, expected, body = event] of cases) {
    const response = await post(body, signature)
    t.equal(outcome(response), expected, name)
    if (expected !== refused) continue
    t.equal(response.headers['www-authenticate'], 'Bearer', 'as any 401')
    t.match(response.headers['content-type'], 'application/json')
    t.equal(response.json().Data.errorMessage, 'Webhook signature is invalid or stale.')
  }
  t.equal((await storedEvents(service)).length, 3, 'equal signatures are stored once')
})

t.test('a header sent twice is refused, whatever it holds', async (t) => {
  const { app, clock } = await startWebhook(t)
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  clock.now = now
  const send = (...signatures: string[]) =>
    new Promise<string>((resolve, reject) => {
      const headers = signatures.flatMap((signature) => ['X-Webhook-Signature', signature])
      headers.push('Host', 'localhost', 'Content-Length', String(event.length))
      const outgoing = request({ port, path: url, method: 'POST', headers }, async (incoming) => {
        const json = JSON.parse(await text(incoming))
        resolve(outcome({ statusCode: incoming.statusCode ?? 0, json: () => json }))
      })
      outgoing.on('error', reject).end(event)
    })
  const good = sign(event)
  t.equal(await send(good), '200 success')
  t.equal(await send(good, good), refused)
  t.equal(await send(good, 'x'), refused)
  t.equal(await send(good, `v1=${hmac(event)}`), refused)
  t.equal(await send(`t=${seconds}`, `v1=${hmac(event)}`), refused)
  t.equal(await send(good, ''), refused)
})

t.test('size is checked first, then the signature, then JSON (contract WEBHOOK-1)', async (t) => {
  const { post, ...service } = await startWebhook(t, { SVC_BODY_MAX_BYTES: '2048' })
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  const invalid = '400 BODY-INVALID'
  const sized = (length: number) => `"${'x'.repeat(length - 2)}"`
  const cases: [name: string, body: string | Buffer, expected: string, payload?: string][] = [
    ['an array', '[1]', '200 success'],
    ['a name that our requests use', '{"dry_run":false}', '200 success'],
    ['a number beyond 2^53', '{"n":12345678901234567890}', '200 success'],
    ['white space', ' {"a" : 1}\n', '200 success'],
    ['not ASCII', '{"a":"世界\\u0000"}', '200 success'],
    ['a byte order mark', '\ufeff{"a":1}', '200 success', '{"a":1}'],
    ['empty parses as null (contract E2)', '', '200 success', 'null'],
    ['as large as allowed', sized(2048), '200 success'],
    ['not JSON', 'a=1', invalid],
    ['cut', '{"a":', invalid],
    ['not UTF-8', bytes('22ff22'), invalid],
    ['cut UTF-8', bytes('22e28222'), invalid],
    ['__proto__', '{"a":{"__proto__":1}}', invalid],
    ['too large', sized(2049), '413 BODY-TOO-LARGE']
  ]
  for (const [name, body, expected] of cases) {
    t.equal(outcome(await post(body, sign(body))), expected, name)
    const unsigned = expected.startsWith('413') ? expected : refused
    t.equal(outcome(await post(body)), unsigned, `${name}, unsigned`)
  }
  t.same(
    (await storedEvents(service)).map(({ payload }) => payload),
    cases
      .filter(([, , expected]) => expected === '200 success')
      .map(([, body, , payload]) => payload ?? body),
    'the text is stored as it was sent'
  )
})

t.test('JSON is read whatever the Content-Type says (contract E2)', async (t) => {
  const { post } = await startWebhook(t)
  for (const type of [
    '',
    'application/json',
    'text/plain',
    ';',
    'multipart/form-data; boundary=x'
  ]) {
    const response = await post(event, sign(event), { 'content-type': type })
    t.equal(outcome(response), '200 success', type)
  }
})

t.test('events are kept for 30 days', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  // One whose timers begin now.
  const { post, ...service } = await startWebhook(t, {}, newService)
  const day = 86_400_000
  const { removeOld } = service.app.db.repos.webhookEvents
  /** How many events are left after a sweep. */
  async function sweep() {
    let swept = false
    service.app.db.repos.webhookEvents.removeOld = async (limit) => {
      const removed = await removeOld(limit)
      swept = true
      return removed
    }
    // No sweep begins while another runs.
    while (!swept) {
      mock.timers.tick(600_000)
      await new Promise(setImmediate)
    }
    return (await storedEvents(service)).length
  }
  t.equal(outcome(await post(event, sign(event))), '200 success')
  service.clock.now += 30 * day
  t.equal(await sweep(), 1)
  service.clock.now += 1
  t.equal(await sweep(), 0)
})

t.test('without a secret there is no such path (contract WEBHOOK-1)', async (t) => {
  const { post } = await startWebhook(t, { SVC_WEBHOOK_SECRET: '' })
  t.equal(outcome(await post(event, sign(event))), '404 NOT-FOUND')
})

t.test('a secret below 32 bytes stops the start', async (t) => {
  await t.rejects(startWebhook(t, { SVC_WEBHOOK_SECRET: 'x'.repeat(31) }), {
    message: 'SVC_WEBHOOK_SECRET must be at least 32 bytes'
  })
})
