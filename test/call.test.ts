import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { makeAccessToken } from './support/access-token.ts'
import { runInProcess } from './support/command.ts'
import { startService, temporaryFolder } from './support/helper.ts'

const { app } = await startService(t)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
const { bearer } = await makeAccessToken(app, {
  user_id: 'demo',
  scopes: ['todo:read', 'todo:write', 'memo:read', 'memo:write']
})
const token = bearer.authorization.replace('Bearer ', '')
const HOME = temporaryFolder(t)
const run = (args: string[], { env = {}, input = '' } = {}) =>
  runInProcess({ HOME, SVC_MCP_TOKEN: token, ...env }, ['call', '--url', url, ...args], input)
const call = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(args)
  t.same({ code, stderr }, { code: 0, stderr: '' }, args.join(' '))
  return JSON.parse(stdout)
}

t.test('gatehouse call prints what an operation answers', async (t) => {
  t.match(await call('createTodo', '--title', '12'), { todo: { id: 1, title: '12' } })
  const items = JSON.stringify([{ title: 'a' }, { title: 'b' }])
  t.match(await call('createTodos', `--items=${items}`, '--run', 'tidy'), { succeeded: 2 })
  t.match(await call('changeTodo', '--id', '1', '--is_completed', 'true'), {
    todo: { is_completed: true }
  })
  const listed = await call('listTodos', '--is_completed', 'false', '--limit', '1')
  t.match(listed, { todos: [{ title: 'b' }], next_cursor: 3 })
  t.match(await call('undoActivity', '--run', 'tidy'), { undone: [{}, {}] })
  t.match(await call('createTodo', '--title=--x'), { todo: { title: '--x' } })
  await call('createMemo', '--json', '{"body":"x"}')
  const args = JSON.stringify({ id: 1, body: 'y', if_match: 1 })
  const changed = await run(['replaceMemo', '--json', '-'], { input: args })
  t.match(JSON.parse(changed.stdout), { memo: { body: 'y', version: 2 } })
  t.equal(changed.stdout.split('\n').length, 2, 'one line')
  t.match((await call('getCurrentSession')).via, 'token')
})

t.test('a failure is code, message, remedy and what it names, with the exit code 1', async (t) => {
  const failed = async (args: string[], expected: RegExp, env = {}) => {
    const { code, stdout, stderr } = await run(args, { env })
    t.equal(code, 1, stderr)
    t.match(stderr, expected)
    t.notMatch(stderr, /`(If-Match|Idempotency-Key|X-Run-Id|Prefer|ETag|Data\.)/)
    const data = JSON.parse(stdout)
    t.equal(data.status, 'failure')
    return data
  }
  await failed(
    ['getTodo', '--id', '99'],
    /^gatehouse: TODO-NOT-FOUND: TODO item was not found\. Use an `id` that/
  )
  await failed(
    ['listTodos', '--limit', '501'],
    /^gatehouse: VALIDATION-FAILED: .* limit must be <= 500\. Correct the fields/
  )
  const scope = await failed(['listAttachments'], /^gatehouse: SCOPE-INSUFFICIENT: /)
  t.match(scope, { scope: 'attachment:read' })
  const { memo } = await call('createMemo', '--body', 'x')
  const id = String(memo.id)
  const move = ['moveMemo', '--id', id, '--to_state', 'archived']
  const moved = await failed(move, /^gatehouse: INVALID-TRANSITION: /)
  t.match(moved, { state: 'draft', allowed_next: ['published'] })
  const change = ['replaceMemo', '--id', id, '--body', 'y']
  await failed(change, /^gatehouse: PRECONDITION-REQUIRED: .* its `version` as --if_match\.$/m)
  await failed([...change, '--if_match', 'v7'], /^gatehouse: PRECONDITION-FAILED: /)
  const items = JSON.stringify([{ title: 'a' }, {}])
  const partial = await run(['createTodos', '--items', items])
  t.match(partial, { code: 1, stderr: '' })
  t.match(JSON.parse(partial.stdout), { status: 'partial', succeeded: 1 })
  const key = ['--idempotency_key', 'once', '--body']
  await call('createMemo', ...key, 'one')
  await failed(['createMemo', ...key, 'two'], /^gatehouse: VALIDATION-FAILED: /)
  await failed(['listTodos'], /^gatehouse: SESSION-CLOSED: /, { SVC_MCP_TOKEN: '' })
})

t.test('a wrong command line ends with 2', async (t) => {
  for (const [args, expected] of [
    [[], /call needs OPERATION/],
    [['listTodo'], /no operation listTodo/],
    [['createAttachment'], /no operation createAttachment/],
    [['listTodos', 'more'], /takes one OPERATION/],
    [['listTodos', '--completed', 'true'], /no argument completed: choose limit, cursor, id,/],
    [['getTodo'], /--id is missing/],
    [['getTodo', '--id'], /--id needs a value/],
    [['listTodos', '--q', '--limit', '1'], /--q needs a value/],
    [['getTodo', '--id', '1', '--id', '2'], /--id is given twice/],
    [['createTodo', '--json', '{'], /--json needs an object/]
  ] as const) {
    const { code, stdout, stderr } = await run([...args])
    t.same({ code, stdout }, { code: 2, stdout: '' }, args.join(' '))
    t.match(stderr, expected, args.join(' '))
  }
})

t.test('--help lists the operations and the arguments of one', async (t) => {
  const all = await run(['--help'])
  t.match(all, { code: 0, stdout: /^listTodos +GET \/todo\/index +List todos$/m })
  t.notMatch(all.stdout, /^(createAttachment|downloadAttachment|streamActivity) /m)
  const one = await run(['replaceMemo', '-h'])
  t.match(one.stdout, /^ {2}--body +string, required +Its text\.$/m)
  t.match(one.stdout, /^ {2}--if_match +string, required /m)
  const many = await run(['changeTodos', '--help'])
  t.match(many.stdout, /^ {2}--items +array, required +Done in this order\.$/m)
  t.match(many.stdout, /^ {6}id +integer, required +Key of the todo, a number\.$/m)
  t.match(many.stdout, /^ {6}is_completed +boolean +Whether it is done\.$/m)
  t.match(
    (await run(['moveMemo', '--help'])).stdout,
    /--to_state +string, required +The new state, one of draft, published, archived\.$/m
  )
  t.match((await runInProcess({}, ['help', 'call'])).stdout, 'call OPERATION [--NAME VALUE]')
})

t.test('the commands of /skill.md run as they stand', async (t) => {
  const { app } = await startService(t)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { bearer } = await makeAccessToken(app, { user_id: 'demo' })
  const env = { HOME, SVC_MCP_TOKEN: bearer.authorization.replace('Bearer ', '') }
  const { statusCode, headers, body } = await app.inject('/skill.md')
  t.match({ statusCode, ...headers }, { statusCode: 200, 'content-type': /^text\/markdown/ })
  t.ok(Buffer.byteLength(body) < 4000)
  t.match(body, /^---\nname: gatehouse\ndescription: .+\n---\n/)
  const [, script = ''] = /```sh\n(.*?)```/s.exec(body) ?? []
  const commands = [...script.matchAll(/^gatehouse (.+?)(?: <<'END'\n(.*?)\nEND)?$/gms)]
  t.ok(commands.length > 9)
  for (const [line, words = '', input] of commands) {
    const args = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)
    const { code, stderr } = await runInProcess(env, [...args.map(String), '--url', url], input)
    t.same({ code, stderr }, { code: 0, stderr: '' }, line)
  }
})

t.test(
  'without --url: the service that the user is signed in to, else that of SVC_PORT',
  async (t) => {
    const { port } = new URL(url)
    const env = { HOME, SVC_MCP_TOKEN: token, SVC_PORT: port }
    t.match(await runInProcess(env, ['call', 'listMemos']), { code: 0 })

    const home = temporaryFolder(t)
    const folder = join(home, '.config', 'gatehouse')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const keep = (origins: string[]) => {
      const access = { access_token: token, refresh_token: 'x', expires_at: Date.now() + 9e6 }
      const file = join(folder, 'credentials.json')
      writeFileSync(file, JSON.stringify(Object.fromEntries(origins.map((it) => [it, access]))))
      chmodSync(file, 0o600)
    }
    keep([url])
    t.match(await runInProcess({ HOME: home, SVC_MCP_TOKEN: 'wrong' }, ['call', 'listMemos']), {
      code: 0
    })
    keep([url, 'https://other.example'])
    t.match(await runInProcess({ HOME: home }, ['call', 'listMemos']), {
      code: 2,
      stderr: /say which service: --url http.*https:\/\/other\.example/
    })
    const open = await runInProcess({ HOME: home }, ['call', 'x', '--url', 'http://x.example'])
    t.match(open, { code: 2, stderr: /https only/ })
  }
)

t.test('--url after the operation is its argument, if it has one', async (t) => {
  const { port } = new URL(url)
  const make = (words: string[], env = {}) =>
    runInProcess({ HOME, SVC_MCP_TOKEN: token, SVC_PORT: port, ...env }, ['call', ...words])
  const hook = ['createSubscription', '--kinds', '["todo"]', '--url', 'https://hook.example/1']
  const { code, stdout, stderr } = await make(hook)
  t.same({ code, stderr }, { code: 0, stderr: '' })
  t.match(JSON.parse(stdout).subscription, { url: 'https://hook.example/1' })
  t.match(await make(['--url', url, ...hook], { SVC_PORT: '3' }), { code: 0 })
  const json = ['createSubscription', '--json', '{"url":"https://hook.example/2","kinds":["todo"]}']
  const made = await make([...json, '--url', url])
  t.match(JSON.parse(made.stdout).subscription, { url: 'https://hook.example/2' }, 'with --json')
  t.match(await make([`--url=${url}`, 'listMemos'], { SVC_PORT: '3' }), { code: 0 })
  t.match(await make(['listMemos', '--url', url], { SVC_PORT: '3' }), { code: 0 })
  t.match(await make(['listMemos', '--url', url]), { code: 0 })
  t.match(await make(['listMemos', '--url', 'http://127.0.0.1:3']), {
    code: 1,
    stderr: /:3 cannot be reached/
  })
})

t.test(
  'gatehouse health asks the service on this machine, or another, as containers do',
  async (t) => {
    const { port } = new URL(url)
    const health = (args: string[] = [], env = {}) =>
      runInProcess({ HOME, SVC_PORT: port, ...env }, ['health', ...args])
    const { code, stdout, stderr } = await health()
    t.same({ code, stderr }, { code: 0, stderr: '' })
    t.match(JSON.parse(stdout), { Data: { healthStatus: 'ok' } })
    t.match(await health(['--url', url], { SVC_PORT: '3' }), { code: 0 })
    t.same(await health([], { SVC_PORT: '3' }), {
      code: 1,
      stdout: '',
      stderr:
        'gatehouse: http://127.0.0.1:3 cannot be reached: the connection was refused (ECONNREFUSED)\n'
    })

    const down = createServer((_request, response) => response.writeHead(503).end('away'))
    down.listen(0, '127.0.0.1')
    await once(down, 'listening')
    t.teardown(() => down.close())
    const other = `http://127.0.0.1:${(down.address() as AddressInfo).port}`
    t.match(await health(['--url', other]), {
      code: 1,
      stderr: `gatehouse: ${other} answered 503: away\n`
    })
  }
)
