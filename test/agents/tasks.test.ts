import type { CallToolResult } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { scopes } from '../../schemas/access-token.ts'
import { samples } from '../support/form.ts'
import { signIn, startService } from '../support/helper.ts'
import { connect, textOf } from '../support/mcp.ts'

/** The forms in which clients hand a result to their model: each gets one of them only. */
const forms: readonly [form: string, user_id: string, shown: (result: CallToolResult) => string][] =
  [
    ['text', 'demo', textOf],
    ['structure', 'admin', ({ structuredContent }) => JSON.stringify(structuredContent)]
  ]

const service = await startService(t)
const { app } = service

/** An agent that sees one form of each result, and what its day has cost so far. */
async function start(t: Test, user_id: string, shown: (result: CallToolResult) => string) {
  const plain = scopes.filter((scope) => !scope.startsWith('admin:'))
  const client = await connect(t, service, { user_id, scopes: plain })
  const cost = { calls: 0, bytes: 0 }
  /** Calls a tool; returns all that the model is told. */
  async function call(name: string, args: Record<string, unknown> = {}) {
    const told = shown(await client.callTool({ name, arguments: args }))
    cost.calls += 1
    cost.bytes += Buffer.byteLength(told)
    return JSON.parse(told)
  }
  /** What is there, as its user sees it. */
  const { send } = await signIn(app, user_id)
  const rows = async (kind: string) => (await send('GET', `/${kind}/index`)).json().Data[`${kind}s`]
  return { client, call, cost, rows }
}

type Row = { id: number; title: string }

for (const [form, user_id, shown] of forms) {
  t.test(`a day's tasks, told as ${form} only`, async (t) => {
    const { client, call, cost, rows } = await start(t, user_id, shown)
    const { tools } = await client.listTools()
    // As it is sent: around the list there are some 50 bytes.
    t.ok(JSON.stringify(tools).length <= 10_950)
    const run = 'errands'

    await t.test('create several', async (t) => {
      const titles = ['Buy milk', 'Buy oat milk', 'Call Ann', 'Pay the rent']
      const made = await call('create_todos', { items: titles.map((title) => ({ title })), run })
      t.match(made, { succeeded: 4, failed: 0 })
      t.equal((await rows('todo')).length, 4)
    })

    await t.test('list, and change what was found', async (t) => {
      const { todos, next_cursor } = await call('list_todos', { q: 'milk', is_completed: false })
      t.equal(next_cursor, null)
      const items = todos.map(({ id }: Row) => ({ id, is_completed: true }))
      t.match(await call('change_todos', { items, run }), { succeeded: 2 })
      const done = (await rows('todo')).filter((row: { is_completed: boolean }) => row.is_completed)
      t.same(
        done.map(({ title }: Row) => title),
        ['Buy oat milk', 'Buy milk']
      )
    })

    await t.test('a memo, changed by the version that it has', async (t) => {
      const { memo } = await call('create_memo', { body: 'Milk: 2 l', run })
      // A guess is refused, with what to do about it.
      const args = { id: memo.id, body: 'Milk: 3 l', run }
      const refused = await call('change_memo', { ...args, if_match: memo.version + 1 })
      t.match(refused, { code: 'PRECONDITION-FAILED', remedy: /Read it again/ })
      const { memos } = await call('list_memos', { id: memo.id })
      await call('change_memo', { ...args, if_match: memos[0].version })
      t.match(await rows('memo'), [{ body: 'Milk: 3 l', version: 2 }])
    })

    await t.test('search over all kinds, and move what was found on', async (t) => {
      const { results } = await call('search', { q: 'milk', kinds: ['todo', 'memo'] })
      t.equal(results.length, 3)
      const [{ row }] = results.filter(({ kind }: { kind: string }) => kind === 'memo')
      await call('move_memo', { id: row.id, to_state: 'published', run })
      t.match(await rows('memo'), [{ state: 'published' }])
    })

    await t.test('a file', async (t) => {
      const content = samples.png.toString('base64')
      const { attachment } = await call('create_attachment', { name: 'dot.png', content, run })
      t.equal(attachment.mime, 'image/png')
      t.equal((await rows('attachment')).length, 1)
    })

    await t.test('what was done, and all of it undone', async (t) => {
      const { changes } = await call('list_activity', { run, return: 'minimal' })
      t.equal(changes.length, 10)
      t.match(await call('undo_activity', { run, return: 'minimal' }), {
        conflicts: [],
        more: false
      })
      for (const kind of ['todo', 'memo', 'attachment']) t.same(await rows(kind), [], kind)
    })

    t.ok(cost.calls <= 12, `${cost.calls} calls`)
    t.ok(cost.bytes <= 20_000, `${cost.bytes} bytes`)
    t.comment(`${cost.calls} calls, ${cost.bytes} bytes`)
  })

  t.test(`a refusal told as ${form} says what is taken, and that succeeds`, async (t) => {
    const { call, rows } = await start(t, user_id, shown)
    const many = Array.from({ length: 101 }, (_, n) => ({ title: `Task ${n}` }))
    const tooMany = await call('create_todos', { items: many })
    t.match(tooMany, { code: 'BATCH-TOO-LARGE', remedy: /`maximum`/ })
    const run = 'many'
    await call('create_todos', { items: many.slice(0, tooMany.maximum), run })
    t.equal((await rows('todo')).length, 100)

    await call('undo_activity', { run })
    const again = await call('undo_activity', { run })
    t.match(again.message, again.undone_by)
    await call('undo_activity', { run: again.undone_by })
    t.equal((await rows('todo')).length, 100)

    const text = await call('create_attachment', { name: 'a.txt', content: 'not base64' })
    t.match(text.details, [{ message: /base64/ }])
    const content = Buffer.from('base64').toString('base64')
    t.match(await call('create_attachment', { name: 'a.txt', content }), {
      attachment: { size: 6 }
    })

    const kinds = await call('search', { q: 'task', kinds: ['todos'] })
    const [, words = ''] = / of (.+)$/.exec(kinds.details[0].message) ?? []
    t.same((await call('search', { q: 'task', kinds: words.split(', ') })).kinds, [
      ...['todo', 'memo', 'attachment']
    ])
    const unknown = await call('list_todos', { completed: true })
    t.match(unknown.details, [{ field: 'completed', message: 'is not an argument of this tool' }])
  })
}
