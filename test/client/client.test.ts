import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { clientSchema } from '../../client/generate.ts'
import {
  type ErrorCode as ClientCode,
  createClient,
  type FailureCodes
} from '../../client/src/index.ts'
import type { Schema } from '../../plugins/reporting/openapi/document.ts'
import { catalog, type ErrorCode } from '../../schemas/errors.ts'
import { described, operations } from '../contract/document/operations.ts'
import { demo, refusal, startClient } from '../support/client.ts'
import { temporaryFolder } from '../support/helper.ts'
import { slow } from '../support/selection.ts'
import { runIn } from './outside/run.ts'

const agentToken = 'a-token-of-the-agent'
const { baseUrl, client } = await startClient(t, { SVC_AGENT_BEARER_TOKEN: agentToken })

// Checked by `tsc`: the client knows every code of the catalog. Those of declared areas no code names.
type Knows<A, B> = [B] extends [A] ? true : 'client/src/schema.ts is out of date: `npm run docs`'
const knowsTheCatalog: Knows<ClientCode, ErrorCode> = true

t.test('client/src/schema.ts is in sync with the document: run `npm run client`', async (t) => {
  t.ok(knowsTheCatalog)
  const committed = readFileSync(new URL('../../client/src/schema.ts', import.meta.url), 'utf8')
  t.equal(committed, await clientSchema())
})

t.test('each operation has the codes that it can fail with, as a type', async (t) => {
  const own: FailureCodes['POST /todo/index'] = 'TODO-TITLE-REQUIRED'
  const credential: FailureCodes['POST /todo/index'] = 'SCOPE-INSUFFICIENT'
  // @ts-expect-error A todo that is made need not exist.
  const other: FailureCodes['POST /todo/index'] = 'TODO-NOT-FOUND'
  // @ts-expect-error Health needs no credential.
  const open: FailureCodes['GET /health/index'] = 'SESSION-CLOSED'
  t.ok([own, credential, other, open].every((code) => Object.hasOwn(catalog, code)))
})

t.test('the client keeps the last cookie, and sends the CSRF token with changes', async (t) => {
  const { api, sent } = client()
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

t.test(
  'a load balancer that sets cookies of its own gets them back, beside the session',
  async (t) => {
    const cookies: string[][] = []
    const answers = [
      [
        'PHPSESSID=; Max-Age=0',
        'PHPSESSID=new; Path=/; HttpOnly',
        'AWSALB=a=1; Path=/',
        'sticky=x'
      ],
      ['AWSALB=b; Expires=Wed, 21 Oct 2099 07:28:00 GMT', 'sticky=; Max-Age=0', 'not a cookie'],
      ['AWSALB=c; expires=Wed, 21 Oct 2015 07:28:00 GMT'],
      ['PHPSESSID=; Path=/', 'AWSALB=d'],
      []
    ]
    const fetch = async ({ headers }: Request) => {
      const set = answers[cookies.push(headers.get('cookie')?.split('; ') ?? []) - 1] ?? []
      const answer = Response.json({
        Result: true,
        Data: { status: 'success', csrfToken: 'x', user: { id: 1 } }
      })
      for (const each of set) answer.headers.append('set-cookie', each)
      return answer
    }
    const api = createClient({ baseUrl: 'http://service.test', fetch })
    await api.POST('/session/login', { body: demo })
    for (const _ of answers) await api.GET('/session/current')
    t.same(cookies, [
      [],
      ['PHPSESSID=new', 'AWSALB=a=1', 'sticky=x'],
      ['PHPSESSID=new', 'AWSALB=b'],
      ['PHPSESSID=new'],
      ['AWSALB=d'],
      ['AWSALB=d']
    ])
    cookies.length = 0
    const given = { headers: { cookie: 'PHPSESSID=mine; AWSALB=mine' }, csrfToken: 'x' }
    const other = createClient({ baseUrl: 'http://service.test', fetch, ...given })
    answers.shift()
    for (const _ of answers) await other.GET('/session/current')
    t.same(cookies[1], ['PHPSESSID=mine', 'AWSALB=b'], 'beside those that the caller gives')
    const bearer = createClient({ baseUrl: 'http://service.test', fetch, bearer: 'x' })
    cookies.length = 0
    for (const _ of answers) await bearer.GET('/session/current')
    t.same(cookies.flat(), [], 'with a Bearer credential there are none')
  }
)

t.test('a bearer token is sent with every request, and no login is needed', async (t) => {
  const { api } = client({ bearer: agentToken })
  const { data } = await api.POST('/todo/index', { body: { title: 'Buy milk' } })
  t.equal(data.todo.title, 'Buy milk')
  t.same((await api.GET('/todo/index')).data.todos, [data.todo])
})

t.test('a failure is an error with code, status, details and request id', async (t) => {
  const { api } = client()
  const wrong = await refusal(
    api.POST('/session/login', { body: { user_id: 'demo', user_pass: '?' } })
  )
  t.match(wrong, { code: 'LOGIN-FAILED', status: 401, message: 'Wrong user ID or user PASS' })
  t.equal(wrong.name, 'ServiceError')
  t.match(wrong.requestId, /^[0-9a-f-]{36}$/)
  t.same(wrong.details, [])
  t.same(
    [wrong.retry, wrong.remedy],
    [catalog['LOGIN-FAILED'].retry, catalog['LOGIN-FAILED'].remedy]
  )

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
  t.equal(batch.data?.items?.[0]?.errorCode, 'TODO-TITLE-REQUIRED')
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
  for (const body of ['<h1>Sign in to this network</h1>', '{"Result":true,"Da', '{"ok":true}']) {
    const fetch = async () => new Response(body, { headers: { 'content-type': 'text/html' } })
    const api = createClient({ baseUrl: 'http://proxy.test', fetch })
    const { code, status, message } = await refusal(api.GET('/health/index'))
    t.same([code, status], [null, 200], body)
    t.match(message, /not one of the service: status 200, text\/html/)
  }
  const broken = createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
  await t.rejects(broken.GET('/health/index'), TypeError, 'no answer is an error of fetch')
})

t.test('a page that is reloaded resumes its session', async (t) => {
  const { api } = client()
  t.equal(await api.resume(), null, 'no session yet')
  const { response } = await api.POST('/session/login', { body: demo })
  const token = api.csrfToken
  t.match(token, /^[0-9a-f]{64}$/)

  // The browser still has the cookie; the new page has nothing.
  const [cookie = ''] = response.headers.getSetCookie().at(-1)?.split(';') ?? []
  const withCookie = (request: Request) => {
    request.headers.set('cookie', cookie)
    return fetch(request)
  }
  const page = createClient({ baseUrl, fetch: withCookie })
  t.equal(page.csrfToken, undefined)
  t.equal(
    (await refusal(page.POST('/todo/index', { body: { title: 'x' } }))).code,
    'CSRF-TOKEN-INVALID'
  )
  const current = await page.resume()
  t.match(current, { user: { user_id: 'demo' }, via: 'session', csrfToken: token })
  t.equal(page.csrfToken, token)
  await page.POST('/todo/index', { body: { title: 'x' } })

  const kept = createClient({ baseUrl, fetch: withCookie, ...(token && { csrfToken: token }) })
  await kept.POST('/session/logout')
  t.equal(kept.csrfToken, undefined)
  t.equal(await page.resume(), null)
  t.equal(page.csrfToken, undefined)
})

t.test('`pages` gives every item of a list, fetched as needed', async (t) => {
  const { api, sent } = await startClient(t)
  await api.POST('/session/login', { body: demo })
  const items = [1, 2, 3, 4, 5].map((n) => ({ title: `todo ${n}` }))
  await api.POST('/todo/batch', { body: { items } })
  const titles: string[] = []
  for await (const todo of api.pages('/todo/index', { query: { limit: 2 } }))
    titles.push(todo.title)
  t.same(titles, ['todo 5', 'todo 4', 'todo 3', 'todo 2', 'todo 1'])
  const sorted: string[] = []
  for await (const todo of api.pages('/todo/index', { query: { sort: 'title', limit: 2 } }))
    sorted.push(todo.title)
  t.same(sorted, titles.toReversed(), 'a sorted list too')

  const asked = sent.length
  for await (const { title } of api.pages('/todo/index', { query: { limit: 2 } })) {
    if (title === 'todo 4') break
  }
  t.equal(sent.length, asked + 1, 'a page that is not needed is not fetched')
  for await (const _memo of api.pages('/memo/index')) t.fail('there are no memos')
  await t.rejects(
    async () => {
      const signal = AbortSignal.abort(new Error('enough'))
      for await (const _todo of api.pages('/todo/index', { signal })) t.fail('aborted')
    },
    { message: 'enough' }
  )
})

t.test('`bearer` may be a function, called for each request', async (t) => {
  const tokens = ['wrong', agentToken]
  const { api, sent } = client({ bearer: async () => tokens.shift() ?? '' })
  t.equal((await refusal(api.GET('/todo/index'))).code, 'SESSION-CLOSED')
  await api.GET('/todo/index')
  t.equal(sent.at(-1)?.credentials, 'omit', 'no cookie is sent with it')
})

t.test('default headers, and a hook that sees each request as it is sent', async (t) => {
  const seen: [string, string | null][] = []
  let isAway = true
  const { api } = client({
    bearer: agentToken,
    headers: { 'X-Run-Id': 'import-7', Accept: 'application/json' },
    onRequest: async (request) => {
      seen.push([new URL(request.url).pathname, request.headers.get('authorization')])
      request.headers.set('traceparent', `00-${seen.length}`)
    },
    fetch: async (request) => {
      t.equal(request.headers.get('traceparent'), `00-${seen.length}`)
      if (!isAway) return fetch(request)
      isAway = false
      throw new TypeError('fetch failed')
    }
  })
  const { response } = await api.GET('/todo/index')
  const after = Number(response.headers.get('x-next-after'))
  await api.POST('/todo/index', { body: { title: 'x' } })
  const params = { header: { 'x-run-id': 'another' } }
  await api.POST('/todo/index', { body: { title: 'y' }, params })
  for await (const { run } of api.changes({ after })) {
    t.equal(run, 'import-7')
    break
  }
  t.same(seen, [
    ...Array(4).fill(['/todo/index', `Bearer ${agentToken}`]),
    ['/activity/stream', `Bearer ${agentToken}`]
  ])
  const { data } = await api.GET('/activity/runs')
  t.same(
    data.runs.slice(0, 2).map(({ run }) => run),
    ['another', 'import-7'],
    'a header of the call wins'
  )
})

t.test('a second sign-in in the browser does not break the first client', async (t) => {
  let cookie = ''
  // One browser: what it sends is the cookie of the last sign-in.
  const browser = async (request: Request) => {
    if (cookie) request.headers.set('cookie', cookie)
    const response = await fetch(request)
    const [last] = response.headers.getSetCookie().at(-1)?.split(';') ?? []
    if (last) cookie = last
    return response
  }
  const { api: first } = client({ fetch: browser })
  const { api: second } = client({ fetch: browser })
  await first.POST('/session/login', { body: demo })
  await second.POST('/session/login', { body: demo })
  const { data } = await first.POST('/todo/index', { body: { title: 'x' } })
  t.equal(data.todo.title, 'x')
  t.equal(first.csrfToken, second.csrfToken)

  await second.POST('/session/login', { body: { user_id: 'admin', user_pass: 'admin' } })
  const refused = await refusal(first.POST('/todo/index', { body: { title: 'y' } }))
  t.equal(refused.code, 'CSRF-TOKEN-INVALID', 'nothing is done in the name of another user')
})

/** A value that a schema allows, with required members alone. */
function least(schema: Schema): unknown {
  const {
    type,
    properties,
    required = [],
    anyOf,
    oneOf,
    items,
    ...rest
  } = described.resolve(schema)
  const [branch] = anyOf ?? oneOf ?? []
  if (branch) return least(branch)
  if (rest.const !== undefined) return rest.const
  if (rest.enum) return rest.enum[0]
  if (properties) {
    return Object.fromEntries(required.map((name) => [name, least(properties[name] ?? {})]))
  }
  if (items) return [least(items)]
  return { string: 'x', integer: 1, number: 1, boolean: true }[String(type)] ?? {}
}

t.test('a call of every operation compiles with its required members alone', slow, async (t) => {
  const calls = operations.map(({ method, path, parameters, body }) => {
    const params: Record<string, Record<string, unknown>> = {}
    for (const { in: place, name, required, schema } of parameters) {
      if (required) params[place] = { ...params[place], [name]: least(schema) }
    }
    const init = [
      ...(Object.keys(params).length > 0 ? [`params: ${JSON.stringify(params)}`] : []),
      ...(body?.isForm ? ['body: { file: new Blob() }'] : []),
      ...(body && !body.isForm ? [`body: ${JSON.stringify(least(body.schema))}`] : [])
    ]
    return `api.${method}('${path}'${init.length > 0 ? `, { ${init} }` : ''})`
  })
  const folder = temporaryFolder(t)
  const client = new URL('../../client/', import.meta.url).pathname
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const source = [
    `import { createClient } from '${relative(folder, client)}/src/index.ts'`,
    "const api = createClient({ baseUrl: '' })"
  ]
  writeFileSync(join(folder, 'calls.ts'), [...source, ...calls].join('\n'))
  const compilerOptions = { noEmit: true, rootDir: '/' }
  const config = { extends: `${client}tsconfig.json`, compilerOptions, files: ['calls.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await runIn(client, 'npx', 'tsc', '-p', folder)
  t.pass(`${calls.length} calls`)
})
