import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const declared = Object.entries({
  person: ['name:text'],
  recipe: ['title:text', 'cook:ref:person:clear?', 'picture:ref:attachment?'],
  ingredient: ['name:text', 'recipe:ref:recipe:delete'],
  supplier: ['name:text', 'ingredient:ref:ingredient:delete'],
  comment: ['words:text', 'recipe:ref:recipe'],
  tome: ['one:text:10000', 'two:text:10000', 'three:text:10000'],
  mark: ['tome:ref:tome'],
  part: ['name:text', 'parent:ref:part:delete?'],
  tag: ['label:text?', 'size:integer'],
  use: ['tag:ref:tag'],
  chore: ['name:text', 'todo:ref:todo:delete', 'memo:ref:memo:clear?']
}).map(([name, fields]) => ({ name, fields: fieldsFrom(fields) }))
for (const area of declared) checkDeclaration(area)
declareAreas(declared)

const { default: t } = await import('tap')
const { scopes } = await import('../schemas/access-token.ts')
const { makeAccessToken } = await import('./support/access-token.ts')
const { upload } = await import('./support/form.ts')
const { openBrowser } = await import('./support/visitor.ts')
const { newcomer, outcome, restart, signIn, startService } = await import('./support/helper.ts')
const service = await startService(t)
const { app } = service

type Answer = { statusCode: number; json(): { Data: Record<string, unknown> } }
type Send = (
  method: 'POST' | 'PATCH' | 'PUT' | 'GET' | 'DELETE',
  url: string,
  body?: object
) => Promise<Answer>

/** Makes and reads rows in the name of somebody. */
const caller = (send: Send) => ({
  send,
  async make(kind: string, body: object) {
    const answer = await send('POST', `/${kind}/index`, body)
    const { id } = Object(answer.json().Data[kind])
    return { answer, id: Number(id), url: `/${kind}/item/id_${id}` }
  },
  async rows(kind: string, query = '') {
    const { Data } = (await send('GET', `/${kind}/index${query}`)).json()
    return Object.values(Data).find(Array.isArray) as Record<string, unknown>[]
  }
})

async function start() {
  await restart(service)
  return caller((await signIn(app)).send as Send)
}

/** What authorises a token that has these scopes alone. */
async function tokenOf(...names: string[]) {
  const wanted = scopes.filter((scope) => names.includes(scope))
  return (await makeAccessToken(app, { scopes: wanted })).bearer
}

/** The reason and the row of a refused deletion. */
const refusal = (answer: Answer) => {
  const { reason, referenced_by } = answer.json().Data
  return { outcome: outcome(answer as never), reason, referenced_by }
}

t.test('it is the id of a row that the writer may read (contract E5)', async (t) => {
  const { make, send } = await start()
  const theirs = caller((await newcomer(app, 'anna')).send as Send)
  const recipe = await make('recipe', { title: 'Soup' })
  const other = await theirs.make('recipe', { title: 'Cake' })
  const ingredient = await make('ingredient', { name: 'Leek', recipe: recipe.id })
  t.match(ingredient.answer.json().Data.ingredient, { recipe: recipe.id })
  const message = 'must be the id of a recipe that you may read'
  for (const id of [99, other.id, Number.MAX_SAFE_INTEGER]) {
    const refused = [
      (await make('ingredient', { name: 'Salt', recipe: id })).answer,
      await send('PATCH', ingredient.url, { recipe: id }),
      await send('PUT', ingredient.url, { name: 'Salt', recipe: id })
    ]
    for (const answer of refused) {
      t.equal(outcome(answer as never), '422 VALIDATION-FAILED')
      t.same(answer.json().Data.details, [{ in: 'body', field: 'recipe', message }])
    }
  }
  for (const recipe of [0, -1, 1.5, '1', null, true, Number.MAX_SAFE_INTEGER + 1])
    t.equal(
      outcome((await make('ingredient', { name: 'Salt', recipe })).answer as never),
      '422 VALIDATION-FAILED',
      JSON.stringify(recipe)
    )
  const cookless = await send('PATCH', recipe.url, { cook: null })
  t.equal(outcome(cookless as never), '200 success')
  t.equal(outcome((await send('PATCH', ingredient.url, { name: 'Leeks' })) as never), '200 success')
  const bearer = await tokenOf('ingredient:write', 'ingredient:read')
  const blind = await app.inject({
    method: 'POST',
    url: '/ingredient/index',
    headers: bearer,
    payload: { name: 'Salt', recipe: recipe.id }
  })
  t.match(blind.json().Data, { details: [{ field: 'recipe', message }] }, 'a token that reads none')
})

t.test(
  'a token that reads no recipes keeps the one that is there, and sets no other',
  async (t) => {
    const { make } = await start()
    const soup = await make('recipe', { title: 'Soup' })
    const cake = await make('recipe', { title: 'Cake' })
    const { url } = await make('ingredient', { name: 'Leek', recipe: soup.id })
    const headers = await tokenOf('ingredient:write')
    const put = async (recipe: number, to = url) => {
      const payload = { name: 'Salt', recipe }
      return outcome(await app.inject({ method: 'PUT', url: to, headers, payload }))
    }
    t.equal(await put(soup.id), '200 success')
    t.equal(await put(cake.id), '422 VALIDATION-FAILED')
    t.equal(await put(soup.id, '/ingredient/item/id_99'), '404 INGREDIENT-NOT-FOUND')
  }
)

t.test('a row that is referred to is kept, or takes with it what its fields say', async (t) => {
  const { make, send, rows } = await start()
  const cook = await make('person', { name: 'Anna' })
  const recipe = await make('recipe', { title: 'Soup', cook: cook.id })
  const comment = await make('comment', { words: 'Good', recipe: recipe.id })
  for (const url of [recipe.url, `${recipe.url}?dry_run=true`])
    t.same(refusal(await send('DELETE', url)), {
      outcome: '409 CONFLICT',
      reason: 'referenced',
      referenced_by: { kind: 'comment', id: comment.id }
    })
  const many = await send('POST', '/recipe/remove', { ids: [recipe.id] })
  t.match(many.json().Data, {
    items: [{ errorCode: 'CONFLICT', reason: 'referenced', referenced_by: { kind: 'comment' } }]
  })
  await send('DELETE', comment.url)
  const ingredient = await make('ingredient', { name: 'Leek', recipe: recipe.id })
  await make('supplier', { name: 'Market', ingredient: ingredient.id })

  t.equal(outcome((await send('DELETE', `${cook.url}?dry_run=true`)) as never), '200 success')
  t.match(await rows('recipe'), [{ cook: cook.id }], 'a dry run clears nothing')
  t.equal(outcome((await send('DELETE', cook.url)) as never), '200 success')
  t.match(await rows('recipe'), [{ cook: null }])
  t.equal(outcome((await send('DELETE', recipe.url)) as never), '200 success')
  t.same(await rows('ingredient'), [])
  t.same(await rows('supplier'), [])
  const changes = (await rows('activity', '?limit=5')) as { kind: string; action: string }[]
  t.same(
    changes.map(({ kind, action }) => `${action} ${kind}`),
    [
      ...['delete recipe', 'delete ingredient', 'delete supplier'],
      ...['delete person', 'update recipe']
    ],
    'what goes is recorded before what it refers to'
  )
})

t.test('an undo brings back what went, and nothing without its row', async (t) => {
  const { make, send, rows } = await start()
  const undo = async (body: object) => (await send('POST', '/activity/undo', body)).json().Data
  const newest = async () => Number((await rows('activity', '?limit=1'))[0]?.id)
  const recipe = await make('recipe', { title: 'Soup' })
  const ingredient = await make('ingredient', { name: 'Leek', recipe: recipe.id })
  await make('supplier', { name: 'Market', ingredient: ingredient.id })
  await send('DELETE', recipe.url)
  const last = await newest()
  t.match(
    await undo({ ids: [last - 1] }),
    { conflicts: [{ reason: 'cannot_return' }] },
    'its recipe is gone'
  )
  t.match(await undo({ ids: [last, last - 1, last - 2] }), { status: 'success', conflicts: [] })
  t.match(await rows('supplier'), [{ ingredient: ingredient.id }])
  t.match(await rows('ingredient'), [{ recipe: recipe.id }])

  const made = (await rows('activity', '?limit=100')).find(
    ({ kind, action }) => `${action} ${kind}` === 'create recipe'
  )
  t.match(
    await undo({ ids: [made?.id] }),
    { conflicts: [{ reason: 'changed' }] },
    'others refer to it'
  )

  const other = await make('recipe', { title: 'Cake' })
  await send('PATCH', ingredient.url, { recipe: other.id })
  const moved = await newest()
  await send('DELETE', recipe.url)
  t.match(
    await undo({ ids: [moved] }),
    { conflicts: [{ reason: 'changed' }] },
    'back to a row that is gone'
  )
})

t.test('in a circle, and to itself', async (t) => {
  const { make, send, rows } = await start()
  const undo = async (ids: number[]) => (await send('POST', '/activity/undo', { ids })).json().Data
  const part = await make('part', { name: 'a' })
  t.equal(outcome((await send('PATCH', part.url, { parent: part.id })) as never), '200 success')
  t.equal(outcome((await send('DELETE', part.url)) as never), '200 success')
  const [last] = await rows('activity', '?limit=1')
  t.match(await undo([Number(last?.id)]), { status: 'success' })
  t.match(await rows('part'), [{ parent: part.id }])

  const [b, c] = [await make('part', { name: 'b' }), await make('part', { name: 'c' })]
  await send('PATCH', b.url, { parent: c.id })
  await send('PATCH', c.url, { parent: b.id })
  t.equal(outcome((await send('DELETE', b.url)) as never), '200 success')
  t.match(await rows('part'), [{ name: 'a' }])
})

t.test('todos, memos and files are referred to as well', async (t) => {
  await restart(service)
  const person = await signIn(app)
  const { make, send, rows } = caller(person.send as Send)
  const todo = await make('todo', { title: 'Wash' })
  const memo = await make('memo', { body: 'How' })
  await make('chore', { name: 'Laundry', todo: todo.id, memo: memo.id })
  const headers = {
    cookie: person.cookie,
    'x-csrf-token': person.csrfToken,
    'if-match': '"v1"'
  }
  t.equal(outcome(await app.inject({ method: 'DELETE', url: memo.url, headers })), '200 success')
  t.match(await rows('chore'), [{ memo: null }])
  t.equal(outcome((await send('POST', '/todo/remove', { ids: [todo.id] })) as never), '200 success')
  t.same(await rows('chore'), [])

  const file = (await upload(app, person, 'text')).json().Data.attachment
  const recipe = await make('recipe', { title: 'Soup', picture: file.id })
  const removed = await send('DELETE', `/attachment/item/id_${file.id}`)
  t.match(refusal(removed), {
    reason: 'referenced',
    referenced_by: { kind: 'recipe', id: recipe.id }
  })
  await send('PATCH', recipe.url, { picture: null })
  await send('DELETE', `/attachment/item/id_${file.id}`)
  const again = await send('PATCH', recipe.url, { picture: file.id })
  t.equal(outcome(again as never), '422 VALIDATION-FAILED', 'a deleted file')
})

t.test('lists find rows by what they refer to, and add it', async (t) => {
  const { make, send, rows } = await start()
  const cook = await make('person', { name: 'Anna' })
  const soup = await make('recipe', { title: 'Soup', cook: cook.id })
  const cake = await make('recipe', { title: 'Cake' })
  const names = async (query: string) => (await rows('ingredient', query)).map(({ name }) => name)
  for (const [name, recipe] of [
    ['Leek', soup],
    ['Salt', soup],
    ['Egg', cake]
  ] as const)
    await make('ingredient', { name, recipe: recipe.id })
  t.same(await names(`?recipe=${soup.id}`), ['Salt', 'Leek'])
  t.same(await names(`?recipe.in=${soup.id},${cake.id}&sort=name`), ['Egg', 'Leek', 'Salt'])
  t.same(await rows('recipe', '?cook.is=null'), await rows('recipe', `?id=${cake.id}`))
  const read = async (query: string) =>
    (await send('GET', `/ingredient/index?${query}`)).json().Data.with
  t.match(await read('with=recipe,recipe.cook'), {
    recipe: [{ title: 'Cake' }, { title: 'Soup' }],
    'recipe.cook': [{ name: 'Anna' }]
  })
  t.same(Object.keys(Object(await read('sort=name&with=recipe.cook'))), ['recipe.cook'])
  t.equal(await read('limit=1'), undefined)
  for (const wrong of ['with=name', 'with=recipe.title', 'with=', 'with=recipe.cook.name'])
    t.equal(
      outcome((await send('GET', `/ingredient/index?${wrong}`)) as never),
      '422 VALIDATION-FAILED',
      wrong
    )
  const bearer = await tokenOf('ingredient:read', 'person:read')
  const seen = await app.inject({
    url: '/ingredient/index?with=recipe,recipe.cook',
    headers: bearer
  })
  t.same(seen.json().Data.with, { recipe: [], 'recipe.cook': [] }, 'of a kind that is not read')
})

t.test('what a list adds is no more than a page (contract SERVICE-5)', async (t) => {
  const { make, send } = await start()
  const text = 'ä'.repeat(10_000)
  for (let n = 0; n < 30; n++) {
    const { id } = await make('tome', { one: text, two: text, three: text })
    await make('mark', { tome: id })
  }
  const answer = (await send('GET', '/mark/index?with=tome')).json().Data
  const { tome } = answer.with as { tome: { id: number }[] }
  t.ok(tome.length > 10 && tome.length < 20, `${tome.length} of 30`)
  t.equal(tome[0]?.id, 30, 'the newest')
  const { body } = (await send('GET', '/tome/export')) as unknown as { body: string }
  t.equal(JSON.parse(body).length, 30)
})

t.test('on a page, a row is chosen by its name', async (t) => {
  const { make, rows } = await start()
  const soup = await make('recipe', { title: 'Soup' })
  const twins = [await make('recipe', { title: 'Cake' }), await make('recipe', { title: 'Cake' })]
  const browser = openBrowser(app)
  await browser.signIn()
  const url = '/ingredient/board'
  const add = async (recipe: string) => {
    const hidden = await browser.hiddenFields(url)
    return browser.submit(url, { ...hidden, action: 'add', name: 'Leek', recipe })
  }
  const second = `Cake · ${twins[1]?.id}`
  for (const text of ['Soup', ` Soup · ${soup.id} `, `${soup.id}`, second])
    t.equal((await add(text)).statusCode, 303, text)
  t.same(
    (await rows('ingredient')).map(({ recipe }) => recipe),
    [twins[1]?.id, soup.id, soup.id, soup.id]
  )
  for (const text of ['Cake', 'Stew', 'Soup · ', `Soup · 99`]) {
    const refused = await add(text)
    t.equal(refused.statusCode, 422, text)
    t.match(refused.body, /id="add-recipe-problem">This (is the name of no recipe|must be the id)/)
  }
  const { body } = await browser.get(url)
  t.match(body, `<option value="${second}"></option>`)
  t.match(body, `<span class="text" dir="auto">${second}</span>`)
})

t.test('pages of changes name the rows that a change refers to', async (t) => {
  const { make, send } = await start()
  const soup = await make('recipe', { title: 'Soup' })
  const cake = await make('recipe', { title: 'Cake' })
  const leek = await make('ingredient', { name: 'Leek', recipe: soup.id })
  const browser = openBrowser(app)
  await browser.signIn()
  const read = async (url: string) =>
    (await browser.get(url)).body.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')
  const move = { operation: 'changeIngredient', arguments: { id: leek.id, recipe: cake.id } }
  const tart = [
    { operation: 'createRecipe', arguments: { title: 'Tart' }, as: 'tart' },
    { operation: 'changeRecipe', arguments: { id: '$tart.id', title: 'Pie' } }
  ]
  const into = { operation: 'createIngredient', arguments: { name: 'Nut', recipe: '$tart.id' } }
  const plum = await make('ingredient', { name: 'Plum', recipe: soup.id })
  const moved = { operation: 'changeIngredient', arguments: { id: plum.id, recipe: '$tart.id' } }
  const steps = [...tart, move, into, moved]
  const plan = await send('POST', '/plan/index', { purpose: 'Sort.', steps })
  const of = `the recipe of Leek from Soup · ${soup.id} to Cake · ${cake.id}`
  const waiting = await read('/plan/board')
  t.match(waiting, new RegExp(`Change 2 ingredients: ${of} .*Add Tart.*Rename Tart to Pie`))
  t.match(waiting, ' the recipe of Plum from Soup · 1 to Tart (new) ')
  t.match(waiting, 'Add Nut ingredient recipe Tart (new)')
  t.match(plan.json().Data.plan, { changes: [{}, {}, {}, { refers_to: { recipe: 0 } }, {}] })
  await send('POST', `/plan/apply/id_${Object(plan.json().Data.plan).id}`)
  t.match(await read('/activity/board'), `Changed ${of}`)
  await send('DELETE', cake.url)
  t.match(await read('/activity/board'), `recipe Cake · ${cake.id}`, 'both are gone')
  const unnamed = await make('tag', { size: 1 })
  await make('use', { tag: unnamed.id })
  t.match(await read('/activity/board'), `tag tag · ${unnamed.id}`, 'a row without a name')
})

t.test('a plan refers to rows that it makes', async (t) => {
  const { make, send, rows } = await start()
  const proposed = await send('POST', '/plan/index', {
    purpose: 'A soup',
    steps: [
      { operation: 'createRecipe', arguments: { title: 'Soup' }, as: 'soup' },
      {
        operation: 'createIngredients',
        arguments: { items: [{ name: 'Leek', recipe: '$soup.id' }] }
      }
    ]
  })
  const { plan } = proposed.json().Data as { plan: { id: number } }
  t.match(plan, { changes: [{ key: null }, { key: null, after: { recipe: null } }] })
  await make('recipe', { title: 'Made meanwhile' })
  t.equal(outcome((await send('POST', `/plan/apply/id_${plan.id}`)) as never), '200 success')
  const [soup] = await rows('recipe')
  t.match(await rows('ingredient'), [{ name: 'Leek', recipe: soup?.id }])
})

for (const days of ['30', '0'])
  t.test(`at once, no row is left that refers to none (SVC_ACTIVITY_DAYS=${days})`, async (t) => {
    const { app } = await startService(t, { SVC_ACTIVITY_DAYS: days })
    const { make, send, rows } = caller((await signIn(app)).send as Send)
    for (let round = 0; round < 5; round++) {
      const recipe = await make('recipe', { title: 'Soup' })
      const words = (n: number) => ({ words: `${n}`, recipe: recipe.id })
      const all = await Promise.all([
        ...[1, 2, 3].map((n) => make('comment', words(n))),
        send('DELETE', recipe.url),
        ...[4, 5, 6].map((n) => make('comment', words(n)))
      ])
      t.equal(all.length, 7)
      const left = await rows('comment', `?recipe=${recipe.id}`)
      const isGone = (await rows('recipe', `?id=${recipe.id}`)).length === 0
      t.equal(isGone, left.length === 0)
    }
  })

t.test('with a row, at most 1,000 others go', async (t) => {
  const { app } = await startService(t, { SVC_BATCH_MAX: '1001' })
  const { make, send, rows } = caller((await signIn(app)).send as Send)
  const recipe = await make('recipe', { title: 'Soup' })
  const items = Array.from({ length: 1001 }, (_, n) => ({ name: `${n}`, recipe: recipe.id }))
  t.equal(outcome((await send('POST', '/ingredient/batch', { items })) as never), '200 success')
  t.match(refusal(await send('DELETE', recipe.url)), { reason: 'referenced' })
  const [first] = await rows('ingredient', '?limit=1')
  await send('DELETE', `/ingredient/item/id_${first?.id}`)
  t.equal(outcome((await send('DELETE', recipe.url)) as never), '200 success')
  t.same(await rows('ingredient'), [])
})
