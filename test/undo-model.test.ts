/** Random runs: an undo brings back all rows as they were before, and an undo of that, as they were after it. */
import { checkDeclaration, type Declaration } from '../schemas/area/declaration.ts'
import { checkTogether, declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'
import { oneOf, random, seed } from './support/random.ts'

const ofMembers = { read: ['owner', 'members'], write: ['owner', 'members'] }
const declared: Declaration[] = [
  { name: 'person', fields: fieldsFrom(['name:text:40!', 'boss:ref:person:clear?']) },
  {
    name: 'recipe',
    fields: fieldsFrom(['title:text', 'slug:text:20!?', 'cook:ref:person?', 'fast:boolean']),
    versions: true,
    states: { draft: ['sent'], sent: ['draft'] }
  },
  {
    name: 'part',
    fields: fieldsFrom(['what:text', 'recipe:ref:recipe:delete', 'day:date?', 'data:json?']),
    unique: [['recipe', 'day']]
  },
  { name: 'secret', fields: fieldsFrom(['words:text']) },
  { name: 'shelf', fields: fieldsFrom(['title:text', 'members:users?']), ...ofMembers },
  {
    name: 'book',
    fields: fieldsFrom(['title:text', 'shelf:ref:shelf:delete', 'why:ref:secret:clear?']),
    read: ['shelf'],
    write: ['shelf']
  }
]
for (const area of declared) checkDeclaration(area)
checkTogether(declared)
declareAreas(declared)

const { default: t } = await import('tap')
const { tableOfKind } = await import('../schemas/area/index.ts')
const { newcomer, signIn, startService } = await import('./support/helper.ts')
const { app, sql } = await startService(t)

interface Row {
  kind: string
  id: number
  owner: string
}
const people = ['demo', 'anna'] as const
const sessions = { demo: await signIn(app), anna: await newcomer(app, 'anna') }
const rows: Row[] = []

/** Sends a request in a run, if one is named. */
async function send(
  who: keyof typeof sessions,
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  run?: string
) {
  const { cookie, csrfToken } = sessions[who]
  const headers = {
    ...{ cookie, 'x-csrf-token': csrfToken, 'if-match': '*' },
    ...(run && { 'x-run-id': run })
  }
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, data: answer.json().Data }
}

const words = ['Soup', 'soup', 'Öl', '日本', '\u{1f600}', ' pad ', 'a\nb', '"q"', '%']
/** One of somebody, or of anybody; it may be gone. */
const idOf = (kind: string, owner?: string) =>
  oneOf(rows.filter((row) => row.kind === kind && (!owner || row.owner === owner)))?.id ?? 1
/** What somebody sends of a row. Much of it is refused. */
function bodyOf(kind: string, who: string): object {
  const text = oneOf(words)
  const maybe = <Value>(value: Value) => (random(2) === 0 ? value : null)
  switch (kind) {
    case 'todo':
      return { title: text, is_completed: random(2) === 0 }
    case 'memo':
      return { body: text }
    case 'person':
      return { name: `${text} ${random(9)}`, boss: maybe(idOf('person', who)) }
    case 'recipe':
      return { title: text, slug: maybe(text), cook: maybe(idOf('person', who)) }
    case 'part':
      return {
        ...{ what: text, recipe: idOf('recipe', who) },
        ...{ day: maybe(`2026-12-0${1 + random(4)}`), data: maybe({ [text]: [random(9)] }) }
      }
    case 'secret':
      return { words: text }
    case 'shelf':
      return { title: text, members: [...people] }
    default:
      return { title: text, shelf: idOf('shelf'), why: maybe(idOf('secret', who)) }
  }
}

const kinds = [...declared.map(({ name }) => name), 'todo', 'memo']
/** What is secret stays, so that whoever refers to it can come back. */
const removed = kinds.filter((kind) => kind !== 'secret')

/** One write of somebody. True if it was done. */
async function write(who: keyof typeof sessions, run?: string): Promise<boolean> {
  const kind = oneOf(kinds)
  const path = `/${kind}/item/id_${idOf(kind)}`
  const made = bodyOf(kind, who)
  const part = Object.fromEntries([oneOf(Object.entries(made))])
  const deed = random(10)
  if (deed < 4) {
    const items = [made, bodyOf(kind, who), bodyOf(kind, who)]
    const [url, body] = deed < 3 ? ['index', made] : ['batch', { items }]
    const { status, data } = await send(who, 'POST', `/${kind}/${url}`, body, run)
    const results = data.items ?? [data]
    for (const { [kind]: row } of results) if (row) rows.push({ kind, id: row.id, owner: who })
    return status < 300
  }
  if (deed < 6) return (await send(who, 'PATCH', path, part, run)).status < 300
  if (deed === 6) return (await send(who, 'PUT', path, made, run)).status < 300
  if (deed === 7 && kind === 'recipe') {
    const state = oneOf(['draft', 'sent'])
    return (await send(who, 'PUT', `/recipe/state/id_${idOf(kind)}`, { state }, run)).status < 300
  }
  const gone = oneOf(removed)
  const ids = [idOf(gone), idOf(gone)]
  const answer =
    deed === 8
      ? await send(who, 'POST', `/${gone}/remove`, { ids: [...new Set(ids)] }, run)
      : await send(who, 'DELETE', `/${gone}/item/id_${ids[0]}`, undefined, run)
  return answer.status < 300
}

/** All rows, without what each change moves on. */
async function everything() {
  const all = await Promise.all(
    kinds.map(async (kind) => {
      const found = await sql(`select * from ${tableOfKind(kind)} order by id`)
      return found.map(({ updated_at, version, ...row }) => `${kind} ${JSON.stringify(row)}`)
    })
  )
  return all.flat()
}

t.test(`an undo is exact, and so is that of an undo (seed ${seed})`, async (t) => {
  let runs = 0
  for (let count = 0; count < 40; count++) {
    for (let other = 0; other < 5; other++) await write(oneOf(people))
    const [who, run] = [oneOf(people), `run-${count}`]
    const before = await everything()
    let done = 0
    for (let deed = random(8); deed >= 0; deed--) if (await write(who, run)) done++
    if (done === 0) continue
    const after = await everything()
    const undo = await send(who, 'POST', '/activity/undo', { run })
    // Items that were refused, or values that stayed: nothing was changed.
    if (undo.status === 404) continue
    runs++
    t.match(undo, { status: 200, data: { conflicts: [] } }, `undo of ${run}`)
    t.same(await everything(), before, `before ${run}`)
    const again = await send(who, 'POST', '/activity/undo', { run: undo.data.run })
    t.match(again, { status: 200, data: { conflicts: [] } }, `undo of the undo of ${run}`)
    t.same(await everything(), after, `after ${run}`)
  }
  t.ok(runs > 20, `${runs} runs`)
})
