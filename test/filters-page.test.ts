import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'
import { withIndexes } from './support/declaration.ts'

const fields = fieldsFrom([
  ...['title:text:120', 'minutes:integer:1..600=30', 'price:number:0..100?', 'due_on:date?'],
  ...['seen_at:time?', 'made_on:date?', 'cook:ref:cook:clear?', 'vegan:boolean']
])
const recipe = {
  name: 'recipe',
  fields: withIndexes(fields, ['minutes', 'price', 'due_on', 'seen_at'])
}
const declared = [{ name: 'cook', fields: fieldsFrom(['name:text:80']) }, recipe]
for (const area of declared) checkDeclaration(area)
declareAreas(declared)

const { default: t } = await import('tap')
const { signIn, startService } = await import('./support/helper.ts')
const { openBrowser } = await import('./support/visitor.ts')
const { app } = await startService(t)
const demo = await signIn(app)
const browser = openBrowser(app)
await browser.signIn()
const make = async (kind: string, body: object) =>
  (await demo.send('POST', `/${kind}/index`, body)).json().Data[kind].id as number
const [anna, bob] = [await make('cook', { name: 'Anna' }), await make('cook', { name: 'Bob' })]
await make('cook', { name: 'Twin' })
await make('cook', { name: 'Twin' })
const first = { minutes: 5, price: 1.5, due_on: '2026-12-24', seen_at: '2026-12-24T23:59:00Z' }
await make('recipe', { title: 'Soup', cook: anna, ...first })
const second = { minutes: 600, price: 2, due_on: '9999-12-31', seen_at: '2026-12-25T00:00:00Z' }
await make('recipe', { title: 'Cake', cook: bob, ...second })
await make('recipe', { title: 'Stew', minutes: 30 })

/** The page with these filters: the titles of its rows, and what it says is wrong. */
async function look(query: string) {
  const { body, statusCode } = await browser.get(`/recipe/board?${query}`)
  t.equal(statusCode, 200, query)
  const titles = body.matchAll(/data-label="Title"[^>]*><span[^>]*>([^<]*)</g)
  const problems = body.matchAll(/<p class="problem" id="-([^"]*)-problem">([^<]*)</g)
  return {
    body,
    titles: [...titles].map(([, title]) => title),
    problems: [...problems].map(([, name, words]) => `${name}: ${words}`)
  }
}

t.test('a page is filtered by the name of what its rows refer to', async (t) => {
  for (const [text, titles] of [
    ['Anna', ['Soup']],
    [`Anna · ${anna}`, ['Soup']],
    [String(bob), ['Cake']],
    ['', ['Stew', 'Cake', 'Soup']]
  ] as const)
    t.same((await look(`is_cook=${encodeURIComponent(text)}`)).titles, titles, text)
  for (const text of ['Nobody', 'Twin']) {
    const { titles, problems } = await look(`is_cook=${text}`)
    t.same(titles, [])
    t.same(problems, [
      'is_cook: This is the name of no cook, or of several: choose one of the list.'
    ])
  }
})

t.test('a page is filtered by ranges, with the last day and the last whole number', async (t) => {
  for (const [query, titles] of [
    ['from_minutes=5&to_minutes=30', ['Stew', 'Soup']],
    ['from_minutes=6', ['Stew', 'Cake']],
    ['to_minutes=600', ['Stew', 'Cake', 'Soup']],
    ['to_price=2', ['Soup']],
    ['from_price=2', ['Cake']],
    ['from_due_on=2026-12-24&to_due_on=2026-12-24', ['Soup']],
    ['from_due_on=2026-12-25', ['Cake']],
    ['to_due_on=9999-12-31&from_due_on=9999-12-31', ['Cake']],
    ['to_seen_at=2026-12-24', ['Soup']],
    ['from_seen_at=2026-12-25', ['Cake']],
    ['from_minutes=1&is_cook=Anna&is_vegan=false&q=so', ['Soup']],
    ['from_minutes=1&sort=title', ['Cake', 'Soup', 'Stew']],
    ['from_minutes=&to_minutes=', ['Stew', 'Cake', 'Soup']]
  ] as const)
    t.same((await look(query)).titles, titles, query)
})

t.test('what is no end of a range stands beside it', async (t) => {
  for (const [query, problem] of [
    ['from_minutes=0', 'from_minutes: Enter a whole number from 1 to 600.'],
    ['to_minutes=1.5', 'to_minutes: Enter a whole number from 1 to 600.'],
    ['to_price=x', 'to_price: Enter a number from 0 up to 100.'],
    ['from_due_on=2026-02-30', 'from_due_on: Enter a date such as 2026-12-24.'],
    ['to_seen_at=yesterday', 'to_seen_at: Enter a date such as 2026-12-24.']
  ] as const) {
    const { titles, problems } = await look(query)
    t.same([titles, problems], [[], [problem]], query)
  }
})

t.test('further filters are closed until one is set, and stay with the next page', async (t) => {
  const { body } = await look('')
  t.match(body, /<details\s*>\s*<summary>More filters/)
  const labels = [...body.matchAll(/<label for="-([^"]*)"[^>]*>([^<]*)</g)]
  t.same(
    labels.map(([, name, label]) => [name, label]),
    [
      ['is_vegan', 'Vegan'],
      ['is_cook', 'Cook'],
      ['from_minutes', 'Minutes: from'],
      ['to_minutes', 'Minutes: to'],
      ['from_price', 'Price: from'],
      ['to_price', 'Price: below'],
      ['from_due_on', 'Due on: from'],
      ['to_due_on', 'Due on: to'],
      ['from_seen_at', 'Seen at: from (UTC)'],
      ['to_seen_at', 'Seen at: to (UTC)']
    ],
    'without an index there is none'
  )
  const set = await look('from_minutes=5')
  t.match(set.body, /<details open>\s*<summary>More filters/)
  t.match(set.body, 'id="-from_minutes" name="from_minutes"')
  t.match(set.body, /href="\/recipe\/board\?[^"]*from_minutes=5[^"]*"/)
  t.match((await look('from_minutes=500&to_minutes=500')).body, 'No recipes match.')
})
