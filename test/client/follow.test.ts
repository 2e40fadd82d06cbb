import t, { type Test } from 'tap'
import { type ClientOptions, createClient, type WholeChange } from '../../client/src/index.ts'
import { refusal } from '../support/client.ts'

const limits = [1234_000, 40_000]

/** Lets each pause of the client pass at once, and keeps how many seconds it was to take; its time limits never end. */
function passPauses(t: Test) {
  const pauses: number[] = []
  const original = globalThis.setTimeout
  function passing(act: (...args: unknown[]) => void, ms: number, ...args: unknown[]) {
    // A neighbour in the process may wait for something too.
    if (!new Error().stack?.includes('/client/src/')) return original(act, ms, ...args)
    if (limits.includes(ms)) return original(() => {}, 0)
    pauses.push(ms / 1000)
    return original(act, 0)
  }
  t.intercept(globalThis, 'setTimeout', { value: passing, configurable: true, writable: true })
  return pauses
}

type Answer = () => Response | Promise<Response>

/** A client whose requests get these answers in turn, and the signals of its requests; the last answer never comes. */
function clientOf(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const asked: Request[] = []
  const api = createClient({
    baseUrl: 'http://service.test',
    bearer: 'x',
    timeoutSeconds: 1234,
    fetch: async (request) => {
      const answer = answers[asked.push(request) - 1]
      return answer ? answer() : new Promise<Response>(() => {})
    },
    ...options
  })
  return { api, asked }
}

const refused = (status: number, errorCode: string, headers = {}) =>
  Response.json({ Result: true, Data: { status: 'failure', errorCode } }, { status, headers })
const page = (status: number, headers = {}) =>
  new Response('<h1>Away</h1>', { status, headers: { 'content-type': 'text/html', ...headers } })
const lost = () => Promise.reject(new TypeError('fetch failed'))
/** A stream that says so much and is cut then. */
const cutAfter = (text: string) => () => {
  const body = new ReadableStream({
    start(controller) {
      if (text) controller.enqueue(new TextEncoder().encode(text))
    },
    pull: (controller) => controller.error(new TypeError('terminated'))
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
const event = (id: number) => `event: change\nid: ${id}\ndata: {"id":${id}}\n\n`

/** Follows until a change comes. */
async function nextOf(changes: AsyncGenerator<WholeChange, void>) {
  const { value } = await changes.next()
  await changes.return()
  return value?.id
}

t.test('a mistake of the caller ends api.changes() at once', async (t) => {
  const pauses = passPauses(t)
  for (const [status, code] of [
    [400, 'VALIDATION-FAILED'],
    [401, 'SESSION-CLOSED'],
    [403, 'SCOPE-INSUFFICIENT'],
    [404, 'NOT-FOUND'],
    [409, 'CONFLICT'],
    [410, 'CHANGES-GONE']
  ] as const) {
    const { api, asked } = clientOf([() => refused(status, code, { 'retry-after': '0' })])
    t.equal((await refusal(api.changes().next())).code, code)
    t.equal(asked.length, 1, code)
  }
  const { api } = clientOf([() => page(403)])
  t.equal((await refusal(api.changes().next())).status, 403, 'also of a proxy')

  for (const [what, options] of [
    ['a header that cannot be sent', { headers: { 'X-Run-Id': 'a\nb' } }],
    ['a credential that cannot be sent', { bearer: 'a\nb' }]
  ] as const) {
    t.throws(() => clientOf([], options), TypeError, what)
  }
  for (const [what, options] of [
    ['an address that is none', { baseUrl: 'nowhere' }],
    ['its own function', { onRequest: () => Promise.reject(new RangeError('a mistake')) }],
    ['its own credential', { bearer: () => Promise.reject(new RangeError('a mistake')) }]
  ] as const) {
    const { api, asked } = clientOf([], options)
    await t.rejects(api.changes().next(), what)
    t.same([asked, pauses], [[], []], what)
  }
})

t.test('while the service is away, api.changes() tries again with longer pauses', async (t) => {
  const pauses = passPauses(t)
  const away: Answer[] = [
    () => refused(503, 'SERVICE-OVERLOADED'),
    () => refused(503, 'A-CODE-OF-LATER'),
    () => page(502),
    () => page(504),
    () => page(521),
    () => refused(429, 'RATE-LIMIT-EXCEEDED'),
    () => page(429),
    () => page(408),
    () => page(425),
    lost,
    () => Promise.reject(new Error('of a fetch that throws other errors')),
    cutAfter('')
  ]
  const { api, asked } = clientOf([...away, cutAfter(event(7))])
  t.equal(await nextOf(api.changes()), 7)
  t.equal(asked.length, away.length + 1)
  const firsts = [2, 4, 8, 16, 32, ...Array(7).fill(60)]
  t.equal(pauses.length, firsts.length)
  for (const [i, first] of firsts.entries()) {
    const pause = pauses[i] ?? 0
    t.ok(pause >= first && pause <= first * 1.5, `${i}: ${pause}`)
  }
  t.ok(new Set(pauses.slice(5)).size > 1, 'not all clients come back at once')
})

t.test('a token that cannot be fetched now is asked for again', async (t) => {
  passPauses(t)
  let tries = 0
  const bearer = async () => {
    tries += 1
    if (tries === 1) throw new TypeError('fetch failed')
    return 'x'
  }
  const { api } = clientOf([cutAfter(event(1))], { bearer })
  t.equal(await nextOf(api.changes()), 1)
  t.equal(tries, 2)
})

t.test('it is not back before Retry-After', async (t) => {
  const pauses = passPauses(t)
  const { api } = clientOf([
    () => refused(429, 'RATE-LIMIT-EXCEEDED', { 'retry-after': '90' }),
    () => page(503, { 'retry-after': '99999999999' }),
    () => page(503, { 'retry-after': '0' }),
    cutAfter(event(1))
  ])
  t.equal(await nextOf(api.changes()), 1)
  const [minute, year, none] = pauses
  t.ok(Number(minute) >= 90)
  t.ok(Number(year) * 1000 < 2 ** 31, 'setTimeout takes no more')
  t.ok(Number(none) >= 8, 'a proxy that says 0 is not asked all the time')
})

t.test('once something has arrived, the first pause is the short one', async (t) => {
  const pauses = passPauses(t)
  const { api } = clientOf([
    lost,
    lost,
    lost,
    cutAfter('retry: 3000\n\n'),
    cutAfter(': \n\n'),
    lost,
    cutAfter(event(1))
  ])
  t.equal(await nextOf(api.changes()), 1)
  const firsts = [2, 4, 8, 3, 3, 6]
  t.equal(pauses.length, firsts.length)
  for (const [i, first] of firsts.entries()) {
    const pause = pauses[i] ?? 0
    t.ok(pause >= first && pause <= first * 1.5, `${i}: ${pause}`)
  }
})

t.test('the signal of the caller ends it at once', async (t) => {
  const enough = new Error('enough')
  for (const [when, answers, options] of [
    ['in a pause', [lost], {}],
    ['while it waits for an answer', [], {}],
    ['while it waits for a credential', [], { bearer: () => new Promise<string>(() => {}) }]
  ] as const) {
    const ending = new AbortController()
    const { api } = clientOf([...answers], options)
    const next = api.changes({ signal: ending.signal }).next()
    setImmediate(() => ending.abort(enough))
    await t.rejects(next, enough, when)
  }
  const ending = new AbortController()
  const { api } = clientOf([cutAfter(event(1) + event(2))])
  const changes = api.changes({ signal: ending.signal })
  t.match(await changes.next(), { value: { id: 1 } })
  ending.abort(enough)
  await t.rejects(changes.next(), enough, 'also between changes that came together')
})
