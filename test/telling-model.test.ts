/** Random rights that come and go: whoever asks for changes is told what a model of a few lines says (docs/areas.md, Who sees it). */

import type { Test } from 'tap'
import { checkDeclaration, type Declaration } from '../schemas/area/declaration.ts'
import { checkTogether, declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'
import { oneOf, random, seed, some } from './support/random.ts'

const byShelf = { read: ['shelf'], write: ['shelf'] }
const declared: Declaration[] = [
  {
    name: 'shelf',
    fields: fieldsFrom(['title:text', 'members:users?']),
    ...{ read: ['owner', 'members'], write: ['owner', 'members'] }
  },
  { name: 'book', fields: fieldsFrom(['title:text', 'shelf:ref:shelf:delete']), ...byShelf },
  {
    name: 'chapter',
    fields: fieldsFrom(['title:text', 'book:ref:book:clear?', 'members:users?']),
    ...{ read: ['owner', 'book', 'members'], write: ['owner'] }
  },
  { name: 'notice', fields: fieldsFrom(['title:text']), read: ['users'], write: ['owner'] }
]
for (const area of declared) checkDeclaration(area)
checkTogether(declared)
declareAreas(declared)

const { default: t } = await import('tap')
const { addUser, signIn, startService } = await import('./support/helper.ts')
const { app, sql } = await startService(t)

interface Row {
  kind: string
  owner: string
  shelf?: number | null
  book?: number | null
  members?: string[] | null
}
interface Change {
  id: number
  kind: string
  key: number
  action: 'create' | 'update' | 'delete'
  owner: string
  before: string | null
  after: string | null
  /** Who could read the row. */
  had: string[]
  has: string[]
}

const people = ['anna', 'bob', 'carl', 'dora']
const sessions = new Map<string, Awaited<ReturnType<typeof signIn>>['send']>()
for (const who of people) {
  await addUser(app, who)
  sessions.set(who, (await signIn(app, who)).send)
}
async function send(
  who: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object
) {
  const answer = await sessions.get(who)?.(method, url, body)
  if (!answer) throw new Error(`${who} is not signed in`)
  return answer
}

const rows = new Map<string, Row>()
const nameOf = (kind: string, id?: number | null) => `${kind} ${id}`
function mayRead(row: Row | undefined, who: string): boolean {
  if (!row) return false
  if (row.kind === 'notice') return true
  const above = row.kind === 'book' ? nameOf('shelf', row.shelf) : nameOf('book', row.book)
  const isOwn = row.owner === who && row.kind !== 'book'
  return isOwn || (row.members?.includes(who) ?? false) || mayRead(rows.get(above), who)
}
const readersOf = (name: string) => people.filter((who) => mayRead(rows.get(name), who))

let changes: Change[] = []
/** Takes over what was recorded since. */
async function replay() {
  const found =
    await sql(`select c.id, c.kind, c.key, c.action, u.user_id as owner, c.before, c.after
    from changes c join users u on u.id = c.user_id where c.id > ${changes.at(-1)?.id ?? 0} order by c.id`)
  for (const change of found as unknown as Change[]) {
    const { kind, key, owner, after } = change
    const name = nameOf(kind, Number(key))
    const had = readersOf(name)
    if (after === null) rows.delete(name)
    else rows.set(name, { ...JSON.parse(after), kind, owner })
    changes.push({ ...change, id: Number(change.id), key: Number(key), had, has: readersOf(name) })
  }
}

/** What somebody is told of the changes, newest first. */
function toldTo(who: string) {
  const isReadable = ({ kind, key }: Change) => {
    const name = nameOf(kind, key)
    if (rows.has(name)) return mayRead(rows.get(name), who)
    const last = changes.findLast((one) => one.key === key && one.kind === kind)
    return last?.action === 'delete' && last.had.includes(who)
  }
  return changes.toReversed().flatMap((change) => {
    const { id, action, had, has } = change
    const [was, is] = [had.includes(who), has.includes(who)]
    if (isReadable(change) && (action === 'delete' ? was : is)) {
      return [`${id} ${action} ${was ? change.before : null} ${change.after}`]
    }
    return was && !is && action !== 'delete' ? [`${id} hidden null null`] : []
  })
}
type Told = { id: number; action: string; before: object | null; after: object | null }
/** The same as it is answered. */
const asTold = ({ id, action, before, after }: Told) =>
  [id, action, ...[before, after].map((row) => JSON.stringify(row))].join(' ')

const idOf = (kind: string) =>
  Number(oneOf([...rows.keys()].filter((name) => name.startsWith(`${kind} `)))?.split(' ')[1] ?? 1)
const maybe = <Value>(value: Value) => (random(3) === 0 ? null : value)

/** Somebody tries something. Much of it is refused. */
async function act(who: string) {
  const kind = oneOf(['shelf', 'book', 'book', 'chapter', 'notice'])
  const title = `${kind} ${random(1000)}`
  const parts: Record<string, object> = {
    shelf: { members: some(people) },
    book: { shelf: idOf('shelf') },
    chapter: { book: maybe(idOf('book')), members: some(people) },
    notice: {}
  }
  const path = `/${kind}/item/id_${idOf(kind)}`
  const deed = random(12)
  if (deed < 4) return send(who, 'POST', `/${kind}/index`, { title, ...parts[kind] })
  if (deed < 7) return send(who, 'PATCH', path, { title })
  if (deed < 9) return send(who, 'PATCH', path, { ...parts[kind] })
  if (deed < 10) return send(who, 'DELETE', path)
  const recent = changes.slice(-8).map(({ id }) => id)
  return send(who, 'POST', '/activity/undo', { ids: some(recent).concat(oneOf(recent) ?? 1) })
}

async function compare(t: Test, where: string, { isWhole }: { isWhole: boolean }) {
  for (const who of sessions.keys()) {
    const expected = toldTo(who)
    const found: Told[] = []
    for (let cursor = ''; ; ) {
      const { Data } = (await send(who, 'GET', `/activity/index?limit=40${cursor}`)).json()
      found.push(...(Data.changes as Told[]))
      if (Data.next_cursor === null) break
      cursor = `&cursor=${Data.next_cursor}`
    }
    t.same(found.map(asTold), expected, `${where}: ${who}`)
    if (!isWhole) continue
    const after: Told[] = []
    for (let [next, more] = [0, true]; more; ) {
      const { Data } = (await send(who, 'GET', `/activity/index?limit=40&after=${next}`)).json()
      after.push(...(Data.changes as Told[]))
      ;[next, more] = [Data.next_after, Data.more]
    }
    const user = await app.repos.users.find({ user_id: who })
    const asked = { user_id: user?.id ?? 0, after: 0, limit: 10_000 }
    const toSend = (await app.repos.feed.ahead(asked)).changes.map(({ id }) => String(id))
    const ids = expected.toReversed().map((told) => told.split(' ')[0])
    t.same(toSend, ids, `${where}: ${who}, to be sent`)
    t.same(after.map(asTold).toReversed(), expected, `${where}: ${who}, in order`)
  }
}

t.test(
  `a change is told to whoever could read the row when it was made, and can now (seed ${seed})`,
  async (t) => {
    for (let acts = 1; acts <= 400; acts += 1) {
      await act(oneOf(people))
      await replay()
      if (acts % 100 === 0) await compare(t, `after ${acts}`, { isWhole: true })
    }
    t.ok(changes.length > 50)
    // The rows of a user who is removed go, and what others have below them.
    const gone = 'dora'
    const answer = await send(gone, 'POST', '/account/remove', { user_pass: gone })
    t.equal(answer.statusCode, 200)
    sessions.delete(gone)
    await replay()
    changes = changes.filter(({ owner }) => owner !== gone)
    for (const [name, row] of rows) {
      if (row.owner === gone) rows.delete(name)
      else if (row.members) row.members = row.members.filter((who) => who !== gone)
    }
    await compare(t, 'without dora', { isWhole: false })
  }
)
