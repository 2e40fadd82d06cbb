import t from 'tap'
import { samples } from '../../../support/form.ts'
import { startService } from '../../../support/helper.ts'
import { connect, textOf, toldOf } from '../../../support/mcp.ts'

t.test('a day of work through tools alone, and all of it undone: 12 calls and 20 kB', async (t) => {
  const service = await startService(t)
  const scopes = ['todo:read', 'todo:write', 'memo:read', 'memo:write'] as const
  const client = await connect(t, service, {
    user_id: 'demo',
    scopes: [...scopes, 'attachment:read', 'attachment:write']
  })
  const run = 'day-1'
  const called: string[] = []
  let bytes = 0
  async function call(name: string, args: Record<string, unknown>) {
    called.push(name)
    const result = await client.callTool({ name, arguments: args })
    t.notOk(result.isError, `${name} ${JSON.stringify(result.content)}`)
    // Models are given the text, or the structure, which is the same.
    bytes += textOf(result).length
    return toldOf(result)
  }
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1)

  const made = await call('create_todos', {
    items: numbers.map((n) => ({ title: `Task ${n}` })),
    idempotency_key: 'day-1-make',
    run
  })
  const ids: number[] = made.items.map(({ id }: { id: number }) => id)
  t.equal(made.succeeded, 30)
  const changed = await call('change_todos', {
    items: ids.filter((id) => id % 2 === 0).map((id) => ({ id, is_completed: true })),
    run
  })
  t.equal(changed.succeeded, 15)
  t.equal((await call('list_todos', { is_completed: false })).todos.length, 15)
  t.equal((await call('delete_todos', { ids, run })).succeeded, 30)

  const { memo } = await call('create_memo', { body: 'Thirty tasks', run })
  const { id } = memo
  const body = 'Thirty tasks, made and done'
  const replaced = await call('change_memo', { id, body, if_match: 'v1', return: 'minimal', run })
  t.same(replaced.memo, { id, version: 2 })
  const moved = await call('move_memo', { id, to_state: 'published', if_match: 'v2', run })
  t.equal(moved.memo.state, 'published')
  const content = samples.png.toString('base64')
  const { attachment } = await call('create_attachment', { name: 'dot.png', content, run })
  t.match((await call('get_attachment_link', { id: attachment.id })).url, /signature=/)

  t.match((await call('list_activity', { run, limit: 1, return: 'minimal' })).changes, [
    { kind: 'attachment', action: 'create' }
  ])
  t.equal((await call('undo_activity', { run, dry_run: true })).undone.length, 79)
  const undone = await call('undo_activity', { run })
  t.match({ ...undone, undone: undone.undone.length }, { undone: 79, conflicts: [], more: false })
  t.ok(called.length <= 12, `${called.length} calls`)
  t.ok(bytes < 20_000, `${bytes} bytes`)
})
