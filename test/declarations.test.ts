import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { readDeclarations } from '../plugins/runtime/declarations.ts'
import { checkDeclaration } from '../schemas/area/declaration.ts'
import { checkField, type Field } from '../schemas/area/field.ts'
import { fieldFrom, fieldText } from '../schemas/area/written.ts'
import { BatchFailure } from '../schemas/failures.ts'
import { runInProcess } from './support/command.ts'
import { ownPlace } from './support/database.ts'
import { bookmark, fields, write } from './support/declaration.ts'
import { startService, temporaryFolder } from './support/helper.ts'

const ofFields = (...names: string[]) =>
  bookmark({ fields: Object.fromEntries(names.map((name) => [name, { type: 'text' }])) })

const one = (field: object) => bookmark({ fields: { ...fields, label: field } })
const mistakes: [what: string, area: { name: string } | string, message: RegExp][] = [
  ['broken JSON', '{ "name": "bookmark", ', /JSON/],
  ['no object', '[]', /it is no object/],
  ['a key twice', '{"name":"bookmark","name":"bookmark","fields":{}}', /^name is there twice$/],
  [
    'a field twice',
    '{"name":"bookmark","fields":{"a":{"type":"text"},"\\u0061":{"type":"url"}}}',
    /^a is there twice$/
  ],
  ['an unknown key', bookmark({ table: 'users' }), /^an area has no table$/],
  ['an area that is there', { ...bookmark(), name: 'todo' }, /^name: todo is taken/],
  ['a path word', { ...bookmark(), name: 'account' }, /^name: account is taken/],
  ['a scope', { ...bookmark(), name: 'reaction' }, /^name: reaction is taken/],
  ['a code', { ...bookmark(), name: 'flag' }, /^name: flag is taken/],
  ['an SQL word', { ...bookmark(), name: 'select' }, /^select is a word of SQL/],
  ['a table', { ...bookmark(), name: 'user' }, /^user is a word of SQL/],
  ['a column that PostgreSQL has', ofFields('xmin'), /^xmin is a word of SQL/],
  ['no fields', bookmark({ fields: {} }), /needs a field that is always there/],
  ['a list of fields', bookmark({ fields: [] }), /^fields is an object/],
  [
    '200 fields',
    ofFields(...Array.from({ length: 200 }, (_, i) => `field_a${i}`)),
    /^200 fields are too many: at most 50$/
  ],
  ['a field id', ofFields('id'), /^id already has a meaning/],
  ['a field user_id', ofFields('user_id'), /^user_id already has a meaning/],
  ['a field action, as forms have', ofFields('action'), /^action already has a meaning/],
  [
    'a field __proto__',
    '{"name":"bookmark","fields":{"__proto__":{"type":"text"}}}',
    /^__proto__ is no name of a field/
  ],
  ['a field constructor', ofFields('constructor'), /^constructor is a word of/],
  ['an unknown type', one({ type: 'toString' }), /^label: the types are text, url/],
  ['an unknown key of a field', one({ type: 'text', key: true }), /^label: .* has no key$/],
  [
    'a unique text that is long',
    one({ type: 'text', max: 501, unique: true }),
    /^label: a text that is unique/
  ],
  ['an index of a long text', one({ type: 'text', max: 501, index: true }), /^label: a text that/],
  ['a text for an index', one({ type: 'text', index: 'yes' }), /^label: index is true or false$/],
  [
    'a unique boolean',
    one({ type: 'boolean', unique: true }),
    /^label: a field of type boolean has no unique$/
  ],
  ['a text for unique', one({ type: 'text', unique: 'yes' }), /^label: unique is true or false$/],
  [
    'a default of an optional field',
    one({ type: 'text', optional: true, default: 'x' }),
    /^label: a field with a default is never left out/
  ],
  ...[
    ...[{ type: 'text' }, { type: 'text', max: 3 }, { type: 'email' }, { type: 'date' }],
    ...[{ type: 'integer' }, { type: 'number', max: 3 }, { type: 'time' }, { type: 'boolean' }],
    ...[{ type: 'one-of', of: ['a', 'b'] }, { type: 'url' }]
  ].map((field): [string, { name: string }, RegExp] => [
    `a default that ${field.type} does not take`,
    one({ ...field, default: field.type === 'number' ? 3.5 : field.max ? 'long' : ' no' }),
    /^label: (its default .* is no|default is a) value that it takes$/
  ]),
  ['a bound that is no number', one({ type: 'number', max: '3' }), /^label: max is a number from/],
  [
    'unique of one field',
    bookmark({ unique: [['url']] }),
    /^unique is a list of at most 10 lists of 2 to 5/
  ],
  ['unique of no field', bookmark({ unique: [['x', 'url']] }), /^unique: there is no field x$/],
  ['unique as a text', bookmark({ unique: 'url' }), /^unique is a list of at most 10 lists/],
  ['a bound that is too large', one({ type: 'text', max: 10_001 }), /^label: max is a whole/],
  ['bounds that are crossed', one({ type: 'text', min: 9, max: 8 }), /^label: min 9 is not below/],
  [
    'one word',
    one({ type: 'one-of', of: ['a'] }),
    /^label: of is a list of 2 to 50 different words/
  ],
  [
    'a word with a quote',
    one({ type: 'one-of', of: ['a', "b'"] }),
    /^label: of is a list of 2 to 50 different words of lowercase letters/
  ],
  [
    'a text for a flag',
    one({ type: 'text', optional: 'yes' }),
    /^label: optional is true or false$/
  ],
  ['lines in a description', bookmark({ description: 'a\nb' }), /^description is a text on one/],
  ['a maximum of 0', bookmark({ max: 0 }), /^max is a whole number/],
  [
    'another name than its file',
    `{"name":"other","fields":{"url":{"type":"url"}}}`,
    /^name: the file/
  ]
]

const saidOf = (folder: string) => {
  try {
    readDeclarations(folder)
    return 'nothing'
  } catch (error) {
    return String((error as Error).message)
  }
}

t.test('a mistake in a declaration is one line with file and field', async (t) => {
  for (const [what, area, message] of mistakes) {
    const folder = temporaryFolder(t)
    const file = write(folder, area)
    const said = saidOf(folder)
    t.equal(said.slice(0, file.length + 2), `${file}: `, what)
    t.match(said.slice(file.length + 2), message, what)
    t.notMatch(said, '\n', what)
  }
})

t.test('a declaration may begin with a byte order mark, and is UTF-8', async (t) => {
  const folder = temporaryFolder(t)
  const text = `\uFEFF${JSON.stringify(bookmark())}`
  const file = write(folder, text)
  t.equal(readDeclarations(folder)[0]?.name, 'bookmark')
  writeFileSync(file, Buffer.from(text, 'utf16le'))
  t.equal(saidOf(folder), `${file}: it is not UTF-8: save it in this encoding`)
})

t.test('two areas cannot have the same plural, and at most 100 are taken', async (t) => {
  const folder = temporaryFolder(t)
  write(folder, { ...bookmark(), name: 'box' })
  write(folder, { ...bookmark(), name: 'boxe' })
  t.equal(saidOf(folder), `${folder}: box and boxe have the same plural`)
  rmSync(join(folder, 'boxe.json'))
  for (const letter of 'abcdefghijklmnopqrtuvw') {
    for (const other of 'aeiou') write(folder, { ...bookmark(), name: `x${letter}${other}` })
  }
  t.equal(saidOf(folder), `${folder}: 111 areas are too many: at most 100`)
})

t.test('only a regular file of our own, of moderate size, is read', async (t) => {
  const folder = temporaryFolder(t)
  const outside = write(temporaryFolder(t), bookmark())
  const file = join(folder, 'bookmark.json')
  symlinkSync(outside, file)
  t.equal(saidOf(folder), `${file}: it is no regular file`)
  rmSync(file)
  mkdirSync(file)
  t.equal(saidOf(folder), `${file}: it is no regular file`)
  rmSync(file, { recursive: true })
  write(folder, ' '.repeat(70_000))
  t.match(saidOf(folder), /it is larger than 65536 bytes$/)
  write(folder, bookmark())
  t.equal(readDeclarations(folder).length, 1)
  const { geteuid } = process
  t.teardown(() => Object.assign(process, { geteuid }))
  Object.assign(process, { geteuid: () => 4711 })
  t.match(saidOf(folder), /it belongs to another user/)
  Object.assign(process, { geteuid })
  chmodSync(file, 0)
  // Root may read everything.
  t.match(saidOf(folder), process.getuid?.() === 0 ? /^nothing$/ : /EACCES/)
})

t.test('no declared area can have a name of the service', async (t) => {
  const { app } = await startService(t)
  const document = (await app.inject('/api-docs/json')).json()
  const components = Object.keys(document.components.schemas)
  const words = [
    ...Object.keys(document.paths).map((path) => path.split('/')[1] ?? ''),
    ...document.tags.map(({ name }: { name: string }) => name),
    ...Object.keys(BatchFailure.properties).filter((name) => !/[A-Z]/.test(name)),
    ...components.filter((name) => /^[A-Z][a-z]+$/.test(name)).map((name) => name.toLowerCase()),
    ...components.flatMap((name) => /^(?:New)?([A-Z][a-z]+)(?:Change)?$/.exec(name)?.[1] ?? []),
    ...(await app.inject('/error/index'))
      .json()
      .Data.errors.map(({ errorCode }: { errorCode: string }) =>
        errorCode.replace(/-(NOT-FOUND|ID-REQUIRED)$/, '')
      )
  ]
  for (const word of new Set(words.map((word) => word.toLowerCase()))) {
    if (!/^[a-z]{2,24}$/.test(word)) continue
    t.throws(() => checkDeclaration({ name: word, fields }), { name: 'Refusal' }, word)
  }
})

t.test('areas are added and listed by commands', async (t) => {
  const place = await ownPlace(t)
  const run = (...args: string[]) => runInProcess(place, ['area', ...args])
  const added = await run('add', 'bookmark', 'url:url', 'label:text?')
  t.match(added, { code: 0, stdout: /bookmark\.json\nThe service has it from its next start/ })
  t.match(await run('add', 'bookmark', 'url:url'), { code: 1, stderr: /bookmark\.json exists/ })
  t.match(await run('add', 'bookmark', 'url:link'), { code: 2, stderr: /the types are/ })
  t.match(await run('add', 'todo', 'url:url'), { code: 2, stderr: /todo is taken/ })
  t.match(await run('add', '../x', 'url:url'), { code: 2, stderr: /name is one lowercase word/ })
  t.match(await run('add', 'bookmark', 'url:url', 'url:text'), {
    code: 2,
    stderr: /url is there twice/
  })
  t.match(await run('add', 'bookmark'), { code: 2, stderr: /area add needs FIELD/ })
  t.equal(
    (await run('list')).stdout,
    'AREA      READ   WRITE  FIELDS\nbookmark  owner  owner  url:url label:text?\n'
  )
  t.match(await run('check'), { code: 0, stdout: 'no mistake in 1 area\n' })
  const about = ['--about', 'Something to cook.', '--about', 'minutes=How long it takes.']
  t.match(await run('add', 'recipe', 'title:text', 'minutes:integer?', ...about), { code: 0 })
  const file = readFileSync(join(place.SVC_DATA_DIR, 'areas', 'recipe.json'), 'utf8')
  t.match(JSON.parse(file), {
    description: 'Something to cook.',
    fields: { title: { type: 'text' }, minutes: { description: 'How long it takes.' } }
  })
  t.match(await run('add', 'dish', 'title:text', '--about', 'name=x'), {
    code: 2,
    stderr: /--about: there is no field name/
  })
})

/** A field with some of these members, if a declaration can have it. */
function isTaken(field: Field) {
  try {
    checkField('mood', field)
    return true
  } catch {
    return false
  }
}

t.test('a field that is written for the command line reads back as the same', async (t) => {
  const flag = fc.constant(true as const)
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.stringMatching(/^[a-z"=:.,|\\]{0,3}[a-z"?!]{1,3}$/),
    fc.webUrl({ withQueryParameters: true }),
    fc.emailAddress()
  )
  const bounds = { min: fc.integer(), max: fc.integer() }
  const small = { min: fc.integer({ min: 1, max: 9 }), max: fc.integer({ min: 5, max: 500 }) }
  const amount = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,3}$/)
  const marks = { optional: flag, unique: flag }
  const day = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100') })
  const of = (type: Field['type'], members: Record<string, fc.Arbitrary<unknown>>, needed = {}) =>
    fc
      .record(
        { type: fc.constant(type), ...needed, ...members },
        {
          noNullPrototype: true,
          requiredKeys: ['type', ...Object.keys(needed)] as never
        }
      )
      .map((field) => field as unknown as Field)
  const any = fc.oneof(
    of('text', { ...small, ...marks, default: text }),
    of('url', { max: small.max, ...marks, default: text }),
    of('email', { ...marks, default: text }),
    of('integer', { ...bounds, ...marks, default: fc.integer() }),
    of('number', { min: amount, max: amount, ...marks, default: amount }),
    of('boolean', { default: fc.boolean() }),
    of('date', { ...marks, default: day.map((date) => date.toISOString().slice(0, 10)) }),
    of('time', { ...marks, default: day.map((date) => date.toISOString()) }),
    of(
      'one-of',
      { ...marks, default: word },
      { of: fc.uniqueArray(word, { minLength: 2, maxLength: 4 }) }
    ),
    of('ref', { ...marks, on_delete: fc.constantFrom('refuse', 'clear', 'delete') }, { to: word }),
    of('users', { optional: flag }),
    of('json', { optional: flag })
  )
  const whole = any.map((field) =>
    field.type === 'one-of' && field.default !== undefined && field.of?.[0]
      ? { ...field, default: field.of[0] }
      : field
  )
  fc.assert(
    fc.property(whole.filter(isTaken), (field) => {
      const text = fieldText('mood', field)
      t.match(text, /^\P{Cc}*$/u)
      t.strictSame(fieldFrom(text), ['mood', field], text)
    }),
    { numRuns: 300 }
  )
  t.strictSame(fieldFrom('mood:one-of:main|side'), [
    'mood',
    { type: 'one-of', of: ['main', 'side'] }
  ])
})

t.test(
  'what area add refuses, it names by argument and part, with one that is right',
  async (t) => {
    const place = await ownPlace(t)
    for (const [args, told] of [
      [['kind:one-of:main'], 'kind:one-of:main: main must be a list of 2 to 50 different words'],
      [['kind:one-of'], 'kind:one-of: what follows one-of must be a list of 2 to 50'],
      [['kind:one-of:Main|Side'], 'kind:one-of:Main|Side: Main|Side must be a list'],
      [['mood:text=wow!'], 'mood:text=wow!: ! can belong to the default or to the field'],
      [['mood:text="wow'], 'mood:text="wow: "wow is no text in quotes'],
      [['title'], 'title: it has no type'],
      [['title:link'], 'title:link: link is no type'],
      [['Title:text'], 'Title:text: Title is no name of a field'],
      [['id:text'], 'id:text: id already has a meaning'],
      [['cook:ref'], 'cook:ref: what follows ref must be the name of an area'],
      [['cook:ref:todo:clear'], 'cook:ref:todo:clear: todo:clear must have ? at its end'],
      [['size:text:0..80'], 'size:text:0..80: 0..80 must be a whole number from 1 to 10000'],
      [['size:text:9..8'], 'size:text:9..8: 9..8 must be two bounds'],
      [['size:text:'], 'size:text:: "" are no bounds'],
      [['data:json:3'], 'data:json:3: 3 must go'],
      [['data:json!'], 'data:json!: ! must go'],
      [['stars:integer=x'], 'stars:integer=x: x must be a value that it takes'],
      [['stars:integer=1?'], 'stars:integer=1?: ? must go'],
      [['label:text?'], 'label:text?: an area needs a field that is always there'],
      [['a:text', '--read', 'friends'], '--read friends: read: friends is none of owner'],
      [['a:text', '--about', 'a='], '--about: a: description is']
    ] as const) {
      const { code, stderr } = await runInProcess(place, ['area', 'add', 'bookmark', ...args])
      t.equal(code, 2)
      t.ok(stderr.startsWith(`gatehouse: ${told}`), stderr)
      const [, example = ''] = /; right is (.*) \(see --help\)/.exec(stderr) ?? []
      t.ok(example, stderr)
      if (!/^(-|'title=)/.test(example)) t.ok(fieldFrom(example), example)
    }
    t.match(await runInProcess(place, ['area', 'add', 'Bookmark', 'a:text']), {
      stderr: /^gatehouse: Bookmark: name is one .*; right is bookmark/
    })
    t.match(await runInProcess(place, ['area', 'add', 'bookmark', 'cook:ref:person']), {
      stderr: /bookmark: cook: there is no area person: .* todo, memo, attachment/
    })
  }
)
