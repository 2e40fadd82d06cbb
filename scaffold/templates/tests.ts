import { type Field, isNullable } from '../field.ts'
import type { Names } from '../names.ts'
import { exampleOf } from './schema.ts'

const json = JSON.stringify

/** What a row shows if the field was left out of what was sent. */
const emptyOf = (field: Field) =>
  isNullable(field) ? null : field.ts === 'boolean' ? false : undefined

/** `test/routes/bookmark.test.ts` */
export function areaTest({ one, many, Many, ONE, aOne }: Names, fields: Field[]) {
  const [first] = fields.filter(({ isOptional }) => !isOptional)
  const [text] = fields.filter(({ characters }) => characters > 0)
  const filters = fields.filter(({ isFilter }) => isFilter)
  const optional = fields.filter(({ isOptional }) => isOptional)
  if (!first) throw new Error('no field is always there')
  const full = fields.map(({ name, example }) => `${name}: ${json(example)}`).join(', ')
  const empty = optional.map((field) => `${field.name}: ${json(emptyOf(field))}`).join(', ')
  const wrong = fields.map(({ name, wrong }) => `{ ${name}: ${json(wrong)} }`)
  const filterCases = filters.flatMap(({ name, ts, isOptional, example, other }) => [
    `['${name}=${example}', ${isOptional ? '[1]' : '[3, 2, 1]'}]`,
    `['${name}=${other}', ${ts === 'boolean' ? '[3, 2]' : '[]'}]`
  ])
  const textCases = text
    ? [
        `['q=${encodeURIComponent(String(text.example).slice(-6).toUpperCase())}', ${text.isOptional ? '[1]' : '[3, 2, 1]'}]`,
        "['q=no-such-text', []]"
      ]
    : []
  const searched = text
    ? `
t.test('a search over all kinds finds ${many}', async (t) => {
  const { id } = await create(full)
  const q = encodeURIComponent(full.${text.name})
  const { results } = (await demo.send('GET', \`/search/index?q=\${q}&kinds=${one}\`)).json().Data
  t.match(results, [{ kind: '${one}', row: { id } }])
})
`
    : ''
  const minimal = `{ ${exampleOf(fields)} }`
  return `import t from 'tap'
import { max${Many} } from '../../schemas/${one}.ts'
import { makeAccessToken } from '../support/access-token.ts'
import { outcome, signIn, startService } from '../support/helper.ts'

const { app, sql } = await startService(t)
const demo = await signIn(app)
const list = '/${one}/index'
const item = (id: number) => \`/${one}/item/id_\${id}\`
const least = ${minimal}
const full = { ${full} }
const notFound = '404 ${ONE}-NOT-FOUND'
const create = async (fields: object = least) =>
  (await demo.send('POST', list, fields)).json().Data.${one}

t.beforeEach(() => sql('DELETE FROM ${many}'))

t.test('${aOne} is created, read, replaced, changed and deleted', async (t) => {
  const { id, ...created } = await create(full)
  t.match(created, full)
  t.match((await demo.send('GET', item(id))).json().Data.${one}, { id, ...created })
  const replaced = (await demo.send('PUT', item(id), least)).json().Data.${one}
  t.match(replaced, { id, ...least${empty ? `, ${empty}` : ''} }, 'what is left out is cleared')
  const change = { ${first.name}: ${json(first.other)} }
  const changed = (await demo.send('PATCH', item(id), change)).json().Data.${one}
  t.match(changed, { ...replaced, ...change }, 'only what is sent is changed')
  const tried = await demo.send('DELETE', \`\${item(id)}?dry_run=true\`)
  t.same(tried.json().Data, { status: 'success', id, dry_run: true }, 'a dry run deletes nothing')
  t.same((await demo.send('DELETE', item(id))).json().Data, { status: 'success', id })
  for (const method of ['GET', 'DELETE'] as const) {
    t.equal(outcome(await demo.send(method, item(id))), notFound, method)
  }
})

t.test('bad input has its code', async (t) => {
  const { id } = await create()
  const wrong = [${wrong.join(', ')}]
  for (const fields of wrong) {
    const sent = { ...full, ...fields }
    t.equal(outcome(await demo.send('POST', list, sent)), '422 VALIDATION-FAILED', JSON.stringify(fields))
    t.equal(outcome(await demo.send('PUT', item(id), sent)), '422 VALIDATION-FAILED')
    t.equal(outcome(await demo.send('PATCH', item(id), fields)), '422 VALIDATION-FAILED')
  }
  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    const url = method === 'POST' ? list : item(id)
    for (const body of [{}, null, [], { ${first.name}: null }]) {
      t.equal(outcome(await demo.send(method, url, body)), '422 VALIDATION-FAILED', method)
    }
  }
  t.equal(outcome(await demo.send('GET', '/${one}/item')), '400 ${ONE}-ID-REQUIRED')
  t.equal(outcome(await demo.send('GET', '/${one}/item/id_x')), '400 ${ONE}-ID-REQUIRED')
  t.equal(outcome(await demo.send('GET', item(2 ** 53))), notFound)
})

t.test('${aOne} of another user is not found', async (t) => {
  const { id } = await create()
  const admin = await signIn(app, 'admin')
  const change = { ${first.name}: ${json(first.other)} }
  for (const [method, body] of [['GET'], ['PUT', full], ['PATCH', change], ['DELETE']] as const) {
    t.equal(outcome(await admin.send(method, item(id), body)), notFound, method)
  }
  t.same((await admin.send('GET', list)).json().Data.${many}, [])
})

t.test('lists are newest first, by pages, and filtered', async (t) => {
  const ids: number[] = []
  for (const fields of [full, least, least]) ids.push((await create(fields)).id)
  const page = async (query: string) => {
    const { ${many}, next_cursor } = (await demo.send('GET', \`\${list}?\${query}\`)).json().Data
    return { found: ${many}.map(({ id }: { id: number }) => ids.indexOf(id) + 1), next_cursor }
  }
  const first = await page('limit=2')
  t.same(first.found, [3, 2])
  t.same(await page(\`cursor=\${first.next_cursor}\`), { found: [1], next_cursor: null })
  const cases: [query: string, found: number[]][] = [
    ${[...filterCases, ...textCases].map((line) => `${line},\n    `).join('')}['updated_since=2026-11-21T00:00:00Z', [3, 2, 1]],
    ['updated_since=2099-01-01T00:00:00Z', []]
  ]
  for (const [query, found] of cases) t.same((await page(query)).found, found, query)
})

${searched}
t.test('a repeated key creates nothing more; beyond the maximum: CONFLICT', async (t) => {
  const headers = { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'idempotency-key': 'once' }
  const send = () => app.inject({ method: 'POST', url: list, headers, payload: least })
  const [one, again] = [await send(), await send()]
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.body, one.body)
  await sql(\`UPDATE user_usage SET ${many} = \${max${Many}}\`)
  t.equal(outcome(await demo.send('POST', list, least)), '409 CONFLICT')
  await sql('UPDATE user_usage SET ${many} = 1')
})

t.test('every change is recorded for a run, and can be undone', async (t) => {
  const { bearer: headers } = await makeAccessToken(app, { user_id: 'demo', scopes: ['${one}:read', '${one}:write'] })
  const kept = await create(full)
  const inRun = { ...headers, 'x-run-id': 'tidy' }
  await app.inject({ method: 'PATCH', url: item(kept.id), headers: inRun, payload: { ${first.name}: ${json(first.other)} } })
  await app.inject({ method: 'DELETE', url: item(kept.id), headers: inRun })
  await app.inject({ method: 'POST', url: list, headers: inRun, payload: least })
  const undone = await app.inject({ method: 'POST', url: '/activity/undo', headers, payload: { run: 'tidy' } })
  t.equal(outcome(undone), '200 success')
  t.same(
    undone.json().Data.undone.map(({ action }: { action: string }) => action),
    ['create', 'delete', 'update']
  )
  const { updated_at, ...row } = kept
  t.match((await demo.send('GET', list)).json().Data.${many}, [row], 'as before')
})

t.test('a token needs the scope', async (t) => {
  const { bearer: headers } = await makeAccessToken(app, { user_id: 'demo', scopes: ['${one}:read'] })
  t.equal(outcome(await app.inject({ url: list, headers })), '200 success')
  const made = await app.inject({ method: 'POST', url: list, headers, payload: least })
  t.equal(outcome(made), '403 SCOPE-INSUFFICIENT')
})
`
}

interface Area {
  /** A body with which a row is created. */
  required: object
  /** Whether single fields can be changed. */
  canChange: boolean
  /** The path of `test/` from the new test. */
  up: string
}

/** The test of a field that was added to an area. */
export function fieldTest({ one, aOne }: Names, field: Field, { required, canChange, up }: Area) {
  const { name, example, other, wrong } = field
  const clear = isNullable(field)
    ? `
  t.equal((await send('PATCH', item, { ${name}: null })).${name}, null)`
    : ''
  const changes = `
  const still = (await send('PATCH', item, required)).${name}
  t.equal(still, ${json(example)}, 'a change that does not name it leaves it')
  t.equal((await send('PATCH', item, { ${name}: ${json(other)} })).${name}, ${json(other)})${clear}`
  return `import t from 'tap'
import { outcome, signIn, startService } from '${up}support/helper.ts'

t.test('${name} of ${aOne} is kept, checked, and may be left out', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const required = ${json(required)}
  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) =>
    (await demo.send(method, url, body)).json().Data.${one}
  const list = '/${one}/index'
  t.equal((await send('POST', list, required)).${name}, ${json(emptyOf(field))})
  const { id, ...made } = await send('POST', list, { ...required, ${name}: ${json(example)} })
  t.equal(made.${name}, ${json(example)})
  const item = \`/${one}/item/id_\${id}\`
  t.equal((await send('GET', item)).${name}, ${json(example)})${canChange ? changes : ''}
  const refused = await demo.send('POST', list, { ...required, ${name}: ${json(wrong)} })
  t.equal(outcome(refused), '422 VALIDATION-FAILED')
})
`
}
