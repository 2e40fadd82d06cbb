import type { Resource } from '../../commands/verify/document.ts'
import { formOf } from '../bench/load.ts'
import type { Caller } from './caller.ts'
import { bodyOf, contentOf, operations, resources } from './operations.ts'
import type { Random } from './random.ts'
import type { Report } from './report.ts'
import { type Item, makeRows, markOf } from './rows.ts'

/** A client keeps about this many items of each resource. A user may have 20 subscriptions. */
const itemsMax = 15

export type Action = () => Promise<unknown>

/** What a client does again and again, and its last comparison. */
export interface Actor {
  actions: Action[]
  /** Compares what the service has with what is remembered; `caller` may have other credentials than before. */
  check?(): Promise<unknown>
}

export interface Parts {
  name: string
  caller: Caller
  random: Random
  report: Report
}

/** The items in an answer: the one under its name, or those of a batch. */
function itemsIn(data: Record<string, unknown>, singular: string): Item[] {
  const many = Array.isArray(data.items) ? data.items : [data]
  return many.flatMap((it) => (it?.[singular] ? (it[singular] as Item) : []))
}

/** What a change without an answer may have left. A transition names its state otherwise than the item. */
const changeOf = ({ to_state, ...rest }: Record<string, unknown>) =>
  to_state === undefined ? rest : { ...rest, state: to_state }

/** Creates, lists, reads, changes and deletes the items of one resource, as the document describes it. */
function resourceActor({ name, caller, random, report }: Parts, resource: Resource): Actor {
  const { create, list, onItem, onMany, singular, plural } = resource
  const rows = makeRows(`${name}: ${singular}`, report)
  let made = 0
  const text = () => markOf(name, ++made)
  // Refusals that depend on the state of the item: a transition that is not allowed, a delivery that needs no retry.
  const fails = ['INVALID-TRANSITION', 'BATCH-ITEM-FAILED', 'CONFLICT']

  async function write(operation: Resource['create'], some: Item[]) {
    const [first] = some
    const ids = some.map(({ id }) => id)
    const from = made
    const { isForm = false } = operation.body ?? {}
    const form = isForm ? await formOf(contentOf(random), `${text()}.txt`) : undefined
    const body = form ? null : operation.body && bodyOf(operation, { random, text, ids })
    const isKeyed = operation.headers.has('idempotency-key') && random.chance(0.5)
    const reply = await caller[isKeyed ? 'sendOnce' : 'send'](operation.operationId, {
      fails,
      ...(first && { params: { id: first.id } }),
      ...(form ? { body: form.body } : body && { body }),
      headers: {
        ...form?.headers,
        ...(operation.needs.has('if-match') && { 'if-match': `"v${first?.version}"` })
      }
    })
    if (reply.kind === 'unknown') {
      const texts = Array.from({ length: made - from }, (_, i) => markOf(name, from + 1 + i))
      if (some.length === 0) rows.doubtCreation(texts)
      const changes = (body?.items ?? []) as Partial<Item>[]
      const isDeletion = body === null || 'ids' in body
      for (const { id } of some) {
        rows.doubt(id, isDeletion ? null : changeOf(changes.find((it) => it.id === id) ?? body))
      }
    }
    if (reply.kind !== 'done') return
    const items = itemsIn(reply.data, singular)
    for (const item of items) rows.set(item.id, item)
    if (items.length === 0) for (const { id } of some) rows.set(id, null)
  }

  async function grow() {
    if (rows.live().length < itemsMax) return write(create, [])
    const remove = onItem.find(({ method }) => method === 'DELETE')
    return remove && write(remove, rows.live().slice(0, 1))
  }

  const read = [...operations.values()].find(
    ({ name: of }) => of === `GET ${resource.name}/item/id_{id}`
  )
  async function readOne({ id }: Item) {
    if (!read) return
    const reply = await caller.send(read.operationId, { params: { id } })
    if (reply.kind === 'done') rows.saw(id, reply.data[singular] as Item)
  }
  const withOne = (act: (item: Item) => Promise<void>) => async () => {
    const item = random.pick(rows.live())
    if (item) await act(item)
  }

  async function readAll() {
    const items = await caller.list(list.operationId, plural)
    if (items) rows.compare(items as Item[])
  }

  return {
    actions: [
      ...[grow, grow, grow, withOne(readOne), readAll],
      ...onItem.map((operation) => withOne((item) => write(operation, [item]))),
      ...onMany.map((operation) => async () => {
        const isCreation =
          operation.method === 'POST' && operation.body && 'items' in operation.body.example
        const some = isCreation ? [] : rows.live().slice(0, random.between(1, 3))
        if (isCreation || some.length > 0) await write(operation, some)
      })
    ],
    check: readAll
  }
}

/** All that the document says of what this credential may call: each resource, and what else can be read. */
export function actorsOf(parts: Parts, mayCall: ReadonlySet<string>): Actor[] {
  const may = ({ operationId }: { operationId: string }) => mayCall.has(operationId)
  const own = resources.filter(({ list, create }) => may(list) && may(create))
  const reads = [...operations.values()].filter(
    (it) =>
      it.method === 'GET' && !it.parameters.some((one) => one.required) && it.data.status && may(it)
  )
  return [
    ...own.map((resource) => {
      const { onItem, onMany } = resource
      const allowed = { onItem: onItem.filter(may), onMany: onMany.filter(may) }
      return resourceActor(parts, { ...resource, ...allowed })
    }),
    { actions: reads.map((it) => () => parts.caller.send(it.operationId)) }
  ]
}
