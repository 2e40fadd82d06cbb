import type { Found } from '../plugins/patterns/area/records.ts'
import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const declared = Object.entries({
  cook: ['name:text:80!'],
  recipe: [
    ...['title:text:120', 'minutes:integer:1..600=30', 'cook:ref:cook:clear?', 'due_on:date?'],
    'raw:text:200?',
    ...['vegan:boolean', 'stars:number:-5..5?', 'seen_at:time?', 'course:one-of:starter,main=main']
  ]
}).map(([name, fields]) => ({ name, fields: fieldsFrom(fields), max: 2000 }))
Object.assign(declared[1]?.fields.raw ?? {}, { trim: false })
for (const area of declared) checkDeclaration(area)
declareAreas(declared)

const { spawnSync } = await import('node:child_process')
const { mkdirSync, writeFileSync } = await import('node:fs')
const { join } = await import('node:path')
const { default: fc } = await import('fast-check')
const { default: t } = await import('tap')
const { writerOf } = await import('../plugins/patterns/area/formats.ts')
const { recordsOf } = await import('../plugins/patterns/area/records.ts')
const { makeAccessToken } = await import('./support/access-token.ts')
const { runInProcess } = await import('./support/command.ts')
const { newcomer, outcome, restart, signIn, startService, temporaryFolder } = await import(
  './support/helper.ts'
)
const service = await startService(t)
const { app, place } = service
const folder = temporaryFolder(t)

/** Writes a file, and imports it into an area of `demo`. */
async function importInto(area: string, text: string | Buffer, ...options: string[]) {
  const file = join(folder, 'rows')
  writeFileSync(file, text)
  const args = ['area', 'import', area, file, '--user', 'demo', ...options]
  const { stdout, ...rest } = await runInProcess(place, args)
  return { ...rest, stdout: stdout.replaceAll(`${file}:`, '') }
}

async function start() {
  await restart(service)
  const demo = await signIn(app)
  const rows = async (area: string, query = '') => {
    const { Data } = (await demo.send('GET', `/${area}/index?limit=500${query}`)).json()
    return Data[`${area}s`] as Record<string, unknown>[]
  }
  return { demo, rows }
}

async function read(fields: string[], ...texts: string[]) {
  async function* chunks() {
    for (const text of texts) yield Buffer.from(text)
  }
  const found = []
  for await (const { line, value, problem } of recordsOf(chunks(), fieldsFrom(fields)))
    found.push([line, problem ?? value])
  return found
}

t.test('a file is a list, lines of JSON or CSV, by its beginning', async (t) => {
  const is = async (texts: string[], expected: unknown) =>
    t.same(await read(['a:text', 'n:integer?', 'b:boolean'], ...texts), expected, texts.join('|'))
  const one = [2, { a: '1', n: 2 }]
  for (const text of ['a,n\n1,2\n', 'a;n\r\n1;2\r\n', 'a\tn\n1\t2', '\ufeff"a", n \n1,2\n'])
    await is([text], [one])
  await is(
    ['a,n\n"x\n', 'y ""z""",1\n\nw,\n'],
    [
      [2, { a: 'x\ny "z"', n: 1 }],
      [5, { a: 'w' }]
    ]
  )
  await is(
    ["a,n,b\n'=1,x,TRUE\n'x,01,yes\n"],
    [
      [2, { a: '=1', n: 'x', b: true }],
      [3, { a: "'x", n: '01', b: 'yes' }]
    ]
  )
  await is(
    ['[{"a":"x]\\"\\\\",\n"n":1},\n{"a":', '[{}]}\n]\n'],
    [
      [1, { a: 'x]"\\', n: 1 }],
      [3, { a: [{}] }]
    ]
  )
  await is(
    ['{"a":1}\n\n{"a":', '2}\n{x}\n'],
    [
      [1, { a: 1 }],
      [3, { a: 2 }],
      [4, 'is no JSON']
    ]
  )
  for (const empty of ['', ' \n', '[]', 'a,n', 'a,n\n']) await is([empty], [])
  await is(
    ['[1] [2]'],
    [
      [1, 1],
      [1, 'is more than one list']
    ]
  )
  await is(['[{"a":1}'], [[1, 'the list does not end']])
  await is(['a,a\n1,2\n'], [[1, 'the column a is there twice']])
  t.match(await read(['a:text'], 'a\n1,2\n'), [[2, /length/i]])
  t.match(await read(['a:text'], 'a\n"1\n'), [[2, /quote/i]])
  t.match(await read(['a:text'], `[${'['.repeat(2 ** 21)}`), [[1, /is longer/]])
  const columns = Array.from({ length: 150_000 }, (_, index) => `c${index}`).join()
  await is([`${columns}\n1\n`], [[1, 'there are more than 100 columns']])
  await is(['a,n\nx,1\n', ','.repeat(100)], [[3, 'there are more than 100 columns']])
  // Each takes as long as it has characters, not their square.
  const blank = Array(4).fill(' '.repeat(2 ** 19))
  for (const texts of [blank, ['[', ...blank], ['{', ...blank]])
    t.match(await read(['a:text'], ...texts), [[1, /is longer/]], texts[0])
  await is(
    ['[', '\n'.repeat(2 ** 19), ' 1\n,', '\n\n2]'],
    [
      [2 ** 19 + 1, 1],
      [2 ** 19 + 4, 2]
    ]
  )
})

t.test(
  'a list is taken if JSON.parse takes it, wherever it is cut, and else no row of it',
  async (t) => {
    const junk = fc.constantFrom(...'[]{},:"\\ \n1', '\u00a0', '\v', 'true', '[{"a":1}')
    const list = fc
      .array(fc.jsonValue(), { maxLength: 4 })
      .map((rows) => JSON.stringify(rows, null, 1))
    const place = fc.nat(40)
    const changed = fc
      .tuple(list, fc.array(fc.tuple(place, fc.nat(2), junk), { maxLength: 2 }))
      .map(([text, changes]) =>
        changes.reduce(
          (text, [at, length, junk]) => text.slice(0, at) + junk + text.slice(at + length),
          text
        )
      )
    const byHand = ['[{"title":"cut"},{"title":"b"}}', '[{"a":1},]', '[,]', '[1]]', '[1 2]', '[']
    const asked = fc
      .oneof(changed, fc.constantFrom(...byHand))
      .filter((text) => /^\s*\[/.test(text))
    await fc.assert(
      fc.asyncProperty(asked, fc.array(fc.nat(60)), async (text, cuts) => {
        const bytes = Buffer.from(text)
        async function* pieces() {
          let from = 0
          for (const end of [...cuts.toSorted((one, other) => one - other), bytes.length]) {
            yield bytes.subarray(from, Math.max(from, end))
            from = Math.max(from, end)
          }
        }
        const found: Found[] = []
        for await (const one of recordsOf(pieces(), {})) found.push(one)
        const problems = found.filter(({ problem }) => problem !== undefined)
        let parsed: unknown
        try {
          parsed = JSON.parse(text)
        } catch {}
        if (parsed === undefined) t.not(problems.length, 0, text)
        else
          t.strictSame(
            found.map(({ value }) => value),
            parsed,
            text
          )
      }),
      { numRuns: 500, examples: byHand.map((text) => [text, [3]]) }
    )
  }
)

t.test('a file of which nobody wants the rest is closed', async (t) => {
  for (const text of ['a\n1\n', '{"a":1}\n', '[1,', '[1] [2', `a${',b'.repeat(200)}`]) {
    let isOpen = true
    async function* endless() {
      try {
        for (let next = text; ; next = text.slice(-2)) yield Buffer.from(next)
      } finally {
        isOpen = false
      }
    }
    const records = recordsOf(endless(), fieldsFrom(['a:integer']))
    await records.next()
    await records.return(undefined)
    t.notOk(isOpen, text)
  }
})

t.test('what is exported is the same when it is imported', async (t) => {
  const { demo, rows } = await start()
  const cook = (await demo.send('POST', '/cook/index', { name: '=Anna' })).json().Data.cook
  const titles = ['=1+2', '@x', '-1', '+1', "'=1", "'x", 'a,b;c', '"quoted"', 'a\nb', '😀 ü', '＝1']
  const given = titles.map((title, i) => ({
    ...{ title, minutes: i + 1, cook: i % 2 ? cook.id : null, vegan: i % 2 === 0 },
    ...{ due_on: i % 3 ? '2026-12-24' : null, stars: i % 2 ? -1.5e-7 : 0.1 },
    seen_at: i % 2 ? '2026-12-24T18:00:00.000Z' : null,
    raw: `${['\t', '\r', '\n', ' ', '\u00a0', '\v', " '\t", "'\n", ''][i % 9]}${['=1+2', '@x', 'x'][i % 3]}`
  }))
  await demo.send('POST', '/recipe/batch', { items: given })
  for (const format of ['csv', 'json']) {
    const { body } = await demo.send('GET', `/recipe/export?format=${format}`)
    const ids = (await rows('recipe')).map(({ id }) => id)
    await demo.send('POST', '/recipe/remove', { ids })
    t.match(await importInto('recipe', body), {
      code: 0,
      stdout:
        /^added 11 recipes \(run import-.*\)\nleft out, as the service writes them: id, created_at, updated_at\n$/
    })
    t.match((await rows('recipe')).toReversed(), given, format)
  }
  const { body } = await demo.send('GET', '/recipe/export?format=csv')
  t.match(body, /^id,title,minutes,cook,.*\r\n\d+,'=1\+2,1,,/)
  for (const text of ["'\t=1+2", "'\r@x", "' =1+2", "'\u00a0@x"]) t.match(body, text)
  t.match(body, ',"a\nb",', 'a line break in quotes, which other readers need (RFC 4180)')
})

t.test(
  'a text of CSV begins with a formula for no spreadsheet, and reads back as it was',
  async (t) => {
    const text = fc.string({
      unit: fc.constantFrom(...'=@-+\'"\t\r\n ;,x\u00a0\u0001'),
      minLength: 1
    })
    const { start, text: line } = writerOf('csv', ['title', 'raw'])
    await fc.assert(
      fc.asyncProperty(text, async (raw) => {
        const written = line({ title: 'x', raw })
        t.notMatch(written, /^x,"?[\s\p{Cc}]*[=+@-]/u, JSON.stringify(raw))
        const [row = []] = await read(['title:text', 'raw:text'], start + written)
        t.strictSame(row[1], { title: 'x', raw })
      })
    )
  }
)

t.test('all is judged before anything is added, and the first faults are told', async (t) => {
  const { rows } = await start()
  const lines = (count: number, line: (n: number) => string) =>
    `title,minutes,cook\n${Array.from({ length: count }, (_, n) => line(n)).join('\n')}\n`
  const told = async (text: string, ...options: string[]) => {
    const { code, stdout, stderr } = await importInto('recipe', text, ...options)
    return [code, stdout || stderr]
  }
  t.same(await told(lines(1500, (n) => `Soup,${n === 1499 ? 601 : 5},`)), [
    1,
    '1501: minutes: must be <= 600\n'
  ])
  const many = String((await told(lines(50, () => 'Soup,0,')))[1]).split('\n')
  t.same([many.length - 1, many[0]], [20, '2: minutes: must be >= 1'])
  t.same(await told(lines(3, (n) => `Soup,5,${n === 2 ? 9 : ''}`)), [
    1,
    '4: cook: must be the id of a cook that you may read\n'
  ])
  t.same(await told('title,colour\nSoup,red\n'), [1, '2: there is no field colour\n'])
  t.same(await told('[{"title":"Soup","owner":1},7]'), [
    1,
    '1: there is no field owner\n1: must be object\n'
  ])
  t.same(await told(lines(2001, () => 'Soup,5,')), [1, '2002: There is no room for more.\n'])
  t.same(
    await told(
      lines(3, () => 'Soup,5,'),
      '--dry-run'
    ),
    [0, '3 recipes can be added\n']
  )
  t.same(await rows('recipe'), [], 'nothing was added')
  t.match(await importInto('cook', '[{"name":"a"},{"name":"b"},{"name":"a"}]'), {
    code: 1,
    stdout: '1: name: is taken by another row\n',
    stderr: /nothing was added/
  })
  t.same(await rows('cook'), [])
})

t.test('a file that is not UTF-8 is refused, by the line', async (t) => {
  const { rows } = await start()
  const says = 'is not UTF-8: save the file as UTF-8\n'
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const many = 'x\n'.repeat(50_000)
  for (const [name, bytes, line] of [
    ['CSV', latin('name\nAnna\nZoë\n'), 3],
    [
      'a long CSV',
      Buffer.concat([Buffer.from('name\n'), Buffer.from(many), latin('Zoë\n')]),
      50_002
    ],
    ['a header', latin('näme\nAnna\n'), 1],
    ['lines of JSON', latin('{"name":"Anna"}\n{"name":"Zoë"}\n'), 2],
    ['a list', latin('[{"name":"Anna"},\n{"name":"Zoë"}]'), 2],
    ['an unfinished letter', Buffer.from('name\nAnna\nZo\u00eb').subarray(0, -1), 3],
    ['UTF-16', Buffer.from('\ufeffname\nAnna\n', 'utf16le'), 1]
  ] as const) {
    const { code, stdout, stderr } = await importInto('cook', bytes)
    t.same([code, stdout], [1, `${line}: ${says}`], name)
    t.match(stderr, /nothing was added/)
  }
  t.same(await rows('cook'), [])
})

t.test('an import is a run, which can be undone', async (t) => {
  const { demo, rows } = await start()
  const { stdout } = await importInto('cook', 'name\nAnna\nBob\n')
  const [, run] = /run (import-[\w-]+)/.exec(stdout) ?? []
  t.equal((await rows('cook')).length, 2)
  t.equal(outcome(await demo.send('POST', '/activity/undo', { run })), '200 success')
  t.same(await rows('cook'), [])
})

t.test('a wrong command line says what to do', async (t) => {
  await start()
  const run = (...args: string[]) => runInProcess(place, ['area', ...args])
  t.match(await run('import', 'todo', 'x'), { code: 2, stderr: /no declared area todo/ })
  t.match(await run('import', 'cook', 'x'), { code: 2, stderr: /--user LOGIN/ })
  t.match(await run('import', 'cook', 'x', '--user', 'nobody'), {
    code: 1,
    stderr: /no user nobody/
  })
  t.match(await run('import', 'cook', join(folder, 'none'), '--user', 'demo'), {
    code: 1,
    stderr: /ENOENT/
  })
  t.match(await run('import', 'cook', folder, '--user', 'demo'), { code: 1, stderr: /EISDIR/ })
  t.match(await run('export', 'cook', '--format', 'xml'), { code: 2, stderr: /json, csv/ })
})

t.test('the operation gives the rows of its caller, as a file (contract SERVICE-2)', async (t) => {
  const { demo } = await start()
  for (let i = 0; i < 5; i++)
    await demo.send('POST', '/cook/batch', {
      items: Array.from({ length: 90 }, (_, n) => ({ name: `${i} ${n}` }))
    })
  const theirs = await newcomer(app, 'anna')
  await theirs.send('POST', '/cook/index', { name: 'Theirs' })
  const json = await demo.send('GET', '/cook/export')
  t.equal(json.statusCode, 200)
  t.match(json.headers, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="cooks.json"',
    'cache-control': /no-store/
  })
  const rows = json.json() as { id: number; name: string }[]
  t.equal(rows.length, 450)
  t.same(
    rows,
    rows.toSorted((one, other) => one.id - other.id),
    'oldest first'
  )
  t.notMatch(json.body, 'Theirs')
  const csv = await demo.send('GET', '/cook/export?format=csv')
  t.match(csv.headers, { 'content-type': 'text/csv; charset=utf-8; header=present' })
  t.equal(csv.body.split('\r\n').length, 452)
  const head = await demo.send('HEAD', '/cook/export')
  t.same([head.statusCode, head.body], [200, ''])
  t.equal(outcome(await demo.send('GET', '/cook/export?format=xml')), '422 VALIDATION-FAILED')
  t.equal((await theirs.send('GET', '/recipe/export')).body, '[\n\n]\n')
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:read'] })
  const refused = await app.inject({ url: '/cook/export', headers: bearer })
  t.equal(outcome(refused), '403 SCOPE-INSUFFICIENT')
  t.equal(outcome(await app.inject('/cook/export')), '401 SESSION-CLOSED')
})

t.test('area export prints the same', async (t) => {
  const { demo } = await start()
  await demo.send('POST', '/cook/index', { name: 'Anna' })
  const areas = join(folder, 'areas')
  mkdirSync(areas)
  for (const area of declared) writeFileSync(join(areas, `${area.name}.json`), JSON.stringify(area))
  const env = { ...place, SVC_ENV: 'test', SVC_AREAS_DIR: areas }
  const args = ['cli.ts', 'area', 'export', 'cook', '--user', 'demo', '--format', 'csv']
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  t.equal(stdout, (await demo.send('GET', '/cook/export?format=csv')).body, stderr)
})
