import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Tables } from '../db/types.ts'
import type { Scope } from '../schemas/access-token.ts'
import { checkDeclaration } from '../schemas/area/declaration.ts'
import { checkTogether, declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const shared = ['owner', 'members']
const declared = [
  {
    name: 'recipe',
    fields: fieldsFrom(['title:text', 'members:users?', 'photo:ref:attachment:clear?']),
    read: shared,
    write: shared
  },
  {
    name: 'step',
    fields: fieldsFrom(['text:text', 'recipe:ref:recipe:delete', 'photo:ref:attachment:clear?']),
    read: ['recipe'],
    write: ['recipe']
  },
  {
    name: 'tip',
    fields: fieldsFrom(['text:text', 'photo:ref:attachment:clear?']),
    read: ['users']
  },
  {
    name: 'dish',
    fields: fieldsFrom(['title:text', 'photo:ref:attachment:clear?', 'menu:ref:attachment:clear?']),
    read: ['anyone']
  },
  { name: 'note', fields: fieldsFrom(['words:text', 'photo:ref:attachment:clear?']) }
]
for (const area of declared) checkDeclaration(area)
checkTogether(declared)
declareAreas(declared)

const { default: t } = await import('tap')
const { samples, upload } = await import('./support/form.ts')
const { newcomer, outcome, restart, signIn, startService } = await import('./support/helper.ts')
const { makeAccessToken } = await import('./support/access-token.ts')
const { onSqlite } = await import('./support/database.ts')
const { statementsOf } = await import('./support/statements.ts')
const service = await startService(t)

interface File {
  id: number
  name: string
  url?: string
}

async function person(login?: string) {
  if (login !== undefined) await newcomer(service.app, login)
  const browser = await signIn(service.app, login)
  const { send } = browser
  return {
    send,
    cookie: browser.cookie,
    async file(name: string): Promise<File> {
      return (await upload(service.app, browser, samples.png, name)).json().Data.attachment
    },
    async make(kind: string, body: object): Promise<number> {
      const answer = await send('POST', `/${kind}/index`, body)
      return answer.json().Data[kind]?.id ?? answer.json().Data.errorCode
    },
    /** The ids of the files that come with a list. */
    async filesWith(kind: string, path = 'photo') {
      const { Data } = (await send('GET', `/${kind}/index?with=${path}`)).json()
      return (Data.with[path] as File[]).map(({ id }) => id)
    },
    /** Whether the file itself is found, by its item and by its link. */
    async finds({ id }: File) {
      const of = async (path: string) =>
        (await send('GET', `/attachment/${path}/id_${id}`)).statusCode
      return [await of('item'), await of('link')]
    }
  }
}
type Person = Awaited<ReturnType<typeof person>>

const codeOf = async (answer: ReturnType<Person['send']>) =>
  outcome(await answer).replace(/ success$/, '')

t.test(
  'who may read a row may read the file that it refers to, as long as it does so (contract UPLOAD-5)',
  async (t) => {
    await restart(service)
    const owner = await person()
    const [anna, carl] = [await person('anna'), await person('carl')]
    const photo = await owner.file('soup.png')
    const id = await owner.make('recipe', { title: 'Soup', members: ['anna'], photo: photo.id })
    await owner.make('step', { text: 'Boil', recipe: id, photo: photo.id })
    const url = `/recipe/item/id_${id}`

    t.same(await anna.finds(photo), [200, 200])
    t.same(await anna.filesWith('recipe'), [photo.id])
    t.same(await anna.filesWith('step', 'recipe.photo'), [photo.id])
    const link = (await anna.send('GET', `/attachment/link/id_${photo.id}`)).json().Data
    t.equal((await service.app.inject(new URL(link.url).href)).statusCode, 200)
    const page = await service.app.inject({
      ...{ url: '/recipe/board', headers: { cookie: anna.cookie, accept: 'text/html' } }
    })
    t.match(page.body, /<img [^>]*alt="soup\.png"/)
    t.same(await carl.finds(photo), [404, 404], 'nobody else')

    await owner.send('PATCH', url, { members: [] })
    t.same(await anna.finds(photo), [404, 404], 'not once the row is out of sight')
    t.equal((await service.app.inject(link.url)).statusCode, 200, 'a link lives to its end')
    await owner.send('PATCH', url, { members: ['anna'], photo: null })
    t.same(await anna.finds(photo), [200, 200], 'by the step')
    await service.sql('update declared_steps set photo = null')
    t.same(await anna.finds(photo), [404, 404], 'not once no row refers to it')

    await owner.send('PATCH', url, { photo: photo.id })
    await owner.send('DELETE', `/attachment/item/id_${photo.id}`)
    t.same(await anna.finds(photo), [404, 404], 'not once it is deleted')
  }
)

t.test('who reads a file of another does nothing else with it', async (t) => {
  await restart(service)
  const owner = await person()
  const anna = await person('anna')
  const photo = await owner.file('soup.png')
  await owner.make('recipe', { title: 'Soup', members: ['anna'], photo: photo.id })
  const notFound = '404 ATTACHMENT-NOT-FOUND'
  const listed = async (url: string) =>
    Object.values((await anna.send('GET', url)).json().Data).find(Array.isArray)
  t.same(await listed('/attachment/index'), [])
  t.same(await listed('/attachment/index?q=soup'), [])
  t.same(await listed(`/attachment/index?id=${photo.id}`), [])
  t.same(await listed('/search/index?q=soup.png'), [])
  t.same(await listed('/activity/index?kind=attachment'), [])
  t.equal(await codeOf(anna.send('DELETE', `/attachment/item/id_${photo.id}`)), notFound)
  await owner.send('DELETE', `/attachment/item/id_${photo.id}`)
  t.equal(await codeOf(anna.send('POST', `/attachment/restore/id_${photo.id}`)), notFound)
  await owner.send('POST', `/attachment/restore/id_${photo.id}`)
})

t.test('only the owner of a file hands it on', async (t) => {
  await restart(service)
  const owner = await person()
  const [anna, bob] = [await person('anna'), await person('bob')]
  const id = await owner.make('recipe', { title: 'Soup', members: ['anna'] })
  const url = `/recipe/item/id_${id}`
  const photo = await anna.file('soup.png')
  t.equal(await codeOf(anna.send('PATCH', url, { photo: photo.id })), '200', 'into any row')
  t.same(await owner.finds(photo), [200, 200])
  t.equal(
    await codeOf(owner.send('PUT', url, { title: 'Stew', members: ['anna'], photo: photo.id })),
    '200',
    'it stays where it is'
  )

  const refused = '422 VALIDATION-FAILED'
  for (const kind of ['recipe', 'tip', 'dish', 'note']) {
    const text = { recipe: 'title', dish: 'title', tip: 'text' }[kind] ?? 'words'
    const body = { [text]: 'Mine', photo: photo.id }
    const answer = await owner.send('POST', `/${kind}/index`, body)
    t.equal(outcome(answer), refused, kind)
    t.match(answer.json().Data.details, [
      { field: 'photo', message: 'must be the id of an attachment of your own' }
    ])
  }
  const other = await owner.make('recipe', { title: 'Cake', members: ['bob'] })
  t.equal(
    await codeOf(owner.send('PATCH', `/recipe/item/id_${other}`, { photo: photo.id })),
    refused
  )
  t.same(await bob.finds(photo), [404, 404])

  await owner.send('PATCH', url, { photo: null })
  t.equal(await codeOf(owner.send('PATCH', url, { photo: photo.id })), refused)
  const [cleared] = (await owner.send('GET', '/activity/index?kind=recipe&limit=1')).json().Data
    .changes
  t.equal((await owner.send('POST', '/activity/undo', { ids: [cleared.id] })).statusCode, 200)
  t.same(await owner.finds(photo), [200, 200], 'an undo brings back what its owner had put there')
})

t.test('a token reads the files of rows as far as its scopes go', async (t) => {
  await restart(service)
  const owner = await person()
  await person('anna')
  const photo = await owner.file('soup.png')
  await owner.make('recipe', { title: 'Soup', members: ['anna'], photo: photo.id })
  const withOf = async (...scopes: string[]) => {
    const { bearer } = await makeAccessToken(service.app, {
      user_id: 'anna',
      scopes: scopes as Scope[]
    })
    const answer = await service.app.inject({ url: '/recipe/index?with=photo', headers: bearer })
    return answer.json().Data.with.photo.length
  }
  t.equal(await withOf('recipe:read', 'attachment:read'), 1)
  t.equal(await withOf('recipe:read'), 0)
})

t.test('visitors see the files of rows that anyone may read, by signed links', async (t) => {
  await restart(service)
  const owner = await person()
  const [photo, menu] = [await owner.file('soup.png'), await owner.file('menu.png')]
  const hidden = await owner.file('hidden.png')
  await owner.make('dish', { title: 'Soup', photo: photo.id, menu: menu.id })
  await owner.make('tip', { text: 'Salt', photo: hidden.id })
  const { app } = service
  const open = await app.inject('/dish/index?with=photo,menu')
  t.equal(open.statusCode, 200)
  const { photo: photos, menu: menus } = open.json().Data.with as Record<string, File[]>
  t.matchOnly(
    photos?.map(({ id, name }) => ({ id, name })),
    [{ id: photo.id, name: 'soup.png' }]
  )
  t.equal(menus?.length, 1)
  const shown = await app.inject(photos?.[0]?.url ?? '')
  t.match(shown.headers, {
    ...{ 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' }
  })
  t.equal(shown.statusCode, 200)
  t.match((await owner.send('GET', '/dish/index?with=photo')).json().Data.with.photo, [
    { url: String }
  ])

  const page = await app.inject({ url: '/dish/public', headers: { accept: 'text/html' } })
  t.match(page.body, /<img [^>]*alt="soup\.png"/)
  for (const path of ['item', 'link'])
    t.equal((await app.inject(`/attachment/${path}/id_${photo.id}`)).statusCode, 401)
  t.equal((await app.inject('/tip/index?with=photo')).statusCode, 401)
  t.same(await (await person('anna')).finds(hidden), [200, 200], 'users see what users may')
})

t.test('an index finds the rows that refer to a file', onSqlite, async (t) => {
  await restart(service)
  const dialect = new SqliteDialect({ database: new SQLite(':memory:') })
  const reading = statementsOf(new Kysely<Tables>({ dialect })).queries.filter(
    ({ sql }) => sql.startsWith('select') && sql.includes(' as "referring"')
  )
  t.ok(reading.length >= 2, 'one file, and several')
  for (const { sql } of reading) {
    const steps = await service.sql(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', "'1'")}`)
    const over = steps.map(({ detail }) => String(detail)).filter((one) => /referring/.test(one))
    t.equal(over.length, 6, 'one for each field')
    for (const one of over) t.match(one, /^SEARCH referring USING .*(photo|menu)=\?/)
  }
})
