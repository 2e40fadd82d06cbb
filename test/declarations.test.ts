import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readDeclarations } from '../plugins/runtime/declarations.ts'
import { checkDeclaration } from '../schemas/area/declared.ts'
import { runInProcess } from './support/command.ts'
import { ownPlace, runSql } from './support/database.ts'
import { startService, temporaryFolder } from './support/helper.ts'
import { blocksOf } from './support/printed.ts'
import {
  childrenOf,
  runServer,
  server,
  signInOver,
  spawnServer,
  startServer
} from './support/server-process.ts'
import { outcomeOf } from './support/tally.ts'

const root = join(import.meta.dirname, '..')
const fields = { url: { type: 'url' } }
const bookmark = (more: object = {}) => ({ name: 'bookmark', fields, ...more })
const ofFields = (...names: string[]) =>
  bookmark({ fields: Object.fromEntries(names.map((name) => [name, { type: 'text' }])) })

function write(folder: string, area: { name: string } | string) {
  const { name, text } =
    typeof area === 'string'
      ? { name: 'bookmark', text: area }
      : { name: area.name, text: JSON.stringify(area) }
  const file = join(folder, `${name}.json`)
  writeFileSync(file, text)
  return file
}

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
  ['an unknown key', bookmark({ table: 'users' }), /^table is no key of an area/],
  ['an area that is there', { ...bookmark(), name: 'todo' }, /^name: todo is taken/],
  ['a path word', { ...bookmark(), name: 'account' }, /^name: account is taken/],
  ['a scope', { ...bookmark(), name: 'reaction' }, /^name: reaction is taken/],
  ['a code', { ...bookmark(), name: 'flag' }, /^name: flag is taken/],
  ['an SQL word', { ...bookmark(), name: 'select' }, /^select is a word of SQL/],
  ['a table', { ...bookmark(), name: 'user' }, /^user is a word of SQL/],
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
  ['an unknown key of a field', one({ type: 'text', unique: true }), /^label: .* has no unique$/],
  ['a bound that is too large', one({ type: 'text', max: 10_001 }), /^label: max is a whole/],
  ['bounds that are crossed', one({ type: 'text', min: 9, max: 8 }), /^label: min 9 is not below/],
  ['one word', one({ type: 'one-of', of: ['a'] }), /^label: one-of needs/],
  ['a word with a quote', one({ type: 'one-of', of: ['a', "b'"] }), /^label: b' is no word/],
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
  t.match(await run('add', '../x', 'url:url'), { code: 2, stderr: /no name of an area/ })
  t.match(await run('add', 'bookmark', 'url:url', 'url:text'), {
    code: 2,
    stderr: /url is there twice/
  })
  t.match(await run('add', 'bookmark'), { code: 2, stderr: /area add needs FIELD/ })
  t.equal((await run('list')).stdout, 'AREA      FIELDS\nbookmark  url:url label:text?\n')
  t.match(await run('check'), { code: 0, stdout: 'no mistake in 1 area\n' })
})

/** A service that is started again and again on the same data, with other declarations. */
async function restartable(t: Test) {
  const place = await ownPlace(t)
  const folder = join(place.SVC_DATA_DIR, 'areas')
  mkdirSync(folder)
  const env = { ...place, SVC_REDIS_URL: '' }
  return {
    place,
    folder,
    async start(area: { name: string } | null, more: Record<string, string> = {}) {
      rmSync(join(folder, 'bookmark.json'), { force: true })
      if (area) write(folder, area)
      const service = await startServer(t, { ...env, ...more })
      const send = await signInOver(service.address)
      return {
        ...service,
        send,
        async stop() {
          service.child.kill('SIGTERM')
          await service.exit
          return service.stderr
        }
      }
    },
    async refused(area: { name: string }) {
      write(folder, area)
      const { code, stderr } = await runServer(t, env)
      t.equal(code, 1)
      return stderr
    }
  }
}

const of = (more: object) => bookmark({ fields: { ...fields, ...more } })
const label = { type: 'text', optional: true }

t.test('fields come and go, and rows stay', async (t) => {
  const { start, refused, folder, place } = await restartable(t)
  const first = await start(of({ label }))
  const row = { url: 'https://example.com/', label: 'first' }
  for (let i = 0; i < 2; i++) {
    t.equal(outcomeOf(await first.send('POST', '/bookmark/index', row)), '200 success')
  }
  await first.stop()

  const file = join(folder, 'bookmark.json')
  t.equal(
    await refused(of({ label, note: { type: 'text' } })),
    'gatehouse: bookmark.json: note must be optional, because rows may lack it\n'
  )
  t.match(
    await refused(of({ label: { type: 'integer', optional: true } })),
    /^gatehouse: bookmark\.json: label was of type text, and rows have that: .*\n$/
  )
  const check = await runInProcess(place, ['area', 'check'])
  t.match(check, { code: 1, stderr: /bookmark\.json: label was of type text/ })
  writeFileSync(file, '{')
  t.match(
    (await runServer(t, { ...place, SVC_REDIS_URL: '' })).stderr,
    /^gatehouse: .*bookmark\.json: .*\n$/
  )

  const second = await start(
    of({ stars: { type: 'integer', optional: true }, read: { type: 'boolean' } })
  )
  const shown = await second.send('GET', '/bookmark/item/id_1')
  t.match(shown.Data, { bookmark: { url: row.url, stars: null, read: false } })
  t.notMatch(shown.Data, { bookmark: { label: 'first' } }, 'a field that is gone is hidden')
  const run = { 'x-run-id': 'second' }
  await second.send('DELETE', '/bookmark/item/id_1', undefined, run)
  await second.stop()

  const third = await start(of({ label }))
  const undone = await third.send('POST', '/activity/undo', { run: 'second' })
  t.equal(outcomeOf(undone), '200 success', 'a record is older than a field')
  t.match((await third.send('GET', '/bookmark/item/id_2')).Data, { bookmark: row }, 'it is back')
  await third.send('PATCH', '/bookmark/item/id_1', { label: 'third' }, { 'x-run-id': 'third' })
  await third.stop()

  const last = await start(null)
  t.equal(outcomeOf(await last.send('GET', '/bookmark/index')), '404 NOT-FOUND')
  const conflict = await last.send('POST', '/activity/undo', { run: 'third' })
  t.equal(outcomeOf(conflict), '409 CONFLICT')
  t.match(conflict.Data, { conflicts: [{ kind: 'bookmark', reason: 'undeclared' }] })
  const page = await fetch(`${last.address}/activity/board`, { headers: last.send.headers })
  t.equal(page.status, 200)
  t.match(await last.stop(), /the area bookmark is declared no longer: its data stays/)
  const [kept] = await runSql(place, 'SELECT url FROM declared_bookmarks')
  t.same(kept, { url: row.url })
})

t.test(
  'with --watch, a changed declaration is taken; with a mistake the old one stays',
  async (t) => {
    const place = await ownPlace(t)
    const folder = join(place.SVC_DATA_DIR, 'areas')
    const args = [...server.args, '--watch']
    // A busy machine must not look like a database that is away.
    const env = { ...place, SVC_REDIS_URL: '', SVC_DATABASE_TIMEOUT_MS: '60000' }
    const child = spawnServer(t, env, { ...server, args })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    let listens = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      listens += text
    })
    const hears = async (pattern: RegExp) => {
      while (!pattern.test(said)) await once(child.stderr, 'data')
      said = said.replace(pattern, '')
    }
    while (!listens.includes('Gatehouse is at')) await once(child.stdout, 'data')
    const [, address = ''] = /is at (\S+)/.exec(listens) ?? []
    const send = await signInOver(address)
    t.equal(outcomeOf(await send('GET', '/bookmark/index')), '404 NOT-FOUND')
    write(folder, bookmark())
    await hears(/the declared areas are now: bookmark\n/)
    const row = { url: 'https://example.com/' }
    t.equal(outcomeOf(await send('POST', '/bookmark/index', row)), '200 success')
    const file = write(folder, of({ label: { type: 'integer' } }))
    await hears(/gatehouse: bookmark\.json: label must be optional.*\n/)
    writeFileSync(file, '{')
    await hears(/gatehouse: .*bookmark\.json: .*JSON.*\n/)
    t.match((await send('GET', '/bookmark/index')).Data, { bookmarks: [row] })
    write(folder, of({ label }))
    await hears(/the declared areas are now: bookmark\n/)
    t.match((await send('GET', '/bookmark/index')).Data, { bookmarks: [{ ...row, label: null }] })
    rmSync(file)
    await hears(/the area bookmark is declared no longer.*\n/)
    await hears(/the declared areas are now: none\n/)
    t.equal(outcomeOf(await send('GET', '/bookmark/index')), '404 NOT-FOUND')
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    t.same(await exit, [0, null])
    const refused = await runServer(t, { ...env, SVC_ENV: 'test' }, { ...server, args })
    t.match(refused, { code: 1, stderr: /SVC_AREAS_WATCH \(--watch\) is for development/ })
  }
)

t.test(
  'the types of the client have declared areas, of this service and of a running one',
  async (t) => {
    const { start, place } = await restartable(t)
    const { address, send, stop } = await start(of({ label }))
    const folder = temporaryFolder(t)
    const cli = { ...server, args: [join(root, 'cli.ts'), 'client', 'types'] }
    for (const more of [[], ['--url', address]]) {
      const { code, stdout } = await runServer(t, place, { ...cli, args: [...cli.args, ...more] })
      t.equal(code, 0)
      t.match(stdout, /export interface Bookmark \{/)
      t.match(stdout, /"\/bookmark\/item\/id_\{id\}": \{/)
      writeFileSync(join(folder, 'schema.d.ts'), stdout)
    }
    // A client with these types, as docs/binary.md prints it.
    const [block] = blocksOf('docs/binary.md').filter(({ language }) => language === 'ts')
    const code = String(block?.content).replace('http://127.0.0.1:3000', address)
    writeFileSync(join(folder, 'main.ts'), code)
    writeFileSync(join(folder, 'wrong.ts'), code.replace("url: '", "link: '"))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--strict', '--module', 'nodenext']
    const compile = (file: string) =>
      runServer(
        t,
        {},
        {
          ...{ file: process.execPath, cwd: folder },
          args: [...tsc, '--allowImportingTsExtensions', '--types', 'node', file]
        }
      )
    t.same(await compile('main.ts'), { code: 0, stdout: '', stderr: '' })
    t.match(await compile('wrong.ts'), { code: 1, stdout: /'link' does not exist/ })
    const scopes = ['bookmark:read', 'bookmark:write']
    const { Data } = await send('POST', '/accesstoken/index', { name: 'typed', scopes })
    const env = { TOKEN: String(Object(Data).token) }
    const program = { file: process.execPath, args: ['main.ts'], cwd: folder }
    t.match(await runServer(t, env, program), { code: 0, stdout: '1\n' })
    await stop()
  }
)

t.test('fifty areas take at most 1.5 MB each', async (t) => {
  const script = join(root, 'test/support/many-areas.ts')
  const of = async (count: number) => {
    const folder = temporaryFolder(t)
    const args = ['--expose-gc', script, String(count), folder]
    const { stdout } = await runServer(t, {}, { file: process.execPath, args })
    const found: { bytes: number; document: number } = JSON.parse(stdout)
    return found
  }
  const [none, fifty] = [await of(0), await of(50)]
  t.ok(fifty.bytes - none.bytes < 50 * 1_500_000, `${fifty.bytes - none.bytes} bytes`)
  t.ok(fifty.document < 3200, `${fifty.document} bytes of the document for each operation`)
})

t.test('all workers have the areas that the first process has read', async (t) => {
  const { start, folder } = await restartable(t)
  const { send, stop, child, stdout } = await start(of({ label }), { SVC_WORKERS: '2' })
  const listening = async (count: number) => {
    while ([...stdout().matchAll(/listening on/g)].length < count) await once(child.stdout, 'data')
  }
  await listening(2)
  // The file changes, and the worker that comes next would see that.
  write(folder, '{')
  const [worker] = childrenOf(child)
  process.kill(Number(worker), 'SIGKILL')
  await listening(3)
  const row = { url: 'https://example.com/' }
  for (let i = 0; i < 8; i++) {
    t.equal(outcomeOf(await send('POST', '/bookmark/index', row)), '200 success')
  }
  await stop()
})
