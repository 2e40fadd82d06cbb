import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const shelf = {
  name: 'shelf',
  fields: fieldsFrom(['slug:text:80!', 'room:text:80?', 'place:integer?']),
  unique: [['room', 'place']],
  max: 20
}
checkDeclaration(shelf)
declareAreas([shelf])

const { default: t } = await import('tap')
const { newcomer, outcome, restart, signIn, startService } = await import('./support/helper.ts')
const { openBrowser } = await import('./support/visitor.ts')
const service = await startService(t)
const { app } = service

async function start() {
  await restart(service)
  const { send } = await signIn(app)
  const make = (body: object) => send('POST', '/shelf/index', body)
  const idOf = async (body: object): Promise<number> => (await make(body)).json().Data.shelf.id
  return { send, make, idOf }
}

t.test('a value that must differ is taken once (contract E5)', async (t) => {
  const { send, make, idOf } = await start()
  const first = await idOf({ slug: 'a', room: 'hall', place: 1 })
  const refused = await make({ slug: 'a' })
  t.equal(outcome(refused), '409 CONFLICT')
  t.match(refused.json().Data, {
    reason: 'taken',
    taken: 'slug',
    details: [{ in: 'body', field: 'slug', message: 'is taken by another row' }]
  })
  const second = await idOf({ slug: 'b', room: 'hall', place: 2 })
  const url = `/shelf/item/id_${second}`
  const together = await send('PATCH', url, { place: 1 })
  t.match(together.json().Data, {
    reason: 'taken',
    taken: 'room',
    details: [{ message: 'is taken by another row, together with place' }]
  })
  t.equal(outcome(await send('PUT', url, { slug: 'a' })), '409 CONFLICT')
  t.equal(outcome(await send('PATCH', url, { slug: 'b', place: 2 })), '200 success', 'its own')
  t.equal(outcome(await send('PATCH', url, { room: null, place: 1 })), '200 success')
  t.equal(outcome(await make({ slug: 'c', place: 1 })), '200 success', 'two nulls differ')
  t.equal(outcome(await send('PATCH', `/shelf/item/id_${first}`, { slug: 'A' })), '200 success')
  t.equal(outcome(await send('PATCH', '/shelf/item/id_99', { slug: 'b' })), '404 SHELF-NOT-FOUND')
  const theirs = await newcomer(app, 'anna')
  t.equal(outcome(await theirs.send('POST', '/shelf/index', { slug: 'b' })), '200 success')
})

t.test('its page says so beside the field', async (t) => {
  await start()
  const browser = openBrowser(app)
  await browser.signIn()
  const url = '/shelf/board'
  const submit = async () => {
    const hidden = await browser.hiddenFields(url)
    return browser.submit(url, { ...hidden, action: 'add', slug: 'a' })
  }
  t.equal((await submit()).statusCode, 303)
  const refused = await submit()
  t.equal(refused.statusCode, 409)
  t.match(refused.body, /id="add-slug-problem">This is taken by another row\.</)
  t.notMatch(refused.body, /already in use|Another has this value/, 'and not twice')
})

t.test('of many at once, one has it', async (t) => {
  const { send, make, idOf } = await start()
  const made = await Promise.all(Array.from({ length: 10 }, () => make({ slug: 'same' })))
  t.same(
    made.map(outcome).toSorted(),
    ['200 success', ...Array(9).fill('409 CONFLICT')],
    'of those that are made'
  )
  const ids = await Promise.all(['b', 'c', 'd', 'e'].map((slug) => idOf({ slug })))
  const changed = await Promise.all(
    ids.map((id) => send('PATCH', `/shelf/item/id_${id}`, { slug: 'one' }))
  )
  t.same(
    changed.map(outcome).toSorted(),
    ['200 success', ...Array(3).fill('409 CONFLICT')],
    'of those that are changed'
  )
})

t.test('undo, plans and quotas keep to it', async (t) => {
  const { send, make, idOf } = await start()
  const id = await idOf({ slug: 'a' })
  await send('DELETE', `/shelf/item/id_${id}`)
  const other = await idOf({ slug: 'a' })
  const { changes } = (await send('GET', '/activity/index')).json().Data
  const deletion = changes.find(({ action }: { action: string }) => action === 'delete').id
  const undone = await send('POST', '/activity/undo', { ids: [deletion] })
  t.equal(outcome(undone), '409 CONFLICT', 'it does not come back beside another')
  await send('PATCH', `/shelf/item/id_${other}`, { slug: 'b' })
  await idOf({ slug: 'a' })
  const change = (await send('GET', '/activity/index')).json().Data.changes[1].id
  t.equal(outcome(await send('POST', '/activity/undo', { ids: [change] })), '409 CONFLICT')

  const step = (slug: string) => ({ operation: 'createShelf', arguments: { slug } })
  const plan = { purpose: 'x', steps: [step('c'), step('c')] }
  const refused = await send('POST', '/plan/index', plan)
  t.match(refused.json().Data, { step: 1, failure: { errorCode: 'CONFLICT', reason: 'taken' } })
  for (let i = 0; i < 18; i++) await make({ slug: `n${i}` })
  t.match((await make({ slug: 'z' })).json().Data, { reason: 'quota' })
  t.match((await make({ slug: 'a' })).json().Data, { reason: 'taken' })
})
