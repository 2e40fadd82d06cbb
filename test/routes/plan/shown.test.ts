/** Random plans: two that would leave different rows never look the same where a person decides. */
import fc from 'fast-check'
import { checkDeclaration, type Declaration } from '../../../schemas/area/declaration.ts'
import { checkTogether, declareAreas } from '../../../schemas/area/declared.ts'
import type { Field, Fields } from '../../../schemas/area/field.ts'
import type { FieldType } from '../../../schemas/area/language.ts'

const seed = Date.now() % 1_000_000
/** The first samples of a seed are the same for the same seed. */
const sample = <T>(from: fc.Arbitrary<T>, numRuns: number, more = 0) =>
  fc.sample(from, { seed: seed + more, numRuns })

const texts = [
  ...['a', ' a', 'a ', 'a  b', 'a b', 'a\nb', 'a\n\nb', 'a\r\nb', 'a\n b', 'a\tb', '\na', 'a\n'],
  ...[
    'null',
    'yes',
    'true',
    '1',
    '[]',
    '"a"',
    'empty',
    'a\u200b',
    'a\u200d',
    'a\u00a0b',
    '\u202ea'
  ],
  ...['2026-12-24T18:00:00.000Z', '2026-12-24 18:00 UTC', '<b>', '&lt;b&gt;', 'a from b to c'],
  ...[`${'x'.repeat(90)}1`, `${'x'.repeat(90)}2`]
]
/** Values of each type that may read the same. */
const valuesOf: Record<FieldType, (field: Field) => unknown[]> = {
  text: ({ trim }) =>
    texts
      .filter((text) => trim === false || text === text.trim())
      .concat(trim === false ? [''] : []),
  url: () => [
    'https://a.example/',
    'https://a.example',
    'https://a.example/?',
    `https://a.example/${'x'.repeat(90)}`
  ],
  email: () => ['a@example.com', 'A@example.com', 'b@example.com'],
  integer: () => [0, 1, -1, 1000],
  number: () => [0, 1, 0.1, 1e21, -2.5],
  boolean: () => [true, false],
  date: () => ['2026-12-24', '2026-12-25'],
  time: () =>
    ['18:00:00.000', '18:00:01.000', '18:00:00.001', '18:01:00.000'].map(
      (time) => `2026-12-24T${time}Z`
    ),
  'one-of': ({ of = [] }) => [...of],
  ref: () => [1, 2],
  users: () => [[], ['anna'], ['demo'], ['anna', 'demo'], ['demo', 'anna']],
  json: () => [
    {},
    [],
    [1],
    ['1'],
    [null],
    ['null'],
    ['a', 'b'],
    ['a, b'],
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    [true],
    ['true'],
    ['a  b'],
    ['a\u200b']
  ]
}
const options: Partial<Record<FieldType, Partial<Field>>> = {
  'one-of': { of: ['draft', 'paid', 'in_draft'] },
  integer: { min: -1000 },
  ref: { to: 'essay', on_delete: 'clear' }
}

const types = Object.keys(valuesOf) as FieldType[]
/** A field: needed, optional, or with a default. */
const fieldOf = (type: FieldType) =>
  fc
    .record({ how: fc.nat(2), trim: fc.boolean(), at: fc.nat(9) })
    .map(({ how, trim, at }): Field => {
      const field: Field = { type, ...options[type], ...(type === 'text' && !trim && { trim }) }
      const values = valuesOf[type]({ ...field, trim: true })
      const canDefault = !['ref', 'json', 'users'].includes(type)
      const value = values[at % values.length] as string
      if (how === 1 && canDefault) return { ...field, default: value }
      return type === 'boolean'
        ? field
        : how === 2 || type === 'ref'
          ? { ...field, optional: true }
          : field
    })

/** Names that read alike, too. */
const names = [
  'due_on',
  'due_date',
  'is_open',
  'open',
  'not_open',
  'label',
  'seen_at',
  'note',
  'size',
  'data',
  'who',
  'part',
  'more'
]
const declaration = (name: string) =>
  fc
    .record({
      of: fc.tuple(...types.map(fieldOf)),
      names: fc.shuffledSubarray(names, { minLength: types.length }),
      states: fc.boolean(),
      versions: fc.boolean()
    })
    .map(
      ({ of, names, states, versions }): Declaration => ({
        name,
        fields: {
          must: { type: 'integer' },
          ...Object.fromEntries(of.map((field, index) => [names[index], field]))
        } as Fields,
        ...(versions && { versions }),
        ...(states && {
          states: { draft: ['sent', 'in_draft'], sent: ['draft'], in_draft: ['draft'] }
        })
      })
    )

const random = ['invoice', 'ticket'].map(
  (name, index) => sample(declaration(name), 1, index)[0] as Declaration
)
const declared: Declaration[] = [
  { name: 'essay', fields: { content: { type: 'text', max: 200 } } },
  ...random
]
for (const area of declared) checkDeclaration(area)
checkTogether(declared)
declareAreas(declared)

const { default: t } = await import('tap')
const { addUser, outcome, signIn, startService } = await import('../../support/helper.ts')
const { app, sql } = await startService(t)
await addUser(app, 'anna')
const demo = await signIn(app)
t.comment(`seed ${seed}`)

/** A value of each field that must be sent. */
const leastOf = ({ fields }: Declaration) =>
  Object.fromEntries(
    Object.entries<Field>(fields).flatMap(([name, field]) =>
      field.optional || field.default !== undefined || field.type === 'boolean'
        ? []
        : [[name, valuesOf[field.type](field)[0]]]
    )
  )
for (const content of ['Soup', 'Soup']) await demo.send('POST', '/essay/index', { content })
for (const area of random)
  for (const _ of 'ab') {
    const made = await demo.send('POST', `/${area.name}/index`, leastOf(area))
    t.equal(outcome(made), '200 success', made.body)
  }

interface Step {
  operation: string
  arguments: Record<string, unknown>
  as?: string
}
/** What pages show of a plan, as browsers draw it: white space as one space, and without what is its own. */
async function look(steps: Step[]) {
  const answer = await demo.send('POST', '/plan/index', { purpose: 'Try', steps })
  if (answer.statusCode !== 200) return undefined
  const { plan } = answer.json().Data
  const { body } = await app.inject({
    url: `/plan/board?plan=${plan.id}`,
    headers: { cookie: demo.cookie }
  })
  await sql('DELETE FROM plans')
  const shown = body.slice(body.indexOf('nothing happens.'), body.indexOf('id="apply-'))
  return {
    shown: shown.replaceAll(/\s+/g, ' ').replaceAll(/ title="[^"]*"/g, ''),
    rows: rowsAfter(plan.changes)
  }
}

interface Change {
  kind: string
  key: number | null
  after: Record<string, unknown> | null
  refers_to?: Record<string, number>
}
/** What a plan leaves of the rows that it changes, whatever the order in which it does. */
function rowsAfter(changes: Change[]) {
  const names: string[] = []
  const rows = new Map<string, unknown>()
  const made: Record<string, number> = {}
  for (const { kind, key, after, refers_to: { id, ...refs } = {} } of changes) {
    if (key === null && id === undefined) made[kind] = (made[kind] ?? 0) + 1
    const own = key ?? `new ${made[kind]}`
    const name = id === undefined ? `${kind} ${own}` : (names[id] ?? '')
    names.push(name)
    const { created_at, updated_at, version, ...content } = after ?? {}
    const named = Object.entries(refs).map(([field, place]) => [field, names[place]])
    rows.set(name, after && { ...content, ...Object.fromEntries(named) })
  }
  return JSON.stringify([...rows].sort(([one], [other]) => (one < other ? -1 : 1)))
}

const seen = new Map<string, { rows: string; steps: Step[] }>()
let count = 0
async function tell(steps: Step[]) {
  const found = await look(steps)
  if (!found) return
  count += 1
  const { shown, rows } = found
  const known = seen.get(shown)
  if (known && known.rows !== rows) {
    t.fail(`two plans look the same (${seed})`, { seed, shown, one: known, other: { rows, steps } })
  }
  seen.set(shown, { rows, steps })
}

const matchOf = ({ versions }: Declaration) => (versions ? { if_match: '*' } : {})
const Names = (name: string) => name.replace(/^./, (first) => first.toUpperCase())

t.test('each value of each field, at adding and changing, looks unlike every other', async (t) => {
  for (const area of random) {
    for (const [name, field] of Object.entries<Field>(area.fields)) {
      for (const value of [undefined, null, ...valuesOf[field.type](field)]) {
        const least = { ...leastOf(area), ...(value !== undefined && { [name]: value }) }
        await tell([{ operation: `create${Names(area.name)}`, arguments: least }])
        if (value !== undefined)
          await tell([
            {
              operation: `change${Names(area.name)}`,
              arguments: { id: 1, ...matchOf(area), [name]: value }
            }
          ])
      }
    }
  }
  t.ok(count > 100, `${count} plans`)
})

/** Steps that make, change, delete and move rows, old and new. */
const step = fc
  .record({
    area: fc.constantFrom(...random),
    what: fc.constantFrom(
      'create',
      'create',
      'change',
      'change',
      'delete',
      'move',
      'batch',
      'essay',
      'write'
    ),
    row: fc.constantFrom<unknown[]>(1, 2, '$a.id', '$b.id', '$c.id'),
    essay: fc.constantFrom<unknown[]>(1, 2, '$e.id', '$f.id'),
    text: fc.constantFrom('Soup', 'Tart', 'a', 'a '),
    at: fc.nat(99),
    to_state: fc.constantFrom('draft', 'sent', 'in_draft'),
    as: fc.constantFrom('a', 'b', 'c', 'e', 'f')
  })
  .map(({ area, what, row, essay, text, at, to_state, as }): Step => {
    const { name, fields } = area
    const fieldNames = Object.keys(fields)
    const field = fieldNames[at % fieldNames.length] ?? ''
    const values = valuesOf[fields[field]?.type ?? 'text'](fields[field] ?? { type: 'text' })
    const value = fields[field]?.type === 'ref' ? essay : (values[at % values.length] ?? null)
    const change = { [field]: value }
    const Name = Names(name)
    switch (what) {
      case 'create':
        return { operation: `create${Name}`, arguments: { ...leastOf(area), ...change }, as }
      case 'change':
        return { operation: `change${Name}`, arguments: { id: row, ...matchOf(area), ...change } }
      case 'delete':
        return { operation: `delete${Name}`, arguments: { id: row, ...matchOf(area) } }
      case 'move':
        return { operation: `move${Name}`, arguments: { id: row, ...matchOf(area), to_state } }
      case 'batch':
        return {
          operation: `create${Name}s`,
          arguments: { items: [{ ...leastOf(area), ...change }] }
        }
      case 'essay':
        return { operation: 'createEssay', arguments: { content: text }, as }
      default:
        return { operation: 'changeEssay', arguments: { id: essay, content: text } }
    }
  })

t.test('random plans that would leave different rows never look the same', async (t) => {
  const until = performance.now() + 3000
  const before = count
  for (const steps of sample(fc.array(step, { minLength: 1, maxLength: 5 }), 2000, 7)) {
    if (performance.now() > until) break
    await tell(steps)
  }
  t.ok(count - before > 20, `${count - before} plans`)
})
