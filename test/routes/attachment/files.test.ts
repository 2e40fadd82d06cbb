import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freshPlace } from '../../support/database.ts'
import {
  ageFiles,
  boundary,
  formBytes,
  partBytes,
  post,
  samples,
  sweepFiles,
  sweepOf,
  upload
} from '../../support/form.ts'
import {
  loseCommit,
  outcome,
  restart,
  signIn,
  startService,
  temporaryFolder
} from '../../support/helper.ts'
import { startServer } from '../../support/server-process.ts'

const shared = await startService(t)

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort()

t.test(
  'a sweep removes what nobody has written to for ten minutes, and nothing else',
  async (t) => {
    const { app, folder } = await restart(shared)
    const demo = await signIn(app)
    await upload(app, demo, 'hello')
    const uploads = join(folder, 'uploads')
    ageFiles(uploads)
    const kept = filesIn(uploads)
    const sweep = sweepOf(app, uploads)
    for (const place of [uploads, join(uploads, 'tmp')]) {
      const path = join(place, 'unfinished')
      writeFileSync(path, 'x')
      ageFiles(uploads, 9)
      await sweep.all()
      t.same(filesIn(uploads), [...kept, 'unfinished'].sort(), 'another process may work on it')
      ageFiles(uploads)
      await sweep.recent()
      t.same(filesIn(uploads), kept, `without another search of all files, in ${place}`)
      writeFileSync(path, 'x')
      ageFiles(uploads)
      await sweep.all()
      t.same(filesIn(uploads), kept)
    }
  }
)

t.test('files whose rows were deleted with their user are removed by a sweep', async (t) => {
  const { app, folder, sql } = await restart(shared)
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  await upload(app, demo, 'demo')
  await upload(app, admin, 'admin')
  // As if the user were deleted, and the row with it.
  await sql('DELETE FROM attachments WHERE id = 1')
  await sweepFiles(app, folder)
  const { attachments } = (await admin.send('GET', '/attachment/index')).json().Data
  t.equal(
    attachments.length +
      (await demo.send('GET', '/attachment/index')).json().Data.attachments.length,
    1
  )
  t.equal(filesIn(join(folder, 'uploads')).length, 1)
})

t.test('without any attachment, a sweep removes only temporary files, and says so', async (t) => {
  const { app, folder, log } = await startService(t)
  const uploads = join(folder, 'uploads')
  const names = ['a', 'b', 'c']
  for (const name of [...names, 'tmp/c']) writeFileSync(join(uploads, name), 'x')
  await sweepFiles(app, folder)
  t.same(filesIn(uploads), [...names].sort(), 'the database may be the wrong one')
  const lines = log.map((line) => JSON.parse(line)).filter(({ files }) => files !== undefined)
  t.match(lines, [{ level: 50, files: names.length, store: uploads, msg: /docs\/deploy\.md/ }])
  t.equal(lines.length, 1)

  t.equal(outcome(await upload(app, await signIn(app), 'hello')), '200 success')
  await sweepFiles(app, folder)
  t.equal(filesIn(uploads).length, 1, 'the others are known to have no row')
})

t.test('a service removes no attachment before it listens', async (t) => {
  const first = await restart(shared)
  await upload(first.app, await signIn(first.app), 'hello')
  const orphan = join(first.folder, 'uploads', 'orphan')
  writeFileSync(orphan, 'x')
  ageFiles(join(first.folder, 'uploads'))
  const { app } = await startService(t, first.place)
  for (let i = 0; i < 10; i++) await signIn(app)
  t.ok(existsSync(orphan))
  await app.listen({ host: '127.0.0.1', port: 0 })
  while (existsSync(orphan)) await sleep(5)
})

t.test('if the row may have been written, the file stays until the sweep asks', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  loseCommit(app)
  t.equal(outcome(await upload(app, demo, 'hello')), '503 SERVICE-OVERLOADED')
  await sweepFiles(app, folder)
  const { url } = (await demo.send('GET', '/attachment/link/id_1')).json().Data
  const { pathname, search } = new URL(url)
  t.equal((await app.inject(pathname + search)).body, 'hello')
  t.equal(filesIn(join(folder, 'uploads')).length, 1)
})

t.test('if the row cannot be written, the file is removed', async (t) => {
  const { app, folder } = await startService(t)
  const demo = await signIn(app)
  t.equal(outcome(await upload(app, demo, 'hello')), '200 success')
  const kept = filesIn(join(folder, 'uploads'))
  app.db.transaction = async () => {
    throw new Error('the database is gone')
  }
  t.equal(outcome(await upload(app, demo, 'hello')), '500 INTERNAL-ERROR')
  t.same(filesIn(join(folder, 'uploads')), kept)
})

t.test('if the file cannot be moved, there is no row', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  await sweepFiles(app, folder)
  const away = join(folder, 'away')
  renameSync(join(folder, 'uploads'), away)
  t.equal(outcome(await upload(app, demo, 'hello')), '500 INTERNAL-ERROR')
  renameSync(away, join(folder, 'uploads'))
  t.same((await demo.send('GET', '/attachment/index')).json().Data.attachments, [])
  t.equal(outcome(await upload(app, demo, 'hello')), '200 success')
})

t.test('an attachment whose file is lost is not found, and can be deleted', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  await upload(app, demo, 'hello')
  const { url } = (await demo.send('GET', '/attachment/link/id_1')).json().Data
  for (const file of filesIn(join(folder, 'uploads'))) rmSync(join(folder, 'uploads', file))
  const { pathname, search } = new URL(url)
  t.equal(outcome(await app.inject(pathname + search)), '404 ATTACHMENT-NOT-FOUND')
  t.equal(outcome(await demo.send('DELETE', '/attachment/item/id_1')), '200 success')
})

/** Mounts a small file system in memory over a folder. */
const mount = (folder: string, size: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
const unmount = (folder: string) => execFileSync('umount', ['-l', folder])

function mayMount() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mount-'))
  try {
    mount(folder, '1m')
    unmount(folder)
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

const skip = mayMount() ? false : 'mounting a small tmpfs is not allowed here'

t.test('a full disk is SERVICE-OVERLOADED and leaves nothing behind', { skip }, async (t) => {
  const disk = join(temporaryFolder(t), 'disk')
  mkdirSync(disk)
  mount(disk, '4m')
  t.teardown(() => unmount(disk))
  const { app } = await startService(t, { SVC_DATA_DIR: disk })
  const demo = await signIn(app)
  await sweepFiles(app, disk)
  const uploads = join(disk, 'uploads')
  t.equal(outcome(await upload(app, demo, samples.png)), '200 success')
  const kept = filesIn(uploads)
  const big = formBytes([{ filename: 'a.txt', content: 'a'.repeat(5 * 1024 ** 2) }])
  const response = await post(app, demo, big)
  t.equal(outcome(response), '503 SERVICE-OVERLOADED')
  t.same(filesIn(uploads), kept)
  t.equal(outcome(await upload(app, demo, samples.png)), '200 success', 'it still works')

  // With the disk filled to the last byte, there is no space for the row.
  const filler = join(disk, 'filler')
  t.throws(() => writeFileSync(filler, Buffer.alloc(5 * 1024 ** 2)), { code: 'ENOSPC' })
  t.equal(outcome(await upload(app, demo, samples.png)), '503 SERVICE-OVERLOADED')
  t.equal(filesIn(uploads).length, 2)
  rmSync(filler)
  t.equal(outcome(await upload(app, demo, samples.png)), '200 success')
})

t.test(
  'after a kill -9 in the middle of an upload the next start cleans up (contract UPLOAD-2)',
  async (t) => {
    const env = await freshPlace(t)
    const { SVC_DATA_DIR: folder } = env
    const temporary = join(folder, 'uploads', 'tmp')
    const first = await startServer(t, env)
    const login = await fetch(`${first.address}/session/login`, {
      method: 'POST',
      body: '{"user_id":"demo","user_pass":"demo"}'
    })
    const cookie = login.headers.getSetCookie().at(-1)?.split(';')[0]
    const { csrfToken } = ((await login.json()) as { Data: { csrfToken: string } }).Data
    const socket = connect(Number(new URL(first.address).port), '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    socket.write(
      `POST /attachment/index HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nX-CSRF-Token: ${csrfToken}\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 100000\r\n\r\n`
    )
    socket.write(partBytes({ filename: 'a.txt', content: 'a'.repeat(1000) }))
    while (filesIn(temporary).length === 0) await sleep(5)
    first.child.kill('SIGKILL')
    await first.exit
    t.equal(filesIn(temporary).length, 1)
    ageFiles(temporary)

    await startServer(t, env)
    while (filesIn(temporary).length > 0) await sleep(5)
    t.same(filesIn(join(folder, 'uploads')), [])
  }
)
