import { listAll } from '../caller.ts'
import type { AreaTraffic, Client, Person, Traffic } from '../client.ts'
import { Once } from '../once.ts'
import { Rows } from '../row.ts'

interface Value {
  title: string
  is_completed: boolean
}
type Todo = Value & { id: number }
/** The todos of all clients: another user must not find them. */
type Others = { id: number; owner: Person }[]

const most = 40
const toValue = ({ title, is_completed }: Todo): Value => ({ title, is_completed })
/** A title is the name of the row and a number that changes. */
const nameOf = (title: string) => title.split(' /')[0] ?? ''

function todoTraffic(client: Client, others: Others): Traffic {
  const { caller, random, report, name, person } = client
  const rows = new Rows<Value>(`todo ${name}`, report)
  const once = new Once<{ todo: Todo; items: { todo?: Todo; status: string }[] }>(
    caller,
    random,
    report,
    { body: { title: 'other' }, fails: ['VALIDATION-FAILED'] }
  )
  /** Batches whose answer was lost: all items of a batch must be there, or none. */
  let batches: string[][] = []
  let changes = 0

  const titleOf = (row: { name: string }) => `${row.name} /${++changes}`

  async function create() {
    const row = rows.add()
    const value = { title: titleOf(row), is_completed: false }
    const keep: Parameters<typeof once.send>[2] = (reply) => {
      const todo = reply.kind === 'done' ? reply.data.todo : undefined
      row.made(value, reply, todo?.id ?? 0, report)
      if (!todo) return
      others.push({ id: todo.id, owner: person })
      if (others.length > 100) others.shift()
    }
    const body = { title: value.title }
    if (random.chance(0.5)) await once.send('createTodo', { body }, keep)
    else keep(await caller.send('createTodo', { body }))
  }

  /** Sometimes with bad items: 207 if there are others, 422 if not. */
  async function createMany() {
    const made = Array.from({ length: random.between(0, 5) }, () => {
      const row = rows.add()
      return { row, value: { title: titleOf(row), is_completed: false } }
    })
    const bad = made.length === 0 || random.chance(0.3) ? [{ title: ' ' }] : []
    const items = [...made.map(({ value }) => ({ title: value.title })), ...bad]
    const keep: Parameters<typeof once.send>[2] = (reply) => {
      for (const [i, { row, value }] of made.entries()) {
        const id = reply.kind === 'done' ? reply.data.items[i]?.todo?.id : 0
        row.made(value, reply, id ?? 0, report)
      }
      if (reply.kind === 'unknown') batches.push(made.map(({ row }) => row.name))
      if (reply.kind === 'done' && reply.status !== (bad.length > 0 ? 207 : 200)) {
        report.problem(`createTodos: ${reply.status} for ${bad.length} bad items`)
      }
    }
    const request = { body: { items }, fails: made.length === 0 ? ['BATCH-ITEM-FAILED'] : [] }
    if (random.chance(0.5)) await once.send('createTodos', request, keep)
    else keep(await caller.send('createTodos', request))
  }

  async function replace() {
    const row = random.pick(rows.live)
    if (!row) return
    const value = { title: titleOf(row), is_completed: random.chance(0.5) }
    row.wrote(value, await caller.send('replaceTodo', { params: { id: row.id }, body: value }))
  }

  async function change() {
    const row = random.pick(rows.live)
    if (!row?.value) return
    const is_completed = !row.value.is_completed
    const value = { ...row.value, is_completed }
    const params = { id: row.id }
    row.wrote(value, await caller.send('changeTodo', { params, body: { is_completed } }))
  }

  async function remove() {
    const row = random.pick(rows.live)
    if (row) row.wrote(null, await caller.send('deleteTodo', { params: { id: row.id } }))
  }

  /** Several rows in one request: all are kept, or none. */
  async function changeMany() {
    const some = rows.live.slice(0, random.between(1, 4)).flatMap((row) => {
      if (!row.value) return []
      return [{ row, value: { ...row.value, is_completed: !row.value.is_completed } }]
    })
    if (some.length === 0) return
    const items = some.map(({ row, value }) => ({ id: row.id, is_completed: value.is_completed }))
    const headers = { prefer: 'return=minimal, handling=strict' }
    const reply = await caller.send('changeTodos', { body: { items }, headers })
    for (const { row, value } of some) row.wrote(value, reply)
  }

  async function removeMany() {
    const some = rows.live.slice(0, random.between(0, 2))
    if (some.length === 0) return
    const reply = await caller.send('deleteTodos', { body: { ids: some.map(({ id }) => id) } })
    for (const row of some) row.wrote(null, reply)
  }

  async function read() {
    const row = random.pick(rows.live)
    if (!row) return
    const reply = await caller.send<{ todo: Todo }>('getTodo', {
      params: { id: row.id },
      fails: ['TODO-NOT-FOUND']
    })
    if (reply.kind === 'done') row.saw(toValue(reply.data.todo), report)
    if (reply.kind === 'refused') row.saw(null, report)
  }

  async function readForeign() {
    const foreign = random.pick(others.filter(({ owner }) => owner !== person))
    if (!foreign) return
    const request = { params: { id: foreign.id }, fails: ['TODO-NOT-FOUND'] }
    const reply = await caller.send('getTodo', request)
    if (reply.kind === 'done') report.problem(`${name}: reads a todo of ${foreign.owner.user_id}`)
  }

  async function list() {
    const todos = await listAll<Todo>(caller, 'listTodos', 'todos')
    if (!todos) return
    for (const { title } of todos) client.checkOwner('todo', title)
    rows.compare(
      todos.map((todo) => ({ name: nameOf(todo.title), id: todo.id, value: toValue(todo) }))
    )
    for (const batch of batches) {
      const there = batch.filter((it) => todos.some((todo) => nameOf(todo.title) === it))
      if (there.length > 0 && there.length < batch.length) {
        report.problem(`a batch was kept in part: ${there} of ${batch}`)
      }
    }
    batches = []
  }

  const grow = (action: () => Promise<void>) => () =>
    rows.live.length < most ? action() : remove()

  return {
    actions: [
      ...[grow(create), grow(create), grow(create), grow(createMany)],
      ...[replace, replace, change, change, changeMany, remove, removeMany],
      ...[read, readForeign, list],
      () => once.replay(),
      () => once.replay()
    ],
    async check() {
      await once.finish()
      await list()
    }
  }
}

export default function todo(): AreaTraffic {
  const others: Others = []
  return {
    callers: ['user', 'admin', 'jwt', 'agent'],
    traffic: (client) => todoTraffic(client, others),
    visit: ({ caller }) => [() => caller.send('listTodos', { fails: ['SESSION-CLOSED'] })]
  }
}
