import { listAll } from '../caller.ts'
import type { AreaTraffic, Client, Traffic } from '../client.ts'
import { Once } from '../once.ts'
import { Rows } from '../row.ts'

type Value = { title: string; is_completed: boolean }
type Todo = Value & { id: number }
type Change = { id: number; run: string | null; kind: string; key: number; action: string }
type Run = { run: string; changes: number; undone: boolean }
type Outcome = { undone: Change[]; conflicts: unknown[]; run: string | null }

const nameOf = (title: string) => title.split(' /')[0] ?? ''

/** Makes changes in runs, reads what was recorded, undoes it, and undoes the undo. */
function activityTraffic({ caller, random, report, person, name }: Client): Traffic {
  const rows = new Rows<Value>(`todo ${person.user_id}.undo ${name}`, report)
  const once = new Once<Outcome>(caller, random, report, {
    body: { run: 'other' },
    fails: ['VALIDATION-FAILED']
  })

  /** Makes, changes and sometimes deletes a todo in one run; then undoes the run, twice. */
  async function work() {
    const row = rows.add()
    const run = row.name.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(-50)
    const headers = { 'x-run-id': run }
    const first = { title: `${row.name} /1`, is_completed: false }
    const body = { title: first.title }
    const made = await caller.send<{ todo: Todo }>('createTodo', { headers, body })
    row.wrote(first, made)
    if (made.kind !== 'done') return
    row.id = made.data.todo.id
    const params = { id: row.id }
    const second = { title: `${row.name} /2`, is_completed: true }
    const changed = await caller.send('replaceTodo', { headers, params, body: second })
    row.wrote(second, changed)
    if (changed.kind !== 'done') return
    const isDeleted = random.chance(0.5)
    if (isDeleted) {
      const deleted = await caller.send('deleteTodo', { headers, params })
      row.wrote(null, deleted)
      if (deleted.kind !== 'done') return
    }
    const count = isDeleted ? 3 : 2
    await look(run, count)

    const dry = await caller.send<Outcome>('undoActivity', { body: { run, dry_run: true } })
    if (dry.kind === 'done' && dry.data.undone.length !== count) {
      report.problem(`${run}: ${dry.data.undone.length} of ${count} changes would be undone`)
    }
    if (random.chance(0.5)) {
      return once.send('undoActivity', { body: { run } }, (reply) => row.wrote(null, reply))
    }
    const undone = await caller.send<Outcome>('undoActivity', { body: { run } })
    row.wrote(null, undone)
    if (undone.kind !== 'done' || !undone.data.run || random.chance(0.5)) return
    const again = { body: { run: undone.data.run } }
    row.wrote(isDeleted ? null : second, await caller.send('undoActivity', again))
  }

  /** Checks that a run is there with all its changes. */
  async function look(run: string, count: number) {
    const listed = await caller.send<{ changes: Change[] }>('listActivity', { params: { run } })
    if (listed.kind === 'done' && listed.data.changes.length !== count) {
      report.problem(`${run}: has ${listed.data.changes.length} changes of ${count}`)
    }
    const found = await caller.send<{ runs: Run[] }>('activityRuns', { params: { limit: 500 } })
    if (found.kind !== 'done') return
    const known = found.data.runs.find((it) => it.run === run)
    if (known?.changes !== count || known.undone) {
      report.problem(`${run}: is listed as ${JSON.stringify(known)}`)
    }
  }

  async function undoNothing() {
    const request = { body: { run: 'never-was' }, fails: ['RUN-NOT-FOUND'] }
    const reply = await caller.send('undoActivity', request)
    if (reply.kind === 'done') report.problem(`${name}: undid a run that never was`)
  }

  async function list() {
    const todos = await listAll<Todo>(caller, 'listTodos', 'todos')
    if (!todos) return
    rows.compare(
      todos.map(({ id, title, is_completed }) => ({
        name: nameOf(title),
        id,
        value: { title, is_completed }
      }))
    )
  }

  return {
    actions: [work, work, undoNothing, list, () => once.replay()],
    async check() {
      await once.finish()
      await list()
    }
  }
}

export default function activity(): AreaTraffic {
  return { callers: ['user', 'jwt', 'agent'], traffic: activityTraffic }
}
