import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const declared = Object.entries({
  cook: ['name:text:80!'],
  recipe: [
    ...['title:text:120', 'minutes:integer:1..600=30', 'cook:ref:cook:clear?', 'due_on:date?'],
    ...['vegan:boolean', 'course:one-of:starter,main=main', 'note:text:5000?']
  ]
}).map(([name, fields]) => ({ name, fields: fieldsFrom(fields), max: 20_000 }))
for (const area of declared) checkDeclaration(area)
declareAreas(declared)

const { readdirSync } = await import('node:fs')
const { join } = await import('node:path')
const { default: t } = await import('tap')
const { boundary, formBytes } = await import('./support/form.ts')
const { restart, signIn, startService } = await import('./support/helper.ts')
const { spokenOf } = await import('./support/spoken.ts')
const { openBrowser } = await import('./support/visitor.ts')
const service = await startService(t)
const { app, folder } = service

async function start(area = 'recipe') {
  await restart(service)
  const demo = await signIn(app)
  const browser = openBrowser(app)
  await browser.signIn()
  const url = `/${area}/board`

  /** Sends the form with a file, as a browser without JavaScript does. */
  async function send(content?: string, given: Record<string, string> = {}) {
    const page = (await browser.get(url)).body
    const [, form_id = ''] =
      /name="action" value="import".*?name="form_id" value="([^"]*)"/s.exec(page) ?? []
    const hidden = await browser.hiddenFields(url)
    const fields = { csrf_token: hidden.csrf_token ?? '', action: 'import', form_id, ...given }
    const parts = Object.entries(fields).map(([name, content]) => ({ name, content }))
    const payload = formBytes([
      ...parts,
      ...(content === undefined ? [] : [{ filename: 'rows.csv', content }])
    ])
    return app.inject({
      ...{ method: 'POST', url, payload },
      headers: {
        ...{ accept: 'text/html', cookie: browser.cookie() },
        'content-type': `multipart/form-data; boundary=${boundary}`
      }
    })
  }
  const rows = async () =>
    Object.values((await demo.send('GET', `/${area}/index?limit=500`)).json().Data).find(
      Array.isArray
    ) as Record<string, unknown>[]
  /** What the page says is wrong with the lines. */
  const linesOf = ({ body }: { body: string }) =>
    [...body.matchAll(/<li dir="auto">(.*?)<\/li>/g)].map(([, line]) => line)
  return { demo, browser, url, send, rows, linesOf }
}

const lines = (count: number, line: (n: number) => string) =>
  `title,minutes,cook\n${Array.from({ length: count }, (_, n) => line(n)).join('\n')}\n`

t.test('the page of an area adds the rows of a file, as one run that it undoes', async (t) => {
  const { demo, browser, url, send, rows } = await start()
  for (const text of [
    'title,minutes\nSoup,5\nCake,\n',
    '[{"title":"Soup","minutes":5},{"title":"Cake"}]',
    '{"title":"Soup","minutes":5}\n{"title":"Cake"}\n'
  ]) {
    const sent = await send(text)
    t.equal(sent.statusCode, 303, sent.body)
    t.match(await rows(), [
      { title: 'Cake', minutes: 30 },
      { title: 'Soup', minutes: 5 }
    ])
    const there = String(sent.headers.location)
    const [, run = ''] = /undo_run=(import-[\w-]+)$/.exec(there) ?? []
    const { body } = await browser.get(there)
    t.match(body, 'All rows in the file were added.')
    t.match(body, `name="run" value="${run}"`)
    const { Data } = (await demo.send('GET', `/activity/index?run=${run}`)).json()
    t.equal(Data.changes.length, 2)
    const { csrf_token = '' } = await browser.hiddenFields(url)
    const undone = await browser.submit(url, { csrf_token, action: 'undo', run })
    t.equal(undone.statusCode, 303)
    t.same(await rows(), [])
  }
  const { headers } = await send('id,title,created_at\n9,Soup,2020-01-01T00:00:00.000Z\n')
  const { body } = await browser.get(`${headers.location}`)
  t.match(body, 'were added. Left out, as the service writes them: Id, Created at.')
  const forged = await browser.get(`${url}?done=import&left=title,your_account`)
  t.match(forged.body, 'All rows in the file were added.</')
})

t.test('all rows are checked first, and the first faults are told by line and field', async (t) => {
  const { send, rows, linesOf } = await start()
  const refused = await send(lines(50, (n) => `Soup,${n === 3 ? 0 : 5},`))
  t.equal(refused.statusCode, 422)
  t.same(spokenOf(refused.body, 'VALIDATION-FAILED'), [
    'Nothing was added. Correct the file, then choose it again. Line 5, Minutes: Enter a whole number from 1 to 600.'
  ])
  t.match(refused.body, /<details open>\s*<summary>Import from a file/)
  const told = async (text: string) => linesOf(await send(text))
  t.same(linesOf(refused), ['Line 5, Minutes: Enter a whole number from 1 to 600.'])
  t.equal((await told(lines(50, () => 'Soup,0,'))).length, 20)
  t.same(await told('title,colour,course,vegan\n,,soup,maybe\nSoup,red,,\n'), [
    'Line 2, Title: Fill this in.',
    'Line 2, Vegan: Use true or false.',
    'Line 2, Course: Use one of these: starter, main.',
    'Line 3: There is no field colour.'
  ])
  t.same(await told(lines(3, (n) => `Soup,5,${n === 2 ? 9 : ''}`)), [
    'Line 4, Cook: This must be the id of a cook that you may read.'
  ])
  t.same(await told('[{"title":"<b>"},7]'), ['Line 1: This must be an object.'])
  t.same(await told('{"title":"Soup"}\n{x}\n'), ['Line 2: This is no JSON.'])
  t.same(await told('title\n'), ['There are no rows in the file.'])
  t.same(await rows(), [], 'nothing was added')
})

t.test('what others have too is told, and nothing is added', async (t) => {
  const { send, rows, linesOf } = await start('cook')
  t.same(linesOf(await send('[{"name":"a"},{"name":"b"},\n{"name":"a"}]')), [
    'Line 2, Name: This is taken by another row.'
  ])
  t.same(await rows(), [])
})

t.test('a file of the page has at most 5 MB and 10,000 rows', async (t) => {
  const { browser, url, send, rows, linesOf } = await start()
  t.match((await browser.get(url)).body, /at most 5 MB and 10,000 rows/)
  t.same(linesOf(await send(lines(10_001, () => 'Soup,5,'))), [
    'Line 10002: There are more than 10,000 rows.'
  ])
  const large = await send(`title\n${'x'.repeat(5_000_001)}`)
  t.equal(large.statusCode, 413)
  t.match(large.body, /id="import-file-problem">Choose a file of at most 5 MB\./)
  t.same(await rows(), [])
  const all = await send(lines(10_000, () => 'Soup,5,'))
  const [, run = ''] = /undo_run=(import-[\w-]+)$/.exec(String(all.headers.location)) ?? []
  t.equal((await rows()).length, 500)
  const { csrf_token = '' } = await browser.hiddenFields(url)
  await browser.submit(url, { csrf_token, action: 'undo', run })
  t.same(await rows(), [], 'a long run is undone to its beginning')
})

t.test(
  'a form that is sent twice does it once; without a file or its token it does nothing',
  async (t) => {
    const { send, rows } = await start()
    const twice = { form_id: 'one' }
    t.equal((await send('title\nSoup\n', twice)).statusCode, 303)
    t.equal((await send('title\nSoup\n', twice)).statusCode, 303)
    t.equal((await rows()).length, 1)
    t.equal((await send('title\nCake\n', twice)).statusCode, 303)
    t.equal((await rows()).length, 2, 'another file is another import')
    for (const content of [undefined, '']) {
      const empty = await send(content)
      t.equal(empty.statusCode, 400)
      t.match(empty.body, /id="import-file-problem">Choose a file that is not empty\./)
    }
    t.equal((await send('title\nSoup\n', { csrf_token: 'bad' })).statusCode, 403)
    t.equal((await rows()).length, 2)
    t.same(readdirSync(join(folder, 'uploads/tmp')), [], 'no temporary file is left')
  }
)

t.test('all is judged before an import writes, and a user has one at a time', async (t) => {
  const { send, rows, linesOf } = await start()
  const { activity, db } = service.app
  let judged = 0
  const { readable } = activity
  const { transaction } = db
  let transactions = 0
  t.teardown(() => Object.assign(activity, { readable }) && Object.assign(db, { transaction }))
  activity.readable = (viewer) => {
    judged++
    return readable(viewer)
  }
  Object.assign(db, {
    transaction(work: Parameters<typeof transaction>[0]) {
      transactions++
      return transaction.call(db, work)
    }
  })
  const many = lines(3000, (n) => `Soup,5,${n === 2999 ? 9 : ''}`)
  const ends: number[] = []
  const one = () => send(many).finally(() => ends.push(judged))
  const refused = await Promise.all([one(), one(), one()])
  for (const answer of refused)
    t.same(linesOf(answer), ['Line 3001, Cook: This must be the id of a cook that you may read.'])
  t.ok(Number(ends[0]) < 6000, 'one after the other')
  t.equal(transactions, 0)
  t.same(linesOf(await send(lines(20_001, () => 'Soup,5,'))), [
    'Line 10002: There are more than 10,000 rows.'
  ])
  t.equal((await send(lines(3, () => 'Soup,5,'))).statusCode, 303)
  t.equal(transactions, 1)
  t.equal((await rows()).length, 3)

  const cooks = await start('cook')
  const twice = await cooks.send('name\nAnna\nBob\nAnna\n')
  t.same(cooks.linesOf(twice), ['Line 4, Name: This is taken by another row.'])
  t.equal((await cooks.send('name\nAnna\n')).statusCode, 303)
  t.same(cooks.linesOf(await cooks.send('name\nBob\nAnna\n')), [
    'Line 3, Name: This is taken by another row.'
  ])
})
