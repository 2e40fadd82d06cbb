import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runInProcess } from './support/command.ts'
import { upload } from './support/form.ts'
import { signIn, startService } from './support/helper.ts'
import { noStore, objectStore } from './support/object-store.ts'
import { type Program, server, spawnServer } from './support/server-process.ts'

/** A service with this many files in its folder, and an object store. */
async function start(t: Parameters<typeof startService>[0], count: number) {
  const store = await objectStore(t)
  const service = await startService(t)
  const demo = await signIn(service.app)
  for (let n = 1; n <= count; n++) await upload(service.app, demo, `file ${n}`)
  const folder = join(service.folder, 'uploads')
  const env = { ...service.place, ...store.env }
  const files = () => readdirSync(folder).filter((name) => name !== 'tmp')
  return {
    ...service,
    demo,
    store,
    uploads: folder,
    env,
    files,
    copy: (to: string) => runInProcess(env, ['files', 'copy', to])
  }
}

t.test('files go to the store and back, each once', { skip: noStore }, async (t) => {
  const { app, demo, store, uploads, files, copy } = await start(t, 20)
  // Its deletion can still be undone.
  await demo.send('DELETE', '/attachment/item/id_7')
  const name = `s3://files/${store.prefix}`
  t.same(await copy('store'), {
    code: 0,
    stdout: `copied 20 to ${name}; 0 were there already\n`,
    stderr: ''
  })
  t.same(await store.files(), files().sort())
  await upload(app, demo, 'one more')
  t.match((await copy('store')).stdout, /^copied 1 to .+; 20 were there already\n$/)

  const before = files().sort()
  for (const file of before) rmSync(join(uploads, file))
  t.match((await copy('folder')).stdout, /^copied 21 to .+uploads; 0 were there already\n$/)
  t.same(files().sort(), before)
  t.same(readdirSync(join(uploads, 'tmp')), [])
})

t.test(
  'a file that is lost or damaged is named, and the others are copied',
  { skip: noStore },
  async (t) => {
    const { store, uploads, files, copy } = await start(t, 3)
    const [lost = '', damaged = ''] = files()
    rmSync(join(uploads, lost))
    writeFileSync(join(uploads, damaged), 'FILE 1')
    const { code, stdout } = await copy('store')
    t.equal(code, 1)
    t.match(stdout, new RegExp(`^missing: ${lost} \\(attachment \\d\\)$`, 'm'))
    t.match(stdout, new RegExp(`^damaged: ${damaged} \\(attachment \\d\\)$`, 'm'))
    t.match(stdout, /^copied 1 to /m)
    t.equal((await store.files()).length, 1)
  }
)

t.test(
  'a file that cannot be read or written is named, and the others are copied',
  { skip: noStore },
  async (t) => {
    const { store, uploads, files, copy } = await start(t, 30)
    const broken = files().slice(0, 22)
    // The next test may get the same folder, where only files are removed.
    t.teardown(() => {
      for (const file of broken) rmSync(join(uploads, file), { recursive: true })
    })
    for (const file of broken) {
      rmSync(join(uploads, file))
      mkdirSync(join(uploads, file, 'something'), { recursive: true })
    }
    const there = await copy('store')
    t.equal(there.code, 1)
    for (const file of broken) {
      t.match(
        there.stdout,
        new RegExp(`^not copied \\(EISDIR: .+\\): ${file} \\(attachment \\d+\\)$`, 'm')
      )
    }
    t.match(there.stdout, /^copied 8 to .+; 0 were there already; 22 could not be copied\n$/m)
    t.equal((await store.files()).length, 8)
    t.equal(there.stderr, '', 'it is not told of progress that there is not')

    const [whole = ''] = files().filter((file) => !broken.includes(file))
    rmSync(join(uploads, whole))
    await store.write(`${broken[0]}`, 'file 1')
    const back = await copy('folder')
    t.equal(back.code, 1)
    t.match(back.stdout, new RegExp(`^missing: ${broken[1]} `, 'm'))
    t.match(back.stdout, /^copied 1 to .+; 7 were there already; 22 could not be copied\n$/m)
    t.same(readdirSync(join(uploads, 'tmp')), [], 'nothing is left behind')
  }
)

t.test(
  'a copy needs a store that is there, and is for this database',
  { skip: noStore },
  async (t) => {
    const { store, place, env, copy } = await start(t, 1)
    t.match(await runInProcess(place, ['files', 'copy', 'store']), {
      code: 1,
      stderr: /^gatehouse: SVC_FILES_URL is not set[^\n]+\n$/
    })
    t.match(await copy('elsewhere'), { code: 2, stderr: /store or folder/ })
    store.line.set('down')
    t.match(await copy('store'), {
      code: 1,
      stderr: /^gatehouse: SVC_FILES_URL: the store does not work[^\n]+\n$/
    })
    store.line.set('up')
    await store.write('gatehouse-database', 'another')
    for (const to of ['store', 'folder']) {
      t.match(await copy(to), { code: 1, stderr: /belongs to another database/ })
    }
    t.same(await store.files(), [])
    const help = (await runInProcess(env, ['--help'])).stdout
    t.match(help, /files copy store\|folder/)
  }
)

t.test('a copy that was stopped or killed goes on where it was', { skip: noStore }, async (t) => {
  const { store, files, env, copy } = await start(t, 120)
  const program: Program = {
    file: process.execPath,
    args: [server.args[0]?.replace('server.ts', 'cli.ts') ?? '', 'files', 'copy', 'store']
  }
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    // What a killed process had sent can still arrive, up to eight files: only more than those are of this one, which
    // then listens for signals.
    const before = (await store.files()).length + 8
    const child = spawnServer(t, env, program)
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
    while ((await store.files()).length <= before) await sleep(1)
    child.kill(signal)
    t.equal(await exit, signal === 'SIGKILL' ? null : 1)
    const found = (await store.files()).length
    t.ok(found > before, `${found} of 120 after ${signal}`)
  }
  const found = (await store.files()).length
  t.match(
    (await copy('store')).stdout,
    new RegExp(`^copied ${120 - found} .+; ${found} were there`)
  )
  t.same(await store.files(), files().sort())
})

t.test('user remove takes the files from the store', { skip: noStore }, async (t) => {
  const store = await objectStore(t)
  const { app, place } = await startService(t, store.env)
  for (const name of ['demo', 'admin']) await upload(app, await signIn(app, name), name)
  t.equal((await store.files()).length, 2)
  const env = { ...place, ...store.env }
  t.match(await runInProcess(env, ['user', 'remove', 'demo']), { stdout: 'removed demo\n' })
  t.equal((await store.files()).length, 1)
})
