import type { Test } from 'tap'
import { checkDeclaration } from '../../../schemas/area/declaration.ts'
import { declareAreas } from '../../../schemas/area/declared.ts'
import { fieldsFrom } from '../../../schemas/area/written.ts'

const declared = Object.entries({
  person: ['name:text'],
  recipe: ['title:text:80!', 'cook:ref:person?', 'serves:integer:1..20?']
}).map(([name, fields]) => ({ name, fields: fieldsFrom(fields) }))
for (const area of declared) checkDeclaration(area)
declareAreas(declared)

const { default: t } = await import('tap')
const { upload } = await import('../../support/form.ts')
const { restart, signIn, startService } = await import('../../support/helper.ts')
const { openBrowser } = await import('../../support/visitor.ts')
const service = await startService(t)
const { app, sql } = service

const url = '/admin/rows'

/** An administrator's browser at the desk, and the owner of the rows. */
async function start() {
  await restart(service)
  const browser = openBrowser(app)
  await browser.signIn('admin')
  const { csrf_token = '' } = await browser.hiddenFields('/logout/index')
  const demo = await signIn(app)
  const send = async (...request: Parameters<typeof demo.send>) =>
    (await demo.send(...request)).json().Data
  return {
    browser,
    demo,
    send,
    make: async (kind: string, body: object): Promise<number> =>
      (await send('POST', `/${kind}/index`, body))[kind].id,
    act: (kind: string, action: string, fields: Record<string, string>, query = '') =>
      browser.submit(`${url}?kind=${kind}${query}`, {
        csrf_token,
        action: `${action}-${kind}`,
        ...fields
      }),
    panel: async (kind: string, id: number) =>
      /<section class="sheet" id="edit".*?<\/section>/s.exec(
        (await browser.get(`${url}?kind=${kind}&edit=${id}`)).body
      )?.[0] ?? ''
  }
}

const audited = () =>
  sql(
    "select event, user_id, via, subject, detail from audit_events where event like 'row-%' order by id"
  )
const byAdmin = { user_id: 1, via: 'session', detail: 'of demo' }

/** The path that a form leads to, with what it says there. */
const leads = (t: Test, answer: { statusCode: number; headers: object }, to: string) =>
  t.match(
    { ...answer.headers, statusCode: answer.statusCode },
    { statusCode: 303, location: `${url}?${to}` }
  )

t.test(
  'an administrator edits a row: recorded for its owner, and audited (contract ADMIN-6)',
  async (t) => {
    const { make, act, panel, send } = await start()
    const id = await make('todo', { title: 'bread' })
    t.match(await panel('todo', id), /Edit <bdi>bread · \d+<\/bdi> of <bdi>demo.*value="bread"/s)
    const fields = { id: `${id}`, title: ' milk ', is_completed: 'true' }
    leads(
      t,
      await act('todo', 'change', fields, `&q=b&edit=${id}`),
      'kind=todo&q=b&done=change-todo'
    )
    t.match((await send('GET', `/todo/item/id_${id}`)).todo, { title: 'milk', is_completed: true })
    const { changes } = await send('GET', '/activity/index')
    const as = { via: 'administrator', token_id: null, action: 'update', undone: false }
    t.match(changes, [{ ...as, before: { title: 'bread' }, after: { title: 'milk' } }, {}])
    t.match(await audited(), [{ ...byAdmin, event: 'row-changed', subject: `todo ${id}` }])
    t.same(
      await sql('select id from changes where user_id = 1'),
      [],
      'not among those of the admin'
    )
  }
)

t.test(
  'the owner sees on Activity that an administrator did it, and undoes it (contract ADMIN-6)',
  async (t) => {
    const { make, act, send } = await start()
    const id = await make('todo', { title: 'bread' })
    await act('todo', 'delete', { id: `${id}`, sure: 'yes' })
    const owner = openBrowser(app)
    await owner.signIn()
    const { body } = await owner.get('/activity/board')
    t.match(body, /<h2 [^>]*>An administrator<\/h2>.*Deleted.*<h2 [^>]*>You<\/h2>/s)
    const { changes } = await send('GET', '/activity/index')
    const { csrf_token = '' } = await owner.hiddenFields('/logout/index')
    const undone = await owner.submit('/activity/board', {
      ...{ csrf_token, action: 'undoone', changes: String(changes[0].id) }
    })
    t.equal(undone.statusCode, 303)
    t.match((await send('GET', `/todo/item/id_${id}`)).todo, { title: 'bread' })
  }
)

t.test(
  'rows are shown by name, and so are those that they refer to, as far as their owner may read these',
  async (t) => {
    const { make, browser } = await start()
    const cook = await make('person', { name: 'Anna' })
    await make('recipe', { title: 'Soup', cook })
    const admin = await signIn(app, 'admin')
    const own = (await admin.send('POST', '/person/index', { name: 'Bert' })).json().Data.person.id
    await admin.send('POST', '/recipe/index', { title: 'Pie', cook: own })
    const { body } = await browser.get(`${url}?kind=recipe`)
    const lines = body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    t.match(lines, `Soup · 1 of demo`)
    t.match(lines, `cook Anna · ${cook} `)
    t.match(lines, `Pie · 2 of admin`)
    t.match(lines, `cook Bert · ${own} `)
  }
)

t.test('rows of every kind are deleted, after a question', async (t) => {
  const { make, act, browser, demo, send } = await start()
  const file = (await upload(app, demo, 'text')).json().Data
  const rows: Record<string, Record<string, string>> = {
    todo: { id: `${await make('todo', { title: 'bread' })}` },
    memo: { id: `${await make('memo', { body: 'a memo' })}`, expected_version: '1' },
    attachment: { id: `${file.attachment.id}` },
    person: { id: `${await make('person', { name: 'Anna' })}` }
  }
  const names = { todo: 'bread', memo: 'a memo', attachment: 'a.txt', person: 'Anna' }
  for (const [kind, fields] of Object.entries(rows)) {
    const label = `${Object(names)[kind]} · ${fields.id}`
    const { body } = await browser.get(`${url}?kind=${kind}`)
    t.match(body, `value="delete-${kind}" aria-label="Delete: ${label}"`)
    t.equal(body.includes(`edit=${fields.id}#edit`), kind !== 'attachment', 'a file stays as it is')
    const asked = await act(kind, 'delete', fields)
    t.match(asked.body, `Delete ${label} of demo?`)
    t.equal((await demo.send('GET', `/${kind}/item/id_${fields.id}`)).statusCode, 200)
    leads(
      t,
      await act(kind, 'delete', { ...fields, sure: 'yes' }),
      `kind=${kind}&done=delete-${kind}`
    )
    t.equal((await demo.send('GET', `/${kind}/item/id_${fields.id}`)).statusCode, 404)
  }
  t.match(
    await audited(),
    Object.entries(rows).map(([kind, { id }]) => ({
      ...{ ...byAdmin, event: 'row-deleted', subject: `${kind} ${id}` }
    }))
  )
  const { changes } = await send('GET', '/activity/index?limit=4')
  for (const change of changes) t.match(change, { action: 'delete', via: 'administrator' })
})

t.test('a memo that was changed since it was shown stays as it is', async (t) => {
  const { make, act, demo, send } = await start()
  const id = await make('memo', { body: 'first' })
  const item = `/memo/item/id_${id}`
  const { cookie, csrfToken } = demo
  const headers = { cookie, 'x-csrf-token': csrfToken, 'if-match': '"v1"' }
  const payload = JSON.stringify({ body: 'second' })
  await app.inject({
    ...{ method: 'PUT', url: item, payload },
    headers: { ...headers, 'content-type': 'application/json' }
  })
  const fields = { id: `${id}`, expected_version: '1', body: 'mine', sure: 'yes' }
  for (const action of ['change', 'delete']) {
    const { statusCode, body } = await act('memo', action, fields, `&edit=${id}`)
    t.equal(statusCode, 412)
    t.match(body, 'Somebody else has changed this memo in the meantime. Look at it first.')
  }
  t.match((await send('GET', item)).memo, { body: 'second', version: 2 })
  t.same(await audited(), [])
  const now = { ...fields, expected_version: '2' }
  t.equal((await act('memo', 'change', now)).statusCode, 303)
  t.match((await send('GET', item)).memo, { body: 'mine', version: 3 })
})

t.test('a bad value is told at its field, and nothing is written', async (t) => {
  const { make, act } = await start()
  const id = await make('recipe', { title: 'Soup' })
  await make('recipe', { title: 'Cake' })
  const recipe = { title: 'Soup', cook: '', serves: '' }
  for (const [field, value, status, said] of [
    ['title', ' ', 422, 'Fill this in.'],
    ['serves', '21', 422, 'Enter a whole number from 1 to 20.'],
    ['cook', 'Nobody', 422, 'This is the name of no person, or of several'],
    ['cook', '99', 422, 'This must be the id of a person that you may read'],
    ['title', 'Cake', 409, 'This is taken by another row.']
  ] as const) {
    const fields = { id: `${id}`, ...recipe, [field]: value }
    const { statusCode, body } = await act('recipe', 'change', fields, `&edit=${id}`)
    t.equal(statusCode, status, `${field} ${value}`)
    t.match(body, new RegExp(`id="change-recipe-${id}-${field}-problem">${said}`))
  }
  t.same(await audited(), [])
})

t.test('what a row refers to is one of its owner, and keeps it from being deleted', async (t) => {
  const { make, act, panel, browser, send } = await start()
  const cook = await make('person', { name: 'Anna' })
  const id = await make('recipe', { title: 'Soup' })
  const admin = await signIn(app, 'admin')
  const other = (await admin.send('POST', '/person/index', { name: 'Berta' })).json().Data.person
  const fields = { id: `${id}`, title: 'Soup', serves: '4' }
  t.equal((await act('recipe', 'change', { ...fields, cook: 'Berta' })).statusCode, 422)
  t.equal((await act('recipe', 'change', { ...fields, cook: `${other.id}` })).statusCode, 422)
  t.equal((await act('recipe', 'change', { ...fields, cook: 'Anna' })).statusCode, 303)
  t.match((await send('GET', `/recipe/item/id_${id}`)).recipe, { cook, serves: 4 })
  t.match(await panel('recipe', id), `value="Anna · ${cook}"`)
  const { body } = await browser.get(`${url}?kind=recipe&edit=${id}`)
  t.match(body, `<option value="Anna · ${cook}">`)
  t.notMatch(body, 'Berta')
  const refused = await act('person', 'delete', { id: `${cook}`, sure: 'yes' })
  t.equal(refused.statusCode, 409)
  t.match(refused.body, '<p class="code">CONFLICT')
  t.equal((await act('recipe', 'change', { ...fields, cook: '', serves: '' })).statusCode, 303)
  t.match((await send('GET', `/recipe/item/id_${id}`)).recipe, { cook: null, serves: null })
})

t.test('a row that is gone is told, and no form is open for it', async (t) => {
  const { make, act, panel, demo } = await start()
  const id = await make('todo', { title: 'bread' })
  await demo.send('DELETE', `/todo/item/id_${id}`)
  const fields = { id: `${id}`, title: 'milk', sure: 'yes' }
  for (const action of ['change', 'delete']) {
    const { statusCode, body } = await act('todo', action, fields, `&edit=${id}`)
    t.equal(statusCode, 404)
    t.match(body, 'TODO-NOT-FOUND')
  }
  t.equal(await panel('todo', id), '')
  t.same(await audited(), [])
})

t.test(
  'nobody else writes rows here, and no form without its token (contract CSRF-3)',
  async (t) => {
    const { make, act, send } = await start()
    const id = await make('todo', { title: 'bread' })
    const fields = { id: `${id}`, title: 'milk', sure: 'yes' }
    const owner = openBrowser(app)
    await owner.signIn()
    const { csrf_token = '' } = await owner.hiddenFields('/logout/index')
    for (const action of ['change-todo', 'delete-todo']) {
      const sent = await owner.submit(url, { csrf_token, action, ...fields })
      t.equal(sent.statusCode, 403)
      t.match(sent.body, '<p class="code">FORBIDDEN</p>')
      const [kind = '', verb = ''] = action.split('-').toReversed()
      const without = await act(kind, verb, { ...fields, csrf_token: '' })
      t.match(without.body, '<p class="code">CSRF-TOKEN-INVALID</p>')
    }
    t.match((await send('GET', `/todo/item/id_${id}`)).todo, { title: 'bread' })
    t.same(await audited(), [])
  }
)
