import { readFileSync } from 'node:fs'
import t from 'tap'
import { clientSchema } from '../../client/generate.ts'
import { type ErrorCode as ClientCode, createClient, ServiceError } from '../../client/index.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { startService } from '../helper.ts'
import { secret } from '../jwt.ts'

// Held by `tsc`: the client knows every code of the catalog, and no other.
type Same<A, B> = [A, B] extends [B, A] ? true : false
const knowsTheCatalog: Same<ClientCode, ErrorCode> = true

const demo = { user_id: 'demo', user_pass: 'demo' }
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64'
)

/** A service on a socket, and a client of it that notes what it sent. */
async function startClient(t: Parameters<typeof startService>[0], env = {}, options = {}) {
  const { app } = await startService(t, env)
  const baseUrl = await app.listen({ port: 0 })
  const sent: Request[] = []
  const api = createClient({
    baseUrl,
    fetch: (request) => {
      sent.push(request)
      return fetch(request)
    },
    ...options
  })
  return { app, api, sent }
}

/** What a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (error instanceof ServiceError) return error
  throw new Error(`not refused by the service: ${error}`)
}

/** Answers 429 so many times, then a health report; counts what was asked. */
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

t.test('client/schema.ts is in sync with the document: run `npm run client`', async (t) => {
  t.ok(knowsTheCatalog)
  const committed = readFileSync(new URL('../../client/schema.ts', import.meta.url), 'utf8')
  t.equal(committed, await clientSchema())
})

t.test('keeps the last cookie of the login and sends the token with changes', async (t) => {
  const { api, sent } = await startClient(t)
  t.equal((await refusal(api.GET('/todo/index'))).code, 'SESSION-CLOSED')
  const { data, response } = await api.POST('/session/login', { body: demo })
  t.equal(data.user.user_id, 'demo')
  const [, id] = /PHPSESSID=([^;]+)/.exec(response.headers.getSetCookie().at(-1) ?? '') ?? []
  t.equal(response.headers.getSetCookie().length, 2)

  const made = await api.POST('/todo/index', { body: { title: 'Buy milk ünïcode' } })
  const { data: list } = await api.GET('/todo/index', { params: { query: { limit: 1 } } })
  t.same(list.todos, [made.data.todo])
  const path = { id: made.data.todo.id }
  const changed = await api.PUT('/todo/item/id_{id}', {
    params: { path },
    body: { title: 'Buy oat milk', is_completed: true }
  })
  t.equal(changed.data.todo.is_completed, true)
  t.equal((await api.DELETE('/todo/item/id_{id}', { params: { path } })).data.id, path.id)

  const [, , post, get] = sent
  t.equal(post?.headers.get('cookie'), `PHPSESSID=${id}`)
  t.equal(post?.headers.get('x-csrf-token'), data.csrfToken)
  t.equal(get?.headers.get('cookie'), `PHPSESSID=${id}`)
  t.equal(get?.headers.get('x-csrf-token'), null, 'reads need none')

  await api.POST('/session/logout')
  t.equal((await refusal(api.GET('/todo/index'))).code, 'SESSION-CLOSED')
  t.equal(sent.at(-1)?.headers.get('cookie'), null, 'the cookie is gone')
  await api.POST('/session/login', { body: demo })
  t.equal((await api.GET('/todo/index')).response.status, 200, 'signs in again')
})

t.test('a bearer token is sent with every request, and no login is needed', async (t) => {
  const token = 'a token of the agent'.replaceAll(' ', '-')
  const { api } = await startClient(t, { SVC_AGENT_BEARER_TOKEN: token }, { bearer: token })
  const { data } = await api.POST('/todo/index', { body: { title: 'Buy milk' } })
  t.equal(data.todo.title, 'Buy milk')
  t.same((await api.GET('/todo/index')).data.todos, [data.todo])
})

t.test('a failure is an error with code, status, details and request id', async (t) => {
  const { api } = await startClient(t, { SVC_JWT_SECRET: secret })
  const wrong = await refusal(
    api.POST('/session/login', { body: { user_id: 'demo', user_pass: '?' } })
  )
  t.match(wrong, { code: 'LOGIN-FAILED', status: 401, message: 'Wrong user ID or user PASS' })
  t.equal(wrong.name, 'ServiceError')
  t.match(wrong.requestId, /^[0-9a-f-]{36}$/)
  t.same(wrong.details, [])

  await api.POST('/session/login', { body: demo })
  const { code, status, details } = await refusal(
    api.POST('/todo/index', { body: { title: 7 as unknown as string } })
  )
  t.same(
    [code, status, details],
    ['VALIDATION-FAILED', 422, [{ in: 'body', field: 'title', message: 'must be string' }]]
  )
  const batch = await refusal(api.POST('/todo/batch', { body: { items: [{ title: '' }] } }))
  t.equal(batch.code, 'BATCH-ITEM-FAILED')
  t.match(batch.body, { Data: { items: [{ errorCode: 'TODO-TITLE-REQUIRED' }] } })
  const part = await api.POST('/todo/batch', { body: { items: [{ title: '' }, { title: 'x' }] } })
  t.same([part.response.status, part.data.status, part.data.failed], [207, 'partial', 1])
})

t.test('an answer that is not the service’s own is an error without a code', async (t) => {
  for (const [body, status] of [
    ['<h1>Bad gateway</h1>', 502],
    ['', 504],
    ['null', 503],
    ['{"Data":null}', 500]
  ] as const) {
    const fetch = async () => new Response(body, { status })
    const api = createClient({ baseUrl: 'http://proxy.test', fetch })
    const error = await refusal(api.GET('/health/index'))
    t.same([error.code, error.status, error.requestId], [null, status, null], body)
  }
  const broken = createClient({ baseUrl: 'http://127.0.0.1:1' })
  await t.rejects(broken.GET('/health/index'), TypeError, 'no answer is an error of fetch')
})

t.test('a request answered 429 is sent again after Retry-After, with its body', async (t) => {
  const twice = limited(2, { 'retry-after': '0' })
  const api = createClient({ baseUrl: 'http://service.test', fetch: twice.answer })
  const { data } = await api.POST('/todo/index', { body: { title: 'Buy milk' } })
  t.equal(data.todo.id, 1)
  t.same(twice.bodies, Array(3).fill('{"title":"Buy milk"}'))
})

t.test('how often and how long it waits is bounded', async (t) => {
  const cases: [string, number, Record<string, string>, object][] = [
    ['two retries where nothing is said', 3, { 'retry-after': '0' }, {}],
    ['as many as asked for', 5, { 'retry-after': '0' }, { retries: 4 }],
    ['none', 1, { 'retry-after': '0' }, { retries: 0 }],
    ['not longer than a minute', 1, { 'retry-after': '61' }, {}],
    ['not longer than asked for', 1, { 'retry-after': '3' }, { longestWaitSeconds: 2 }],
    ['not without Retry-After', 1, {}, {}],
    ['not where it cannot be read', 1, { 'retry-after': 'soon' }, {}]
  ]
  for (const [rule, asked, headers, options] of cases) {
    const { answer: fetch, bodies } = limited(Number.POSITIVE_INFINITY, headers)
    const api = createClient({ baseUrl: 'http://service.test', fetch, ...options })
    const error = await refusal(api.GET('/todo/index'))
    t.same([error.code, bodies.length], ['RATE-LIMIT-EXCEEDED', asked], rule)
  }
})

t.test('a wait for the next try ends with the signal of the call', async (t) => {
  const { answer: fetch, bodies } = limited(1, { 'retry-after': '30' })
  const controller = new AbortController()
  const api = createClient({ baseUrl: 'http://service.test', fetch })
  const call = api.GET('/todo/index', { signal: controller.signal })
  controller.signal.addEventListener('abort', () => t.equal(bodies.length, 1))
  // The answer is there at once, so by now the client waits.
  setTimeout(() => controller.abort(new Error('enough')), 50)
  await t.rejects(call, { message: 'enough' })
})

t.test('a 429 of the service says how long to wait', async (t) => {
  const { api, sent } = await startClient(t, { SVC_RATE_MAX: '1' }, { longestWaitSeconds: 5 })
  await api.POST('/session/login', { body: demo })
  await api.GET('/todo/index')
  const error = await refusal(api.GET('/todo/index'))
  t.same([error.code, error.retryAfterSeconds], ['RATE-LIMIT-EXCEEDED', 60])
  t.equal(sent.length, 3, 'a minute is longer than asked for')
})

t.test('files go and come as they are; a 304 has no content', async (t) => {
  const { api } = await startClient(t)
  await api.POST('/session/login', { body: demo })
  const file = new File([image], 'dot.png')
  const { data } = await api.POST('/attachment/index', { body: { file } })
  t.match(data.attachment, { name: 'dot.png', mime: 'image/png', size: image.length })
  const path = { id: data.attachment.id }
  const link = await api.GET('/attachment/link/id_{id}', { params: { path } })
  const { searchParams } = new URL(link.data.url)
  const query = {
    expires: Number(searchParams.get('expires')),
    signature: searchParams.get('signature') ?? ''
  }
  const download = await api.GET('/attachment/download/id_{id}', { params: { path, query } })
  t.same(Buffer.from((await download.data?.arrayBuffer()) ?? new ArrayBuffer()), image)
  const again = await api.GET('/attachment/download/id_{id}', {
    params: {
      path,
      query,
      header: { 'if-none-match': download.response.headers.get('etag') ?? '' }
    }
  })
  t.same([again.response.status, again.data], [304, undefined])
})
