import t from 'tap'
import { createClient } from '../../client/src/index.ts'
import { demo, refusal, startClient } from '../support/client.ts'
import { holdTransaction } from '../support/helper.ts'

/** Answers 429 this many times, then a success; keeps the bodies of the requests. */
function limited(times: number, headers: Record<string, string>) {
  const bodies: string[] = []
  const answer = (request: Request) =>
    request.text().then((body) => {
      bodies.push(body)
      return bodies.length > times
        ? Response.json({ Result: true, Data: { status: 'success', todo: { id: 1 } } })
        : Response.json(
            { Result: true, Data: { status: 'failure', errorCode: 'RATE-LIMIT-EXCEEDED' } },
            { status: 429, headers }
          )
    })
  return { bodies, answer }
}

t.test('a request answered 429 is sent again after Retry-After, with its body', async (t) => {
  const twice = limited(2, { 'retry-after': '0' })
  const api = createClient({ baseUrl: 'http://service.test', fetch: twice.answer })
  const { data } = await api.POST('/todo/index', { body: { title: 'Buy milk' } })
  t.equal(data.todo.id, 1)
  t.same(twice.bodies, Array(3).fill('{"title":"Buy milk"}'))
})

t.test('the number of retries and the wait are limited', async (t) => {
  const cases: [string, number, Record<string, string>, object][] = [
    ['two retries by default', 3, { 'retry-after': '0' }, {}],
    ['as many as asked for', 5, { 'retry-after': '0' }, { retries: 4 }],
    ['no retries', 1, { 'retry-after': '0' }, { retries: 0 }],
    ['not longer than a minute', 1, { 'retry-after': '61' }, {}],
    ['not longer than asked for', 1, { 'retry-after': '3' }, { longestWaitSeconds: 2 }],
    ['not without Retry-After', 1, {}, {}],
    ['not if Retry-After cannot be read', 1, { 'retry-after': 'soon' }, {}]
  ]
  for (const [rule, asked, headers, options] of cases) {
    const { answer: fetch, bodies } = limited(Number.POSITIVE_INFINITY, headers)
    const api = createClient({ baseUrl: 'http://service.test', fetch, ...options })
    const error = await refusal(api.GET('/todo/index'))
    t.same([error.code, bodies.length], ['RATE-LIMIT-EXCEEDED', asked], rule)
  }
})

t.test('aborting a call ends its wait for the next try', async (t) => {
  const { answer: fetch, bodies } = limited(1, { 'retry-after': '30' })
  const controller = new AbortController()
  const api = createClient({ baseUrl: 'http://service.test', fetch })
  const call = api.GET('/todo/index', { signal: controller.signal })
  controller.signal.addEventListener('abort', () => t.equal(bodies.length, 1))
  // The 429 comes at once, so by then the client is waiting.
  setTimeout(() => controller.abort(new Error('enough')), 50)
  await t.rejects(call, { message: 'enough' })
})

t.test('a 429 of the service says how long to wait', async (t) => {
  const { api, sent } = await startClient(t, { SVC_RATE_MAX: '1' }, { longestWaitSeconds: 5 })
  await api.POST('/session/login', { body: demo })
  await api.GET('/todo/index')
  const error = await refusal(api.GET('/todo/index'))
  t.same([error.code, error.retryAfterSeconds], ['RATE-LIMIT-EXCEEDED', 60])
  t.equal(sent.length, 3, 'a minute is longer than allowed')
})

/** Gives these answers in turn, then repeats the last; keeps the idempotency keys that came. */
function answering(...answers: (Response | Error)[]) {
  const keys: (string | null)[] = []
  const fetch = async (request: Request) => {
    const answer = answers[Math.min(keys.length, answers.length - 1)]
    keys.push(request.headers.get('idempotency-key'))
    if (answer instanceof Response) return answer.clone()
    throw answer
  }
  return { keys, api: createClient({ baseUrl: 'http://service.test', fetch }) }
}
const failure = (status: number, errorCode: string) =>
  Response.json(
    { Result: true, Data: { status: 'failure', errorCode } },
    { status, headers: { 'retry-after': '0' } }
  )
const page = (
  status: number,
  headers: Record<string, string> = { 'retry-after': new Date(0).toUTCString() }
) => new Response('<h1>Away</h1>', { status, headers: { ...headers, 'content-type': 'text/html' } })
const success = Response.json({ Result: true, Data: { status: 'success', todo: { id: 1 } } })
const overloaded = failure(503, 'SERVICE-OVERLOADED')
const lost = new TypeError('fetch failed')
const create = { body: { title: 'Buy milk' } }

t.test('all tries of a create carry one key; another create has another key', async (t) => {
  const { api, keys } = answering(overloaded, lost, success)
  await api.POST('/todo/index', create)
  await api.POST('/todo/index', create)
  const [first, second, third, next] = keys
  t.match(first, /^[0-9a-f]{32}$/)
  t.same([second, third], [first, first])
  t.not(next, first)
  const own = answering(success)
  await own.api.POST('/todo/index', {
    ...create,
    params: { header: { 'idempotency-key': 'mine' } }
  })
  t.same(own.keys, ['mine'])
})

t.test('what the catalog marks `later` is sent again, if that does no harm', async (t) => {
  const path = { id: 1 }
  for (const [rule, tries, answer, send] of [
    ['a read', 3, overloaded, (api) => api.GET('/todo/index')],
    ['a read without an answer', 3, lost, (api) => api.GET('/todo/index')],
    ['a create', 3, overloaded, (api) => api.POST('/todo/index', create)],
    [
      'not a write without a key',
      1,
      overloaded,
      (api) => api.PATCH('/todo/item/id_{id}', { params: { path }, ...create })
    ],
    ['not a write without an answer', 1, lost, (api) => api.POST('/session/logout')],
    [
      'any write that was refused before it began',
      3,
      failure(429, 'RATE-LIMIT-EXCEEDED'),
      (api) => api.POST('/session/logout')
    ],
    ['a page of a proxy', 3, page(502), (api) => api.GET('/todo/index')],
    ['one without Retry-After', 3, page(502, {}), (api) => api.GET('/todo/index')],
    ['a proxy that had to wait', 3, page(504, {}), (api) => api.POST('/todo/index', create)],
    ['not a write without a key', 1, page(504), (api) => api.POST('/session/logout')],
    [
      'a create that a proxy did not pass on',
      3,
      page(503),
      (api) => api.POST('/todo/index', create)
    ],
    ['not a write without a key', 1, page(503), (api) => api.POST('/session/logout')],
    ['not another status of a proxy', 1, page(500), (api) => api.GET('/todo/index')],
    ['not `after_change`', 1, failure(404, 'TODO-NOT-FOUND'), (api) => api.GET('/todo/index')],
    ['not `no`', 1, failure(500, 'INTERNAL-ERROR'), (api) => api.GET('/todo/index')],
    ['not an unknown code', 1, failure(503, 'OF-A-PROXY'), (api) => api.GET('/todo/index')]
  ] as [
    string,
    number,
    Response | Error,
    (api: ReturnType<typeof createClient>) => Promise<unknown>
  ][]) {
    const { api, keys } = answering(answer)
    await t.rejects(send(api), rule)
    t.equal(keys.length, tries, rule)
  }
})

t.test('a create sent again while the first is still running happens once', async (t) => {
  const { app, api, baseUrl } = await startClient(t)
  const { data } = await api.POST('/session/login', { body: demo })
  t.ok(data)
  const params = { header: { 'idempotency-key': 'the same' } }
  const { entered, release } = holdTransaction(app)
  const first = api.POST('/todo/index', { ...create, params })
  await entered
  const second = api.POST('/todo/index', { ...create, params })
  t.ok(baseUrl)
  release()
  t.same((await second).data.todo, (await first).data.todo)
  t.equal((await api.GET('/todo/index')).data.todos.length, 1)
})

t.test('a try without an answer ends after `timeoutSeconds`', async (t) => {
  let tries = 0
  const fetch = (request: Request) =>
    new Promise<Response>((_resolve, reject) => {
      tries += 1
      request.signal.addEventListener('abort', () => reject(request.signal.reason))
    })
  const options = { baseUrl: 'http://service.test', timeoutSeconds: 0.01, fetch }
  await t.rejects(createClient({ ...options, retries: 1 }).GET('/todo/index'), {
    name: 'TimeoutError'
  })
  t.equal(tries, 2, 'a read is tried again')
})
