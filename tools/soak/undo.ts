import type { Actor, Parts } from './client.ts'

/** Makes and changes todos in a run and undoes the run: then none of them is there. */
export function undoActor({ name, caller, random, report }: Parts): Actor {
  const undone: string[] = []
  let runs = 0

  async function work() {
    const run = `undone-${name}-${++runs}`
    const headers = { 'x-run-id': run }
    const made = await caller.sendOnce('createTodo', { headers, body: { title: run } })
    if (made.kind !== 'done') return
    const { id } = made.data.todo as { id: number }
    await caller.send('changeTodo', { headers, params: { id }, body: { is_completed: true } })
    if (random.chance(0.5)) {
      await caller.send('deleteTodo', { headers, params: { id }, fails: ['TODO-NOT-FOUND'] })
    }
    const reply = await caller.sendOnce('undoActivity', { body: { run } })
    if (reply.kind === 'done') undone.push(run)
  }

  async function check() {
    const todos = await caller.list('listTodos', 'todos')
    const titles = new Set(todos?.map(({ title }) => title))
    for (const run of undone) {
      if (titles.has(run)) report.problem(`${name}: ${run} was undone, and is there`)
    }
  }

  return { actions: [work, check], check }
}
