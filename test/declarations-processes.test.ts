import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runInProcess } from './support/command.ts'
import { onSqlite, ownPlace, runSql } from './support/database.ts'
import { bookmark, fields, write } from './support/declaration.ts'
import { temporaryFolder } from './support/folder.ts'
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

t.test('what rows have decides what a declaration may become', async (t) => {
  const { start, refused, place } = await restartable(t)
  const first = await start(of({ label, stars: { type: 'integer', optional: true } }))
  const row = { url: 'https://example.com/', label: 'same', stars: 3 }
  const make = (body: object) => first.send('POST', '/bookmark/index', body)
  for (const body of [row, row, { url: row.url }]) {
    t.equal(outcomeOf(await make(body)), '200 success')
  }
  await first.stop()
  const unique = { ...label, max: 80, unique: true }
  t.equal(
    await refused(of({ label: unique })),
    'gatehouse: bookmark.json: label is unique: 2 rows of a user have the same, such as the one with id 2\n'
  )
  await runSql(place, `UPDATE declared_bookmarks SET label = 'other' WHERE id = 2`)
  const stars = { type: 'number', default: 2.5 }
  const fresh = { type: 'text', default: 'é' }
  const second = await start(of({ label: unique, stars, fresh }))
  const bookmarks = [
    { label: null, stars: 2.5, fresh: 'é' },
    { label: 'other', stars: 3 },
    { label: 'same', fresh: 'é' }
  ]
  t.match((await second.send('GET', '/bookmark/index?q=E')).Data, { bookmarks })
  const taken = await second.send('POST', '/bookmark/index', row)
  t.equal(outcomeOf(taken), '409 CONFLICT')
  await second.send('PATCH', '/bookmark/item/id_1', { stars: 0.5 })
  await second.stop()
  const third = await start(of({ label: { ...label, max: 80 }, stars, fresh }))
  t.equal(outcomeOf(await third.send('POST', '/bookmark/index', row)), '200 success', 'no longer')
  await third.stop()
})

t.test('a declaration from before a field was renamed is refused, and harms nothing', async (t) => {
  const { start, refused } = await restartable(t)
  const first = await start(of({ label }))
  await first.send('POST', '/bookmark/index', { url: 'https://example.com/', label: 'kept' })
  await first.stop()
  const renamed = of({ title: { ...label, was: 'label' } })
  const second = await start(renamed)
  await second.stop()
  t.match(
    await refused(of({ label })),
    /bookmark.json: label is added: a later declaration calls it title/
  )
  const third = await start(renamed)
  t.match((await third.send('GET', '/bookmark/index')).Data, { bookmarks: [{ title: 'kept' }] })
  await third.stop()
  const fourth = await start(of({ label: { ...label, was: 'title' } }))
  t.match((await fourth.send('GET', '/bookmark/index')).Data, { bookmarks: [{ label: 'kept' }] })
  await fourth.stop()
  const fifth = await start(of({ label, title: label }))
  t.match((await fifth.send('GET', '/bookmark/index')).Data, {
    bookmarks: [{ label: 'kept', title: null }]
  })
  await fifth.stop()
})

t.test('area diff says who will see and change more or less than before', async (t) => {
  const { start, folder, place } = await restartable(t)
  const members = { type: 'users', optional: true }
  const shared = (more: object) => ({ ...of({ members }), ...more })
  const both = ['owner', 'members']
  const first = await start(shared({ read: both }))
  await first.stop()
  const says = async (more: object) => {
    write(folder, shared(more))
    return (await runInProcess(place, ['area', 'diff'])).stdout
  }
  t.equal(await says({ read: both }), 'nothing changes\n')
  t.equal(
    await says({ read: ['anyone'], write: ['owner'] }),
    `bookmark: no longer: Whoever is named in members of a bookmark can read it.
bookmark: from now on: Visitors can read all bookmarks, without signing in.
`
  )
  const people = { ...members, was: 'members' }
  write(folder, Object.assign(of({ people }), { read: ['owner', 'people'] }))
  const { stdout } = await runInProcess(place, ['area', 'diff'])
  t.equal(stdout, 'bookmark: members becomes people\n', 'a new name opens nothing')
})

t.test('area diff names the areas that open with another one', async (t) => {
  const { start, folder, place } = await restartable(t)
  const hangsOn = (name: string, to: string) => ({
    name,
    fields: { text: { type: 'text' }, [to]: { type: 'ref', to } },
    ...{ read: [to], write: [to] }
  })
  const note = hangsOn('note', 'bookmark')
  for (const area of [note, hangsOn('remark', 'note')]) write(folder, area)
  const other = { name: 'other', fields: { bookmark: { type: 'ref', to: 'bookmark' } } }
  write(folder, other)
  const first = await start(of({}))
  await first.stop()
  write(folder, Object.assign(of({}), { read: ['users'] }))
  t.equal(
    (await runInProcess(place, ['area', 'diff'])).stdout,
    `bookmark: from now on: Everybody who is signed in can read all bookmarks.
note: so too, with bookmark: Whoever can read, change, or delete a bookmark can do the same with its notes.
remark: so too, with note: Whoever can read, change, or delete a note can do the same with its remarks.
`
  )
})

t.test('area diff says of a field that is renamed its new name alone', async (t) => {
  const { start, folder, place } = await restartable(t)
  const slug = { type: 'text', unique: true }
  const rank = { type: 'integer', index: true }
  const pair = { unique: [['rank', 'slug']] }
  const first = await start({
    ...of({ slug, rank, note: { type: 'ref', to: 'todo', optional: true } }),
    ...pair
  })
  const row = { url: 'https://example.com/', slug: 'a', rank: 1 }
  t.equal(outcomeOf(await first.send('POST', '/bookmark/index', row)), '200 success')
  await first.stop()
  const renamed = {
    ...{ path: { ...slug, was: 'slug' }, stars: { ...rank, was: 'rank' } },
    todo: { type: 'ref', to: 'todo', optional: true, was: 'note' }
  }
  const after = { ...of(renamed), unique: [['stars', 'path']] }
  write(folder, after)
  t.equal(
    (await runInProcess(place, ['area', 'diff'])).stdout,
    `bookmark: slug becomes path
bookmark: rank becomes stars
bookmark: note becomes todo
`
  )
  const second = await start(after)
  const twin = { url: 'https://example.org/', path: 'a', stars: 2 }
  t.match(await second.send('POST', '/bookmark/index', twin), { Data: { reason: 'taken' } })
  await second.stop()
  t.equal((await runInProcess(place, ['area', 'diff'])).stdout, 'nothing changes\n')
})

t.test(
  'a field is renamed, must be there, or takes less, as far as every row allows',
  async (t) => {
    const { start, refused, folder, place } = await restartable(t)
    const words = { type: 'one-of', of: ['new', 'read', 'old'], optional: true }
    const given = { note: { ...label, unique: true }, stars: { type: 'integer', max: 9 }, words }
    const first = await start(of(given))
    const url = 'https://example.com/'
    const rows = [
      { url, note: 'Süß', stars: 5, words: 'new' },
      { url, note: 'other', stars: 7, words: 'old' }
    ]
    for (const row of rows)
      t.equal(outcomeOf(await first.send('POST', '/bookmark/index', row)), '200 success')
    await first.stop()

    const says = async (fields: object) => {
      write(folder, of(fields))
      const { stdout, code } = await runInProcess(place, ['area', 'diff'])
      return [code, ...stdout.trimEnd().split('\n')]
    }
    const title = { ...given.note, optional: false, was: 'note' }
    t.same(await says(given), [0, 'nothing changes'])
    t.same(
      await says({
        ...given,
        stars: { type: 'integer', max: 5 },
        words: { ...words, of: ['new', 'x'] }
      }),
      [
        1,
        'bookmark: CANNOT: stars takes less than before: the row with id 2 would not fit',
        'bookmark: CANNOT: words takes less than before: the row with id 2 would not fit'
      ]
    )
    t.match(
      await refused(of({ ...given, stars: { type: 'integer', min: 6, max: 9 } })),
      /stars takes less than before: the row with id 1 would not fit/
    )
    const changed = {
      title,
      stars: { type: 'integer', max: 7 },
      words: { ...words, of: ['new', 'old'] }
    }
    t.same(await says(changed), [
      0,
      'bookmark: note becomes title',
      'bookmark: title must always be there',
      'bookmark: stars takes less than before',
      'bookmark: words takes less than before'
    ])
    t.match(await refused(of({ ...given, title })), /title: note is still there/)
    const second = await start(of(changed))
    t.match((await second.send('GET', '/bookmark/index?q=suss')).Data, {
      bookmarks: [{ title: 'Süß', stars: 5 }]
    })
    const again = { url, title: 'Süß', stars: 1 }
    t.equal(outcomeOf(await second.send('POST', '/bookmark/index', again)), '409 CONFLICT')
    await second.stop()
    t.same(await says(changed), [0, 'nothing changes'], 'the old name may stay in the file')
    t.same(await says({ stars: changed.stars, words }), [
      0,
      'bookmark: title is hidden, and its rows keep it',
      'bookmark: what was unique is so no more'
    ])

    const run = (...args: string[]) => runInProcess(place, ['area', 'drop', ...args])
    write(folder, of(changed))
    t.match(await run('bookmark', '--field', 'title'), {
      stderr: /title of bookmark would go, with 2 rows: add --yes/
    })
    t.match(await run('bookmark', '--field', 'none', '--yes'), {
      code: 1,
      stderr: /has no field none/
    })
    t.match(await run('bookmark', '--field', 'title', '--yes'), {
      code: 0,
      stdout: 'deleted title of bookmark, with 2 rows\n'
    })
    const third = await start(JSON.parse(readFileSync(join(folder, 'bookmark.json'), 'utf8')))
    const { Data } = await third.send('GET', '/bookmark/index')
    t.match(Data, { bookmarks: [{ stars: 7 }, { stars: 5 }] })
    t.notMatch(Data, { bookmarks: [{ title: /./ }] })
    await third.stop()
    t.match(await run('bookmark', '--yes'), { code: 0, stdout: 'deleted bookmark, with 2 rows\n' })
    t.match(await run('bookmark', '--yes'), { code: 1, stderr: /there is no area bookmark/ })
    const fourth = await start(of({}))
    const { bookmarks } = (await fourth.send('GET', '/bookmark/index')).Data
    t.same(bookmarks, [], 'it begins anew')
    await fourth.stop()
  }
)

t.test('an area gets another name, and what is known of its rows goes with it', async (t) => {
  const { start, place, folder } = await restartable(t)
  const note = (name: string, to: string, more: object = {}) => ({
    ...{ name, ...more },
    fields: { text: { type: 'text', unique: true }, bookmark: { type: 'ref', to } }
  })
  write(folder, note('note', 'bookmark'))
  const before = bookmark({ fields, versions: true, states: { new: ['read'], read: [] } })
  const first = await start(before)
  const token = await first.send('POST', '/accesstoken/index', {
    ...{ name: 'reader', expires_in_minutes: 60 },
    scopes: ['bookmark:read', 'todo:read']
  })
  const url = 'https://example.com/'
  await first.send('POST', '/bookmark/index', { url })
  await first.send('POST', '/note/index', { text: 'x', bookmark: 1 })
  await first.send('DELETE', '/note/item/id_1')
  await first.send('POST', '/note/index', { text: 'y', bookmark: 1 })
  await first.stop()

  rmSync(join(folder, 'bookmark.json'))
  rmSync(join(folder, 'note.json'))
  write(folder, Object.assign(before, { name: 'link', was: 'bookmark' }))
  write(folder, note('memory', 'link', { was: 'note' }))
  const { stdout } = await runInProcess(place, ['area', 'diff'])
  t.same(stdout, 'link: bookmark becomes link\nmemory: note becomes memory\n')
  const second = await start(null)
  const { memories } = (await second.send('GET', '/memory/index?with=bookmark')).Data
  t.match(memories, [{ text: 'y', bookmark: 1 }])
  t.match(await second.send('POST', '/memory/index', { text: 'y', bookmark: 1 }), {
    Data: { reason: 'taken' }
  })
  t.match(await second.send('DELETE', '/link/item/id_1?dry_run=true'), {
    Data: { errorCode: 'PRECONDITION-REQUIRED' }
  })
  const { changes } = Object(await second.send('GET', '/activity/index?kind=memory')).Data
  t.equal(changes.length, 3, 'the record knows it by its new name')
  const removed = changes.find(({ action }: { action: string }) => action === 'delete')
  const undone = await second.send('POST', '/activity/undo', { ids: [removed.id] })
  t.equal(outcomeOf(undone), '200 success')
  const answer = await fetch(`${second.address}/link/index`, {
    headers: { authorization: `Bearer ${Object(token).Data.token}` }
  })
  t.equal(answer.status, 200, 'a token may read what it might read')
  await second.stop()
  t.equal((await runInProcess(place, ['area', 'diff'])).stdout, 'nothing changes\n')
  const third = await start(null)
  const { memories: rows } = Object(await third.send('GET', '/memory/index')).Data
  t.equal(rows.length, 2)
  await third.stop()
})

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
    'gatehouse: bookmark.json: note is added: 2 rows, such as the one with id 2, would lack it: it must be optional or have a default\n'
  )
  t.match(
    await refused(of({ label: { type: 'integer', optional: true } })),
    /^gatehouse: bookmark\.json: label gets the type integer: it was of type text, and rows have that: .*\n$/
  )
  const check = await runInProcess(place, ['area', 'check'])
  t.match(check, { code: 1, stderr: /bookmark\.json: label gets the type integer/ })
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
    await hears(/gatehouse: bookmark\.json: label is added: the row with id 1 would lack it.*\n/)
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
    t.match(refused, { code: 1, stderr: /--watch is for development/ })
  }
)

t.test(
  'the types of the client have declared areas, of this service and of a running one',
  onSqlite,
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
    const tsc = [
      'node_modules/typescript-7/bin/tsc',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext'
    ]
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

t.test('fifty areas take at most 1.5 MB each', onSqlite, async (t) => {
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
