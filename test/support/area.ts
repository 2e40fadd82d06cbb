import t from 'tap'
import { boundsOf, defaultOf, type Field, isOptional } from '../../schemas/area/field.ts'
import type { FieldArea } from '../../schemas/area/index.ts'
import type { FieldType } from '../../schemas/area/language.ts'
import { charactersOf, fieldOf, isFilter } from '../../schemas/area/values.ts'
import { makeAccessToken } from './access-token.ts'
import { outcome, signIn, startService } from './helper.ts'
import { openBrowser } from './visitor.ts'

const invalid = '422 VALIDATION-FAILED'

/** Values that no field of a type takes. */
const wrongOf: Record<FieldType, (field: Field) => unknown> = {
  text: () => ' ',
  url: () => 'https://a:b@example.com/',
  email: () => 'anna@example.com, bob@example.com',
  integer: (field) => boundsOf(field).max + 1,
  number: (field) => (field.max ?? Number.MAX_VALUE) * 2,
  boolean: () => 'yes',
  date: () => '2026-02-30',
  time: () => '2026-12-24 18:00',
  'one-of': () => 'none_of_them',
  ref: () => 0,
  users: () => 'anna',
  json: () => 'text'
}

const all = [3, 2, 1]

/** The queries of a list with the rows that each finds, of three: the first has every field. */
function filtersOf(fields: Described[]) {
  const filters = fields.flatMap(({ name, field, example, other }): [string, number[]][] => {
    if (!isFilter(name, field)) return []
    const ofLeast = isOptional(field) ? defaultOf(field) : example
    const found = (value: unknown) => [
      ...(value === ofLeast ? [3, 2] : []),
      ...(value === example ? [1] : [])
    ]
    return [example, other].map((value) => [`${name}=${value}`, found(value)])
  })
  const together = fields
    .filter(({ name, field }) => isFilter(name, field))
    .map(({ name, example }) => `${name}=${example}`)
  if (together.length > 1) filters.push([together.join('&'), [1]])
  const text = fields.find(({ field }) => charactersOf(field) > 0)
  if (!text) return filters
  const q = encodeURIComponent(String(text.example).slice(-6).toUpperCase())
  filters.push([`q=${q}`, isOptional(text.field) ? [1] : all], ['q=no-such-text', []])
  return filters
}

/** A field with what a test sends: two values that are taken, one that is refused, and what a row without it shows. */
const described = (name: string, field: Field) => {
  // There is no row that it could refer to.
  const [example, other] = field.type === 'ref' ? [null, null] : fieldOf(name, field).examples
  const empty = defaultOf(field)
  return { name, field, example, other, wrong: wrongOf[field.type](field), empty }
}
type Described = ReturnType<typeof described>

const valuesOf = (fields: Described[], value: (one: Described) => unknown) =>
  Object.fromEntries(fields.map((one) => [one.name, value(one)]))

/** Tests what every area promises whose operations follow from its fields; what holds of every operation is tested in `test/contract/`. */
export function testArea({
  one,
  many,
  table,
  max,
  ...area
}: Pick<FieldArea, 'one' | 'many' | 'table' | 'max' | 'fields'>): void {
  const fields = Object.entries(area.fields).map(([name, field]) => described(name, field))
  const [needed, optional] = [false, true].map((is) =>
    fields.filter(({ field }) => isOptional(field) === is)
  ) as [Described[], Described[]]
  // Bodies: with what is required only, with every field, and a change of one field.
  const least = valuesOf(needed, ({ example }) => example)
  const full = valuesOf(fields, ({ example }) => example)
  const change = valuesOf(needed.slice(0, 1), ({ other }) => other)
  // What a row shows of the fields that `least` leaves out.
  const cleared = valuesOf(optional, ({ empty }) => empty)
  const wrong: object[] = fields.map(({ name, wrong }) => ({ [name]: wrong }))
  const filters = filtersOf(fields)
  const text = fields.find(({ field }) => charactersOf(field) > 0)?.name
  t.test(`the area ${one}`, async (t) => {
    const { app, sql } = await startService(t)
    const demo = await signIn(app)
    const list = `/${one}/index`
    const item = (id: number) => `/${one}/item/id_${id}`
    const notFound = `404 ${one.toUpperCase()}-NOT-FOUND`
    const send = async (...request: Parameters<typeof demo.send>) =>
      (await demo.send(...request)).json().Data
    const create = async (fields = least) => (await send('POST', list, fields))[one]

    t.beforeEach(() => sql(`DELETE FROM ${table}`))

    await t.test(`a ${one} is created, read, replaced, changed and deleted`, async (t) => {
      const { id, ...created } = await create(full)
      t.match(created, full)
      t.match((await send('GET', item(id)))[one], { id, ...created })
      const replaced = (await send('PUT', item(id), least))[one]
      t.match(replaced, { id, ...least, ...cleared }, 'what is left out is cleared')
      const changed = (await send('PATCH', item(id), change))[one]
      t.match(changed, { ...replaced, ...change }, 'only what is sent is changed')
      const tried = await send('DELETE', `${item(id)}?dry_run=true`)
      t.same(tried, { status: 'success', id, dry_run: true }, 'a dry run deletes nothing')
      t.same(await send('DELETE', item(id)), { status: 'success', id })
      for (const method of ['GET', 'DELETE'] as const) {
        t.equal(outcome(await demo.send(method, item(id))), notFound, method)
      }
    })

    await t.test('bad input has its code', async (t) => {
      const { id } = await create()
      const nothing = [{}, null, [], Object.fromEntries(Object.keys(change).map((k) => [k, null]))]
      for (const fields of [...wrong, ...nothing]) {
        const whole = wrong.includes(Object(fields)) ? { ...full, ...fields } : fields
        const text = JSON.stringify(fields)
        t.equal(outcome(await demo.send('POST', list, whole)), invalid, `POST ${text}`)
        t.equal(outcome(await demo.send('PUT', item(id), whole)), invalid, `PUT ${text}`)
        const changed = await demo.send('PATCH', item(id), fields)
        t.equal(outcome(changed), invalid, `PATCH ${text}`)
        t.notMatch(changed.body, /must be null|anyOf/, text)
      }
      for (const path of [`/${one}/item`, `/${one}/item/id_x`]) {
        t.equal(outcome(await demo.send('GET', path)), `400 ${one.toUpperCase()}-ID-REQUIRED`)
      }
      t.equal(outcome(await demo.send('GET', item(2 ** 53))), notFound)
    })

    await t.test('lists are newest first, by pages, and filtered', async (t) => {
      const ids: number[] = []
      for (const fields of [full, least, least]) ids.push((await create(fields)).id)
      const page = async (query: string) => {
        const { [many]: rows, next_cursor } = await send('GET', `${list}?${query}`)
        return { found: rows.map(({ id }: { id: number }) => ids.indexOf(id) + 1), next_cursor }
      }
      const first = await page('limit=2')
      t.same(first.found, [3, 2])
      t.same(await page(`cursor=${first.next_cursor}`), { found: [1], next_cursor: null })
      for (const [query, found] of [
        ...filters,
        [`id=${ids[1]}`, [2]],
        ['updated_since=2026-11-21T00:00:00Z', [3, 2, 1]],
        ['updated_since=2099-01-01T00:00:00Z', []]
      ] as const) {
        t.same((await page(query)).found, found, query)
      }
    })

    if (text !== undefined) {
      await t.test(`a search over all kinds finds ${many}`, async (t) => {
        const { id, [text]: q } = await create(full)
        const { results } = await send(
          'GET',
          `/search/index?q=${encodeURIComponent(q)}&kinds=${one}`
        )
        t.match(results, [{ kind: one, row: { id } }])
      })
    }

    await t.test('beyond the maximum: CONFLICT', async (t) => {
      await create()
      await sql(`UPDATE user_usage SET ${table} = ${max}`)
      t.equal(outcome(await demo.send('POST', list, least)), '409 CONFLICT')
      await sql(`UPDATE user_usage SET ${table} = 1`)
    })

    await t.test('its page lists, makes, changes and deletes, with undo', async (t) => {
      const browser = openBrowser(app)
      await browser.signIn()
      const page = `/${one}/board`
      const hidden = await browser.hiddenFields(page)
      const texts = Object.fromEntries(
        Object.entries(full).map(([name, value]) => [
          name,
          value instanceof Object ? JSON.stringify(value) : String(value ?? '')
        ])
      )
      const added = await browser.submit(page, { ...hidden, ...texts, action: 'add' })
      t.equal(added.statusCode, 303, added.body)
      await browser.submit(page, { ...hidden, ...texts, action: 'add' })
      const [row, ...others] = (await send('GET', list))[many]
      t.match(row, full)
      t.same(others, [], 'a form that is sent twice does it once')
      const empty = Object.fromEntries(Object.keys(cleared).map((name) => [name, '']))
      const leastTexts = Object.fromEntries(
        Object.entries(least).map(([name, value]) => [name, String(value)])
      )
      const fields = { ...hidden, ...empty, ...leastTexts, id: String(row.id) }
      t.equal((await browser.submit(page, { ...fields, action: 'change' })).statusCode, 303)
      t.match((await send('GET', list))[many], [{ ...least, ...cleared }], 'empty is cleared')
      const { body } = await browser.submit(page, { ...hidden, action: 'change', id: '999' })
      t.match(body, /id="told"/)
      const deleted = await browser.submit(page, { ...fields, action: 'delete' })
      t.match(String(deleted.headers.location), /done=delete&undo=\d+/)
      t.same((await send('GET', list))[many], [])
    })

    await t.test(
      'a plan plays its writes, which happen when it is applied, and are undone',
      async (t) => {
        const { [one]: kept } = await send('POST', list, full)
        const Name = one.replace(/^./, (first) => first.toUpperCase())
        const steps = [
          { operation: `create${Name}`, arguments: least, as: 'made' },
          { operation: `change${Name}`, arguments: { id: '$made.id', ...change } },
          { operation: `replace${Name}`, arguments: { id: '$made.id', ...full } },
          { operation: `delete${Name}`, arguments: { id: kept.id } }
        ]
        const { plan } = await send('POST', '/plan/index', { purpose: 'tidy', steps })
        t.match(plan.changes, [
          { kind: one, action: 'create', after: { ...least, ...cleared } },
          { action: 'update', after: change },
          { action: 'update', after: full },
          { action: 'delete', before: kept }
        ])
        t.same((await send('GET', list))[many], [kept], 'nothing has happened yet')
        t.equal((await send('POST', `/plan/apply/id_${plan.id}`, {})).plan.state, 'applied')
        const { [many]: rows } = await send('GET', list)
        t.match(rows, [full])
        t.notMatch(rows, [{ id: kept.id }])
        t.equal(
          outcome(await demo.send('POST', '/activity/undo', { run: plan.run })),
          '200 success'
        )
        t.match((await send('GET', list))[many], [full])
        t.equal((await send('GET', list))[many].length, 1)
      }
    )

    await t.test('every change is recorded for a run, and can be undone', async (t) => {
      const { bearer } = await makeAccessToken(app, { user_id: 'demo' })
      const { updated_at, ...kept } = await create(full)
      const headers = { ...bearer, 'x-run-id': 'tidy' }
      await app.inject({ method: 'PATCH', url: item(kept.id), headers, payload: change })
      await app.inject({ method: 'DELETE', url: item(kept.id), headers })
      await app.inject({ method: 'POST', url: list, headers, payload: least })
      const url = '/activity/undo'
      const undone = await app.inject({ method: 'POST', url, headers, payload: { run: 'tidy' } })
      t.equal(outcome(undone), '200 success')
      t.match(undone.json().Data.undone, [
        { action: 'create' },
        { action: 'delete' },
        { action: 'update' }
      ])
      t.match((await send('GET', list))[many], [kept], 'as before')
    })
  })
}

/** A field that was added to an area. */
interface Added {
  one: string
  name: string
  field: Field
  /** A body with which a row is created, without the field. */
  required: object
  /** Whether single fields can be changed. */
  canChange: boolean
}

export function testField({ one, name, field, required, canChange }: Added): void {
  const { empty, example, other, wrong } = described(name, field)
  t.test(`${name} of a ${one} is kept, checked, and may be left out`, async (t) => {
    const { app } = await startService(t)
    const demo = await signIn(app)
    const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) =>
      (await demo.send(method, url, body)).json().Data[one]
    const list = `/${one}/index`
    t.equal((await send('POST', list, required))[name], empty)
    const { id, ...made } = await send('POST', list, { ...required, [name]: example })
    t.equal(made[name], example)
    const item = `/${one}/item/id_${id}`
    t.equal((await send('GET', item))[name], example)
    if (canChange) {
      const still = await send('PATCH', item, required)
      t.equal(still[name], example, 'a change that does not name it leaves it')
      for (const value of empty === null ? [other, null] : [other]) {
        t.equal((await send('PATCH', item, { [name]: value }))[name], value)
      }
    }
    const refused = await demo.send('POST', list, { ...required, [name]: wrong })
    t.equal(outcome(refused), invalid)
  })
}
