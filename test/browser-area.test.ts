import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'
import { withIndexes } from './support/declaration.ts'

const fields = fieldsFrom([
  ...['title:text:120', 'cook:ref:cook:clear?', 'picture:ref:attachment?', 'scan:ref:attachment?'],
  ...[
    'due_on:date?',
    'minutes:integer:1..600=30',
    'vegan:boolean',
    'course:one-of:starter,main=main'
  ],
  'method:text:5000?'
])
const recipe = {
  name: 'recipe',
  fields: withIndexes(fields, ['due_on', 'minutes'])
}
const both = ['owner', 'members']
const trip = {
  name: 'trip',
  fields: fieldsFrom(['title:text:120', 'members:users?']),
  ...{ read: both, write: both }
}
/** The longest names that there are. */
const longest = {
  name: 'k'.repeat(24),
  fields: fieldsFrom([`${'f'.repeat(40)}:text:200`, `${'g'.repeat(40)}:ref:cook:clear?`])
}
const declared = [longest, { name: 'cook', fields: fieldsFrom(['name:text:80']) }, recipe, trip]
for (const area of declared) checkDeclaration(area)
declareAreas(declared)

const { readFileSync } = await import('node:fs')
const { default: t } = await import('tap')
const { findings, listen, looks, noBrowser, openWindow, signInWith } = await import(
  './support/browser.ts'
)
const { samples, upload } = await import('./support/form.ts')
const { newcomer, signIn } = await import('./support/helper.ts')
const layout = readFileSync(new URL('./support/layout.js', import.meta.url), 'utf8')

t.test('the page of an area, in a real browser', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL } = await listen(t)
  const demo = await signIn(app)
  const send = async (kind: string, body: object) =>
    (await demo.send('POST', `/${kind}/index`, body)).json().Data[kind].id as number
  const file = async (content: string | Buffer, name: string) =>
    (await upload(app, demo, content, name)).json().Data.attachment.id as number
  const picture = await file(samples.png, 'soup.png')
  const scan = await file('words', 'notes.txt')
  const cook = await send('cook', { name: 'Anna' })
  const more = { cook, picture, scan, due_on: '2026-12-24' }
  await send('recipe', { title: 'Leek soup', ...more })
  const { page, complaints } = await openWindow(t, { baseURL })
  await signInWith(page)
  await page.waitForURL('/')
  const open = (query = '') => page.goto(`/recipe/board${query}`)

  await t.test('a picture is uploaded beside the field that names it', async (t) => {
    await open(`?edit=1#edit`)
    const main = page.getByRole('main')
    const field = main.locator('#edit input[name=picture]')
    const chooser = main.locator('#edit').getByLabel('Upload a file: Picture (optional)')
    await chooser.setInputFiles({ name: 'pie.png', mimeType: 'image/png', buffer: samples.png })
    await page.waitForFunction(
      (input) => /^pie\.png · \d+$/.test(Object(input).value),
      await field.elementHandle()
    )
    await main.locator('#edit').getByRole('button', { name: 'Save' }).click()
    await main.getByRole('img', { name: 'pie.png' }).waitFor()
    await open('?edit=1#edit')
    await chooser.setInputFiles({ name: 'x.bin', mimeType: '', buffer: Buffer.from([0, 1, 2]) })
    await page.getByText(/x\.bin.*Accepted/).waitFor()
    t.pass('what is refused is told, and the field stays')
    t.match(await field.inputValue(), /^pie\.png · /)
  })

  await t.test('a file is added, refused and undone without another page', async (t) => {
    await open()
    const main = page.getByRole('main')
    await main.getByText('Import from a file').click()
    const input = main.getByLabel('File', { exact: true })
    const choose = (text: string) =>
      input.setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    const button = main.getByRole('button', { name: 'Add all rows' })
    await choose('title,minutes\nStew,0\n')
    await button.click()
    await main.getByText('Line 2, Minutes: Enter a whole number from 1 to 600.').waitFor()
    await choose('title,minutes\nStew,5\n')
    await button.click()
    await main.getByText('All rows in the file were added.').waitFor()
    await main.getByRole('cell', { name: 'Stew', exact: true }).waitFor()
    t.notMatch(page.url(), /done=|undo/)
    await main.getByRole('button', { name: 'Undo' }).click()
    await main.getByText('Undone: Add Stew').waitFor()
    await main.getByRole('cell', { name: 'Stew', exact: true }).waitFor({ state: 'detached' })
  })

  await t.test('nothing is squeezed, overlaps, or scrolls sideways', async (t) => {
    for (const query of ['', '?edit=1&is_cook=Nobody', '?edit=1&from_minutes=1']) {
      await open(query)
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      for (const width of [320, 390, 1600]) {
        await page.setViewportSize({ width, height: 900 })
        t.same(await page.evaluate(layout), [], `${query} at ${width} px`)
      }
    }
  })

  await t.test('the longest names make no page wider than the window', async (t) => {
    const kind = longest.name
    const long = await send('cook', { name: 'n'.repeat(80) })
    const values = { ['f'.repeat(40)]: 'v'.repeat(200), ['g'.repeat(40)]: long }
    await demo.send('PUT', `/${kind}/item/id_${await send(kind, values)}`, {
      ...values,
      ['f'.repeat(40)]: 'w'.repeat(200)
    })
    for (const path of [`/${kind}/board?edit=1`, '/activity/board', '/']) {
      await page.goto(path)
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      await page.setViewportSize({ width: 320, height: 900 })
      const found = (await page.evaluate(layout)) as string[]
      // A long text is cut after four lines.
      const wrong = found.filter((one) => !one.includes(' overlaps '))
      t.same(wrong, [], path)
    }
  })

  await t.test('a screen reader says what is what', async (t) => {
    await open('?edit=1')
    const tree = await page.locator('body').ariaSnapshot()
    for (const part of [
      ...['heading "Recipes" [level=1]', 'region "Edit Leek soup"', 'group: New recipe'],
      ...['search:', 'table "Recipes"', 'columnheader "Title"'],
      ...['link "Edit: Leek soup"', 'button "Delete: Leek soup"']
    ]) {
      t.ok(tree.includes(part), part)
    }
  })

  await t.test('it can be read by everybody', async (t) => {
    const method = 'Peel, chop, boil and stir. '.repeat(40).trim()
    await send('recipe', { title: 'x'.repeat(120), method, ...more })
    await open('?edit=1&from_minutes=1')
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      t.same(await findings(page), [], `${width} px, ${colorScheme}`)
    }
  })

  t.same(complaints, [])
})

t.test(
  'two people see what each of them does with a row they share',
  { skip: noBrowser },
  async (t) => {
    const { app, address: baseURL } = await listen(t)
    await newcomer(app, 'bob')
    const { page: demo } = await openWindow(t, { baseURL })
    const { page: bob } = await openWindow(t, { baseURL })
    for (const [page, login] of [
      [demo, 'demo'],
      [bob, 'bob']
    ] as const) {
      await signInWith(page, login)
      await page.waitForURL('/')
      await page.goto('/trip/board')
    }
    const named = (page: typeof demo, name: string) => page.getByRole('cell', { name, exact: true })
    async function edit(page: typeof demo, title: string, label: string, value: string) {
      await page.getByRole('link', { name: `Edit: ${title}` }).click()
      await page.locator('#edit').getByLabel(label).fill(value)
      await page.locator('#edit').getByRole('button', { name: 'Save' }).click()
    }
    await demo.getByRole('main').getByLabel('Title').first().fill('Lake')
    await demo.getByRole('main').getByLabel('Members').first().fill('bob')
    await demo.getByRole('button', { name: 'Add' }).first().click()
    await named(bob, 'Lake').waitFor()
    t.pass('who is named sees it come')
    await edit(bob, 'Lake', 'Title', 'Sea')
    await named(demo, 'Sea').waitFor()
    t.pass('its owner sees what the other has changed')
    await edit(demo, 'Sea', 'Members', '')
    await named(bob, 'Sea').waitFor({ state: 'detached' })
    t.pass('who is named no more sees it go')
  }
)
