import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import type { Fields } from '../schemas/area/field.ts'
import { namesOf } from '../schemas/area/names.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const texts = (names: string) => names.split(/\s+/)
/** Names of fields that statements, requests, pages and commands use for something else, or once did. */
const own =
  texts(`about access actor alias area args at bytes caller code conditions count data details errors field file
  filter folded form found handled item kind label last link made_by message oid page rowid sort version`)
const shared =
  texts(`caller name next_page other own page params pinned plan reason request_id result rights search source
  status tag title tokens total url value via viewer words`)

const fieldsOf = (names: string[], ...others: string[]) =>
  fieldsFrom([...names.map((name) => `${name}:text:80`), ...others])
const areas: { name: string; versions?: boolean; fields: Fields }[] = [
  { name: 'oddity', fields: fieldsOf(own, 'since:boolean', 'most:one-of:a,b') },
  {
    ...{ name: 'rarity', versions: true, states: { open: ['shut'], shut: [] } },
    fields: fieldsOf(shared, 'since:integer', 'most:boolean', 'readers:users?'),
    ...{ read: ['owner', 'readers'], write: ['owner'] }
  }
]
for (const area of areas) checkDeclaration(area)
declareAreas(areas)

const { writeFileSync } = await import('node:fs')
const { join } = await import('node:path')
const { default: t } = await import('tap')
const { runInProcess } = await import('./support/command.ts')
const { outcome, restart, signIn, startService, temporaryFolder } = await import(
  './support/helper.ts'
)
const { openBrowser } = await import('./support/visitor.ts')
const service = await startService(t)
const { app, place } = service

type Values = Record<string, unknown>

for (const { name, fields, versions = false } of areas) {
  const { many } = namesOf(name)
  const names = Object.keys(fields).filter((field) => fields[field]?.type === 'text')
  const others = { oddity: { since: true, most: 'a' }, rarity: { since: 5, most: true } }
  const values: Values = {
    ...Object.fromEntries(names.map((field) => [field, `its ${field}`])),
    ...others[name as keyof typeof others]
  }
  /** The same, but for one field. */
  const valuesWith = (field: string) => ({ ...values, [field]: `another ${field}` })

  async function start() {
    await restart(service)
    const { cookie, csrfToken } = await signIn(app)
    const send = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, body?: object) =>
      app.inject({
        ...{ method, url, ...(body && { payload: body }) },
        headers: { cookie, 'x-csrf-token': csrfToken, ...(versions && { 'if-match': '*' }) }
      })
    const list = async (query = '') =>
      (await send('GET', `/${name}/index?${query}`)).json().Data[many] as Values[]
    const { id } = (await send('POST', `/${name}/index`, values)).json().Data[name]
    return { send, list, id, url: `/${name}/item/id_${id}` }
  }

  t.test(`each field of ${name} keeps what is written`, async (t) => {
    const { send, list, id, url } = await start()
    t.match(await list(), [values], 'created')
    for (const field of names) {
      await send('PATCH', url, { [field]: `another ${field}` })
      t.match(await list(), [valuesWith(field)], `PATCH ${field}`)
      await send('PUT', url, values)
      t.match(await list(), [values], `PUT after ${field}`)
      const [{ version }] = (await list()) as [Values]
      const item = { id, ...(versions && { version }), [field]: `another ${field}` }
      await send('PATCH', `/${name}/batch`, { items: [item] })
      t.match(await list(), [valuesWith(field)], `batch ${field}`)
      const { changes } = (await send('GET', '/activity/index?limit=1')).json().Data
      await send('POST', '/activity/undo', { ids: [changes[0].id] })
      t.match(await list(), [values], `undo ${field}`)
    }
    await send('POST', `/${name}/remove`, { ids: [id] })
    t.same(await list(), [])
    const { changes } = (await send('GET', '/activity/index?limit=1')).json().Data
    await send('POST', '/activity/undo', { ids: [changes[0].id] })
    t.match(await list(), [values], 'undo of the deletion')
  })

  t.test(`lists of ${name} are filtered and sorted by each`, async (t) => {
    const { send, list } = await start()
    const two = Object.fromEntries(names.map((field) => [field, `B ${field}`]))
    const other = { oddity: { since: false, most: 'b' }, rarity: { since: 6, most: false } }
    await send('POST', `/${name}/index`, { ...two, ...other[name as keyof typeof other] })
    for (const field of names) {
      t.match(await list(`sort=${field}`), [{ [field]: `B ${field}` }, values], field)
    }
    const { since, most } = values
    for (const query of [
      `since=${since}`,
      `most=${most}`,
      `since=${since}&most=${most}&count=true`
    ])
      t.match(await list(query), [values], query)
    const later = 'updated_since=2020-01-01T00:00:00Z'
    t.match(await list(`most=${most}&${later}&q=its`), [values], 'with a time and a text')
  })

  t.test(`a file of ${name} is read back`, async (t) => {
    const { send, list, id } = await start()
    const { body } = await send('GET', `/${name}/export?format=csv`)
    await send('POST', `/${name}/remove`, { ids: [id] })
    const file = join(temporaryFolder(t), 'rows.csv')
    writeFileSync(file, body)
    await runInProcess(place, ['area', 'import', name, file, '--user', 'demo'])
    t.match(await list(), [values])
  })

  t.test(`the page of ${name} lists, adds and changes each`, async (t) => {
    const { send, list, id } = await start()
    const browser = openBrowser(app)
    await browser.signIn()
    const page = `/${name}/board`
    const { csrf_token = '' } = await browser.hiddenFields(page)
    const shown = await browser.get(`${page}?edit=${id}&is_since=${values.since}`)
    t.match(shown.body, 'value="its caller"')
    const [, expected_version = ''] = /name="expected_version" value="(\d+)"/.exec(shown.body) ?? []
    const written = Object.fromEntries(
      Object.entries(values).map(([field, value]) => [field, `${value}`.replace('its', 'my')])
    )
    const change = { csrf_token, ...written, action: 'change', id: String(id), expected_version }
    t.equal((await browser.submit(page, change)).statusCode, 303)
    const changed = Object.fromEntries(names.map((field) => [field, `my ${field}`]))
    t.match(await list(), [changed], 'changed')
    const { form_id = '' } = await browser.hiddenFields(page)
    t.equal(outcome(await send('POST', `/${name}/remove`, { ids: [id] })), '200 success')
    const add = { csrf_token, ...written, action: 'add', form_id }
    t.equal((await browser.submit(page, add)).statusCode, 303)
    t.match(await list(), [changed], 'added')
  })
}
