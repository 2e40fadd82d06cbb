import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

/** Forty kinds, which refer to the first. */
const names = [
  'apple',
  ...Array.from(
    { length: 39 },
    (_, n) => `kind${String.fromCharCode(97 + (n % 26))}${n < 26 ? 'x' : 'y'}`
  )
]
const declared = names.map((name, n) => ({
  name,
  fields: fieldsFrom([
    'title:text:120!',
    'stars:integer:1..5=3',
    ...(n > 0 ? ['apple:ref:apple:clear?'] : [])
  ]),
  ...(n === 1 && { states: { ripe: ['eaten'], eaten: [] } })
}))
for (const area of declared) checkDeclaration(area)
declareAreas(declared)

const { default: t } = await import('tap')
const { makeAccessToken } = await import('./support/access-token.ts')
const { restart, signIn, startService } = await import('./support/helper.ts')
const { connect, toldOf } = await import('./support/mcp.ts')
const service = await startService(t)
const { app } = service

async function start(limits: { asks?: boolean } = {}) {
  await restart(service)
  const { bearer } = await makeAccessToken(app, limits)
  const client = await connect(t, service, { bearer })
  const call = async (name: string, args: object) =>
    toldOf(await client.callTool({ name, arguments: { ...args } })) as Record<string, unknown>
  return { client, call }
}

t.test('a token that asks is told as briefly', async (t) => {
  const { client } = await start({ asks: true })
  const { tools } = await client.listTools()
  t.ok(JSON.stringify({ tools }).length <= 12_000, `${JSON.stringify({ tools }).length} bytes`)
  const membersOf = (name: string) =>
    Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})
  t.same(membersOf('delete_todos'), ['ids', 'run', 'purpose', 'wait_seconds'])
  t.same(membersOf('delete_rows'), ['kind', 'ids', 'run', 'purpose', 'wait_seconds'])
  for (const name of ['create_todos', 'create_rows'])
    t.ok(membersOf(name).includes('idempotency_key'))
})

t.test('with more than 24 tools, declared kinds share five', async (t) => {
  const { client, call } = await start()
  const { tools } = await client.listTools()
  t.ok(JSON.stringify({ tools }).length <= 12_000, `${JSON.stringify({ tools }).length} bytes`)
  const shared = tools.map(({ name }) => name).filter((name) => /_(rows|kinds)$/.test(name))
  t.same(shared, ['describe_kinds', 'list_rows', 'create_rows', 'change_rows', 'delete_rows'])
  t.ok(tools.some(({ name }) => name === 'move_row'))
  t.notOk(tools.some(({ name }) => name.startsWith('move_kind')))
  t.notOk(tools.some(({ name }) => /_(apples|kind\w[xy])/.test(name)))

  t.match(client.getInstructions(), /describe_kinds names the 40 kinds/)
  t.ok(String(client.getInstructions()).length <= 2000)

  const all = await call('describe_kinds', {})
  t.equal((all.kinds as object[]).length, 40)
  t.match(all, { kinds: [{ kind: 'apple', fields: ['title:text:120!', 'stars:integer:1..5=3'] }] })
  t.match(await call('describe_kinds', { kind: 'apple' }), {
    kinds: [
      {
        fields: { properties: { title: { type: 'string', maxLength: 120 } }, required: ['title'] },
        filters: { title: { type: 'string' }, sort: { type: 'string' } }
      }
    ]
  })

  const items = [{ title: 'Red' }, { title: 'Green', stars: 5 }, { title: 'Red' }]
  t.match(await call('create_rows', { kind: 'apple', items, run: 'orchard' }), {
    status: 'partial',
    items: [{ id: 1 }, { id: 2 }, { errorCode: 'CONFLICT', reason: 'taken' }]
  })
  const [, other = ''] = names
  await call('create_rows', { kind: other, items: [{ title: 'Pie', apple: 2 }] })
  const found = await call('list_rows', { kind: other, where: { apple: 2 }, with: 'apple' })
  t.match(found, { with: { apple: [{ title: 'Green' }] } })
  t.match(await call('move_row', { kind: other, id: 1, to_state: 'eaten' }), {
    status: 'success',
    allowed_next: []
  })
  t.match(await call('change_rows', { kind: 'apple', items: [{ id: 2, stars: 1 }] }), {
    status: 'success'
  })
  t.match(await call('list_rows', { kind: 'apple', sort: 'stars', count: true }), {
    apples: [{ id: 2, stars: 1 }, { id: 1 }],
    total: 2
  })
  const sorted = { kind: 'apple', sort: 'stars', limit: 1 }
  const { next_cursor } = await call('list_rows', sorted)
  t.match(await call('list_rows', { ...sorted, cursor: next_cursor }), {
    apples: [{ id: 1 }],
    next_cursor: null
  })
  t.match(await call('delete_rows', { kind: 'apple', ids: [1], dry_run: true }), { dry_run: true })
  t.match(await call('delete_rows', { kind: 'apple', ids: [1] }), { status: 'success' })
  t.match(await call('undo_activity', { run: 'orchard' }), { conflicts: [{}, {}] })
})

t.test('every tool describes what the instructions do not, whatever is declared', async (t) => {
  for (const limits of [{}, { asks: true }]) {
    const { client } = await start(limits)
    for (const { name, inputSchema } of (await client.listTools()).tools) {
      for (const member of ['q', 'updated_since', 'page', 'count', 'run']) {
        const schema = inputSchema.properties?.[member] as { description?: string } | undefined
        if (schema) t.type(schema.description, 'string', `${name} ${member}`)
      }
    }
  }
})

t.test('list_rows filters by all that the list of a kind takes, in one form', async (t) => {
  const { client, call } = await start()
  const [, pie = ''] = names
  await call('create_rows', {
    kind: 'apple',
    items: JSON.stringify([
      { title: 'A', stars: 1 },
      { title: 'B', stars: 3 },
      { title: 'C', stars: 5 }
    ])
  })
  await call('create_rows', {
    kind: pie,
    items: [{ title: 'With', apple: 1 }, { title: 'Without' }]
  })
  const titles = async (kind: string, where: unknown) => {
    const rows = (await call('list_rows', { kind, where })) as Record<string, { title: string }[]>
    return (
      Object.values(rows)
        .find(Array.isArray)
        ?.map(({ title }) => title) ?? rows
    )
  }
  const cases: [kind: string, where: unknown, found: string[]][] = [
    ['apple', { stars: 3 }, ['B']],
    ['apple', { title: 'B' }, ['B']],
    ['apple', { 'stars.from': 3 }, ['C', 'B']],
    ['apple', { 'stars.from': 1, 'stars.to': 3 }, ['A']],
    ['apple', { 'stars.in': [1, 5] }, ['C', 'A']],
    ['apple', { 'stars.in': '1,5' }, ['C', 'A']],
    ['apple', '{"title.in":"A,B"}', ['B', 'A']],
    [pie, { 'apple.is': 'null' }, ['Without']],
    [pie, { 'apple.is': 'set' }, ['With']],
    [pie, { 'apple.in': [1, 2] }, ['With']]
  ]
  for (const [kind, where, found] of cases) {
    t.same(await titles(kind, where), found, JSON.stringify(where))
  }
  const example = /\{"recipe": 1, "day\.from": .*\}/
  const { tools } = await client.listTools()
  t.match(tools.find(({ name }) => name === 'list_rows')?.description, example)
  for (const where of [
    { stars: { from: 3 } },
    { 'stars.gte': 3 },
    { stars_from: 3 },
    { stars: [1, 5] },
    { limit: 1 },
    [['stars', '>', 3]],
    'stars > 3'
  ]) {
    const { details } = (await call('list_rows', { kind: 'apple', where })) as {
      details: { field: string; message: string }[]
    }
    t.match(details, [{ field: /^where/, message: example }], JSON.stringify(where))
  }
  t.match(await call('describe_kinds', { kind: 'apple' }), {
    kinds: [{ filters: { 'stars.from': {}, 'stars.to': {}, 'stars.in': {}, 'title.in': {} } }]
  })
})

t.test('steps of a plan name shared tools too', async (t) => {
  const { call } = await start()
  const [, pie = ''] = names
  const steps = [
    {
      operation: 'create_rows',
      arguments: { kind: 'apple', items: [{ title: 'Red' }] },
      as: 'red'
    },
    {
      operation: 'create_rows',
      arguments: { kind: pie, items: [{ title: 'Pie', apple: '$red.id' }] },
      as: 'pie'
    },
    {
      operation: 'change_rows',
      arguments: { kind: pie, items: [{ id: '$pie.id', title: 'Cake' }] }
    },
    { operation: 'move_row', arguments: { kind: pie, id: '$pie.id', to_state: 'eaten' } },
    { operation: 'delete_rows', arguments: { kind: pie, ids: ['$pie.id'] } }
  ]
  const made = await call('create_plan', { purpose: 'A pie', steps, return: 'full' })
  t.match(made, {
    plan: {
      steps: [
        { operation: 'createApples', arguments: { items: [{ title: 'Red' }] } },
        {},
        {},
        {},
        {}
      ],
      changes: [
        { kind: 'apple' },
        { after: { title: 'Pie' } },
        { after: { title: 'Cake' } },
        {},
        { action: 'delete' }
      ]
    }
  })
  const wrong = [
    { operation: 'create_todos', arguments: { items: [{ title: 'x' }] } },
    { operation: 'create_rows', arguments: { items: [] } }
  ]
  t.match(await call('create_plan', { purpose: 'x', steps: wrong }), {
    code: 'PLAN-INVALID',
    step: 1,
    failure: { details: [{ field: 'kind', message: /^must be one of apple/ }] }
  })
})

t.test('wrong arguments of shared tools are named', async (t) => {
  const { call } = await start()
  t.match(await call('list_rows', { kind: 'todo' }), {
    code: 'VALIDATION-FAILED',
    details: [{ field: 'kind', message: /^must be one of apple, / }]
  })
  t.match(await call('create_rows', { items: [] }), { details: [{ field: 'kind' }] })
  t.match(await call('list_rows', { kind: 'apple', where: [1] }), { details: [{ field: 'where' }] })
  t.match(await call('list_rows', { kind: 'apple', where: { colour: 1 } }), {
    code: 'VALIDATION-FAILED',
    details: [{ field: 'where.colour', message: /stars\.from/ }]
  })
  t.match(await call('create_rows', { kind: 'apple', items: [{ stars: 9 }] }), {
    items: [{ details: [{ field: 'title' }, { field: 'stars' }] }]
  })
})

t.test('under approval they propose', async (t) => {
  const { call } = await start({ asks: true })
  const made = await call('create_rows', {
    kind: 'apple',
    items: [{ title: 'Red' }],
    purpose: 'Fruit'
  })
  t.match(made, { status: 'pending', plan: { state: 'pending' } })
  const demo = await signIn(app)
  const { id } = Object(made.plan)
  t.match((await demo.send('POST', `/plan/apply/id_${id}`, {})).json().Data, {
    plan: { purpose: 'Fruit', state: 'applied' }
  })
})
