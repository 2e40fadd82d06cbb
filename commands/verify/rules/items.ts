import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type Context, callOf, explore, forEach, refusalOf, sendAsAny } from '../context.ts'
import type { Operation, Resource } from '../document.ts'
import type { Answer, Call, Way } from '../exchange.ts'
import { headerOf } from '../exchange.ts'
import { checkVersion } from './versions.ts'

interface Item {
  id: number
  [member: string]: unknown
}

/** A resource whose items can be made and removed. */
interface Workplace {
  context: Context
  resource: Resource
  as: Way
  /** By key; some are only listed. */
  read: Operation | undefined
  remove: Operation
  /** The keys of what exists because of this. */
  made: Set<number>
}

const boundary = 'verify-c0ffee'

/** Text is kept without white space around it, and a set in any order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(item)).sort()
  return typeof value === 'string' ? value.trim() : value
}

/** A request that creates an item with these members; of a form, a text file. */
function creation({ resource: { create }, as }: Workplace, body: unknown): Call {
  if (!create.body?.isForm) return callOf(create, { body }, as)
  const [field = 'file'] = Object.keys(create.body.schema.properties ?? {})
  const type = `multipart/form-data; boundary=${boundary}`
  const head = `content-disposition: form-data; name="${field}"; filename="verify.txt"`
  const text = `--${boundary}\r\n${head}\r\n\r\n${JSON.stringify(body)}\r\n--${boundary}--\r\n`
  return { ...callOf(create, { headers: { 'content-type': type } }, as), body: text }
}

const bodies = ({ context, resource: { create } }: Workplace) =>
  create.body?.isForm
    ? fc.record({ text: fc.string({ minLength: 1 }) })
    : context.requests.values(create.body?.schema ?? {})

/** Remembers what was made, wherever the answer has it. */
function remember({ resource: { singular }, made }: Workplace, answer: Answer) {
  const items: Item[] = []
  JSON.stringify(answer.json?.Data ?? null, (key, value) => {
    if (key === singular && Object(value).id !== undefined) items.push(value)
    return value
  })
  if (answer.status < 300) for (const { id } of items) made.add(id)
  return { answer, item: answer.status < 300 ? items[0] : undefined }
}

const make = async (place: Workplace, call: Call) => remember(place, await place.context.send(call))

const onItem = (operation: Operation, { id }: Item, as: Way, body?: unknown) =>
  callOf(operation, { params: { id: String(id) }, body }, as)

/** Removes one, whatever its version is. */
async function discard({ context: { send }, remove, as, made }: Workplace, id: number) {
  const headers = remove.needs.has('if-match') ? { 'if-match': '*' } : {}
  const answer = await send({ ...onItem(remove, { id }, as), headers, isCleanUp: true })
  if (answer.status < 300 || answer.status === 404) made.delete(id)
  return answer
}

/** What is allowed is kept as it was sent; what is forbidden is refused. */
async function checkCreation(place: Workplace) {
  const { context, resource, read, as, made } = place
  const { send, judge, requests } = context
  const { create, list, plural, singular } = resource
  await explore(context, bodies(place), async (body) => {
    const { answer, item } = await make(place, creation(place, body))
    judge('allowed', answer, refusalOf(context, answer))
    if (!item) return
    const found = await send(read ? onItem(read, item, as) : callOf(list, {}, as))
    await discard(place, item.id)
    const there = read
      ? isDeepStrictEqual(found.json?.Data?.[singular], item)
      : [found.json?.Data?.[plural]].flat().some((it) => Object(it).id === item.id)
    judge('stored', found, !there && `${item.id}: ${found.status} ${found.body}`)
  })
  if (!create.body || create.body.isForm) return
  await explore(context, requests.forbiddenBodies(create.body), async (body) => {
    const { answer } = await make(place, creation(place, body))
    for (const id of made) await discard(place, id)
    judge('forbidden', answer, answer.status < 400 && `${answer.status}`)
  })
}

/** A body is JSON whatever its type says, and nothing else is (contract E2). */
async function checkTypes(place: Workplace, body: unknown) {
  const { context, resource } = place
  const { judge } = context
  const call = creation(place, body)
  if (resource.create.body?.isForm) {
    const { answer } = await make(place, { ...call, headers: { 'content-type': 'text/plain' } })
    judge('media types', answer, answer.status < 400 && `${answer.status} for what is no form`)
    return
  }
  for (const type of ['text/plain', 'application/xml', 'nonsense']) {
    const { answer } = await make(place, { ...call, headers: { 'content-type': type } })
    judge('media types', answer, answer.status >= 400 && `${answer.status} for ${type}`)
  }
  const type = 'application/x-www-form-urlencoded'
  const form = { ...call, headers: { 'content-type': type }, body: 'a=b' }
  const { answer } = await make(place, form)
  judge('media types', answer, answer.status !== 400 && `${answer.status} for a form`)
}

/** The same key, then with another body (contract IDEMPOTENCY-1). */
async function checkIdempotency(place: Workplace, body: unknown, other: unknown) {
  const { context, resource } = place
  const { judge } = context
  if (!resource.create.headers.has('idempotency-key')) return
  const key = { 'idempotency-key': `verify-${randomUUID()}` }
  const keyed = (body: unknown) => {
    const call = creation(place, body)
    return { ...call, headers: { ...call.headers, ...key } }
  }
  const { answer: before, item } = await make(place, keyed(body))
  if (!item) return
  const { answer: again, item: same } = await make(place, keyed(body))
  judge('idempotency', again, same?.id !== item.id && `it was done again: ${again.body}`)
  const isMarked =
    headerOf(again, 'idempotent-replayed') === 'true' && again.status === before.status
  judge('idempotency', again, !isMarked && 'Idempotent-Replayed is absent')
  const { answer: changed } = await make(place, keyed(other))
  judge('idempotency', changed, changed.status !== 422 && `${changed.status} for another body`)
}

/** Without the version, with another, with an old one (RFC 9110 §13.1.1). */
async function checkPrecondition(
  place: Workplace,
  operation: Operation,
  item: Item,
  body: unknown
) {
  const { context, read, as } = place
  const { send, judge } = context
  if (!read) return
  const call = onItem(operation, item, as, body)
  const etag = await checkVersion(context, onItem(read, item, as))
  const conditions: [status: number, headers: Record<string, string>][] = [
    [428, {}],
    [412, { 'if-match': '"verify"' }],
    [412, { 'if-match': `W/${etag}` }],
    [200, { 'if-match': `"verify", ${etag}` }]
  ]
  if (operation.method !== 'DELETE') conditions.push([412, { 'if-match': etag }])
  for (const [status, headers] of conditions) {
    const answer = await send({ ...call, headers })
    const message = `${answer.status} instead of ${status} with ${headers['if-match'] ?? 'no If-Match'}`
    judge('if-match', answer, answer.status !== status && message)
  }
}

/** An operation on an item that was made for it. */
async function checkChange(place: Workplace, operation: Operation, body: unknown) {
  const { context, resource, read, as } = place
  const { send, judge, requests, described } = context
  const { item } = await make(place, creation(place, body))
  if (!item) return
  const example = operation.body?.example
  if (operation.needs.has('if-match')) await checkPrecondition(place, operation, item, example)
  if (operation.method === 'DELETE' || !operation.body) return
  const current = { 'if-match': '*' }
  const condition = operation.headers.has('if-match') ? current : {}
  await explore(context, requests.values(operation.body.schema), async (body) => {
    const answer = await send({ ...onItem(operation, item, as, body), headers: condition })
    judge('allowed', answer, refusalOf(context, answer))
    if (answer.status >= 300 || !read) return
    const found = await send(onItem(read, item, as))
    const kept = Object(found.json?.Data?.[resource.singular])
    // As it was sent: without prototypes of its own, and without -0.
    const sent = JSON.parse(JSON.stringify(body))
    const lost = Object.entries(Object(sent)).find(
      ([name, value]) => name in kept && !isDeepStrictEqual(canonical(value), canonical(kept[name]))
    )
    judge('stored', found, lost && `${lost[0]} is ${JSON.stringify(kept[lost[0]])}`)
  })
  const whole = described.resolve(operation.body.schema)
  await explore(
    context,
    requests.forbiddenBodies({ ...operation.body, schema: whole }),
    async (body) => {
      const answer = await send({ ...onItem(operation, item, as, body), headers: condition })
      judge('forbidden', answer, answer.status < 400 && `${answer.status}`)
    }
  )
}

/** What is deleted is gone, for every operation on it. */
async function checkRemoval(place: Workplace, body: unknown) {
  const { context, read, as } = place
  const { item } = await make(place, creation(place, body))
  if (!item) return
  const gone = (answer: Answer) =>
    context.judge('stored', answer, answer.status !== 404 && `${answer.status} after its removal`)
  const removed = await discard(place, item.id)
  context.judge('stored', removed, removed.status >= 300 && `${removed.status} ${removed.body}`)
  if (read) gone(await context.send(onItem(read, item, as)))
  gone(await discard(place, item.id))
}

/** Makes, changes and removes items of every resource that lets this caller remove what it made. */
export async function checkItems(context: Context) {
  const { described, note, seed } = context
  const { operations, resources } = described
  await forEach(context, resources, async (resource) => {
    if (resource.name.startsWith('/admin/')) {
      return note(`${resource.name}: nothing was made, because it is not the caller's own`)
    }
    const path = `${resource.name}/item/id_{id}`
    const [read, remove] = ['GET', 'DELETE'].map((method) =>
      operations.find((it) => it.path === path && it.method === method)
    )
    if (!remove) return note(`${resource.name}: nothing was made, because it could not be removed`)
    const place: Workplace = { context, resource, as: 'nobody', read, remove, made: new Set() }
    try {
      // The example first: a user without a role or a scope may not be allowed all that is valid.
      const [body, other] = [
        ...(resource.create.body?.isForm ? [] : [resource.create.body?.example]),
        ...fc.sample(bodies(place), { seed, numRuns: 2 })
      ]
      const begun = await sendAsAny(context, resource.create, (as) => {
        place.as = as
        return creation(place, body)
      })
      if (!begun) return note(`${resource.name}: nothing could be made`)
      const { status, body: text } = begun.answer
      context.judge('allowed', begun.answer, [400, 422].includes(status) && `${status} ${text}`)
      if (status >= 300) return note(`${resource.name}: ${status} to a creation`)
      remember(place, begun.answer)
      await checkCreation(place)
      await checkTypes(place, body)
      await checkIdempotency(place, body, other)
      for (const operation of resource.onItem) await checkChange(place, operation, body)
      await checkRemoval(place, body)
    } finally {
      for (const id of place.made) await discard(place, id)
      if (place.made.size > 0)
        note(`left behind in ${resource.name}: ${[...place.made].join(', ')}`)
    }
  })
}
