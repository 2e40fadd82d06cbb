import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const recipe = {
  name: 'recipe',
  fields: fieldsFrom(['title:text', 'picture:ref:attachment?', 'scan:ref:attachment?'])
}
checkDeclaration(recipe)
declareAreas([recipe])

const { default: t } = await import('tap')
const { samples, upload } = await import('./support/form.ts')
const { newcomer, signIn, startService } = await import('./support/helper.ts')
const { openBrowser } = await import('./support/visitor.ts')
const { app } = await startService(t)
const demo = await signIn(app)
const browser = openBrowser(app)
await browser.signIn()
const url = '/recipe/board'
const file = async (content: string | Buffer, name: string) =>
  (await upload(app, demo, content, name)).json().Data.attachment as { id: number }

t.test('a table shows the pictures that rows refer to, and links to other files', async (t) => {
  const picture = await file(samples.png, 'a <b>.png')
  const text = await file('words', 'notes & more.txt')
  const made = await demo.send('POST', '/recipe/index', {
    ...{ title: 'Soup', picture: picture.id, scan: text.id }
  })
  const { id } = made.json().Data.recipe
  await demo.send('POST', '/recipe/index', { title: 'Cake' })
  const { body, headers } = await browser.get(url)
  const images = [...body.matchAll(/<img [^>]*>/g)].map(([image]) => image)
  t.equal(images.length, 1)
  t.match(images[0], 'alt="a &lt;b&gt;.png" loading="lazy"')
  t.match(headers['content-security-policy'], "img-src 'self'")
  const [, source = ''] = / src="(\/attachment\/download\/[^"]*)"/.exec(images[0] ?? '') ?? []
  const shown = await app.inject(source.replaceAll('&amp;', '&'))
  t.match(shown.headers, { 'content-type': 'image/png', 'content-disposition': /^inline/ })
  t.match(shown.headers['content-security-policy'], 'sandbox')
  t.match(body, `<a href="${source}"><img id="recipe-${id}-picture-${picture.id}"`)
  t.match(body, /<a href="\/attachment\/download\/[^"]*">notes &amp; more.txt<\/a>/)
  t.match(body, /data-live="recipe attachment"/)
})

t.test('a file is chosen by its name, and a link leads to where one is added', async (t) => {
  const other = await file(samples.gif, 'other.gif')
  const { body } = await browser.get(url)
  t.match(body, /<a href="\/attachment\/board" [^>]*>Add a file<\/a>, then choose it here/)
  const hidden = await browser.hiddenFields(url)
  const fields = { ...hidden, action: 'add', title: 'Stew', picture: 'other.gif' }
  t.equal((await browser.submit(url, fields)).statusCode, 303)
  t.match((await browser.get(url)).body, `-picture-${other.id}"`)
})

t.test('files of others are not shown', async (t) => {
  const theirs = await newcomer(app, 'anna')
  await theirs.send('POST', '/recipe/index', { title: 'Pie' })
  const anna = openBrowser(app)
  await anna.signIn('anna')
  const { body } = await anna.get(url)
  t.match(body, 'Pie')
  t.notMatch(body, /<img |other\.gif|notes/)
})
