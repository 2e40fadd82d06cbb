import t from 'tap'
import { makeAccessToken } from '../support/access-token.ts'
import { signIn, startService } from '../support/helper.ts'
import { until } from '../support/hostile.ts'
import { connect, toldOf } from '../support/mcp.ts'

/** What tools answer that write: a plan that waits. */
interface Told {
  status: string
  plan: { id: number; state: string; reason: string | null; changes: object[]; rows?: object[] }
  plans: { id: number }[]
  changes: { action: string; kind: string }[]
  todos: { id: number; title: string; is_completed: boolean }[]
}

t.test('a day under the eyes of a person: three plans are approved, one is refused', async (t) => {
  const service = await startService(t)
  const { app } = service
  const person = await signIn(app)
  const scopes = ['todo:read', 'todo:write', 'memo:read', 'memo:write'] as const
  const { bearer } = await makeAccessToken(app, { scopes, asks: true })
  const client = await connect(t, service, { bearer })
  const call = async (name: string, args: object) =>
    toldOf(await client.callTool({ name, arguments: { ...args } })) as unknown as Told
  const decide = (how: 'apply' | 'refuse', { plan }: Told, body = {}) =>
    person.send('POST', `/plan/${how}/id_${plan.id}`, body)
  const run = 'tidy-up'

  const items = Array.from({ length: 30 }, (_, n) => ({ title: `Task ${n + 1}` }))
  const made = await call('create_todos', { items, run })
  t.same(made, { status: 'pending', plan: { id: made.plan.id, state: 'pending' } })
  const seen = await call('get_plan', { id: made.plan.id, return: 'full' })
  t.equal(seen.plan.changes.length, 30)
  t.same((await call('list_todos', {})).todos, [], 'nothing has happened yet')
  const waiting = call('get_plan', { id: made.plan.id, wait_seconds: 30 })
  t.equal((await decide('apply', made)).statusCode, 200)
  t.equal((await waiting).plan.state, 'applied')

  const short = await call('get_plan', { id: made.plan.id, return: 'minimal' })
  const { todos } = await call('list_todos', { limit: 100 })
  const keys = todos.map(({ id }) => id).toReversed()
  t.same(short.plan.rows, [{ kind: 'todo', action: 'create', keys }], 'in short, the keys')
  const even = todos.filter((_, n) => n % 2 === 0).map(({ id }) => ({ id, is_completed: true }))
  const done = await call('change_todos', { items: even, run })
  await decide('apply', done)
  const memo = await call('create_memo', { body: 'Thirty tasks', run })
  await decide('apply', memo)

  const removal = await call('delete_todos', { ids: todos.map(({ id }) => id), run })
  await decide('refuse', removal, { reason: 'Keep those that are open' })
  const refused = await call('get_plan', { id: removal.plan.id })
  t.match(refused.plan, { state: 'refused', reason: 'Keep those that are open' })
  const why = await call('get_plan', { id: removal.plan.id, return: 'minimal' })
  t.match(why.plan, { state: 'refused', reason: 'Keep those that are open' })

  const told = call('create_memo', { body: 'Waits', purpose: 'To be read', wait_seconds: 30 })
  await until(
    'the proposal waits',
    async () => (await call('list_plans', { state: 'pending' })).plans.length > 0
  )
  const [waits] = (await call('list_plans', { state: 'pending' })).plans
  t.match(waits, { purpose: 'To be read' })
  await person.send('POST', `/plan/apply/id_${waits?.id}`, {})
  t.match(await told, { status: 'applied', plan: { id: waits?.id, rows: [{ kind: 'memo' }] } })
  const soon = await call('create_memo', { body: 'Waits', wait_seconds: 31 })
  t.match(soon, { details: [{ field: 'wait_seconds', message: 'must be <= 30' }] })

  const needless = await call('create_todos', { items: [{ title: 'Needless' }] })
  t.match((await call('refuse_plan', { id: needless.plan.id })).plan, { state: 'withdrawn' })

  const { changes } = await call('list_activity', { run, limit: 100 })
  const count = (what: string) =>
    changes.filter(({ action, kind }) => `${action} ${kind}` === what).length
  t.same(
    ['create todo', 'update todo', 'create memo', 'delete todo'].map(count),
    [30, 15, 1, 0],
    'the record says what was done, and nothing else'
  )
})
