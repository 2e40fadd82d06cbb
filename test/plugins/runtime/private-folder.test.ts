import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { keepPrivate } from '../../../plugins/runtime/private-folder.ts'
import { temporaryFolder } from '../../support/helper.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777

/** What is written to standard error while `work` runs. */
function said(work: () => void) {
  const { write } = process.stderr
  let text = ''
  process.stderr.write = (chunk) => {
    text += chunk
    return true
  }
  try {
    work()
  } finally {
    process.stderr.write = write
  }
  return text
}

t.test(
  'what others can read in a data folder is made private, and reported (contract SAFE-6)',
  async (t) => {
    const folder = temporaryFolder(t)
    const outside = join(temporaryFolder(t), 'file')
    writeFileSync(outside, '')
    chmodSync(outside, 0o644)
    for (const name of ['secrets', 'uploads', 'uploads/tmp']) mkdirSync(join(folder, name))
    const files = ['gatehouse.db', 'gatehouse.db-wal', 'secrets/SVC_URL_SECRET', 'uploads/tmp/file']
    for (const name of files) {
      writeFileSync(join(folder, name), '')
      chmodSync(join(folder, name), 0o644)
    }
    for (const name of ['uploads', 'uploads/tmp', '.']) chmodSync(join(folder, name), 0o755)
    symlinkSync(outside, join(folder, 'link'))

    const text = said(() => keepPrivate(folder))
    t.equal(text, `gatehouse: ${folder} and 6 more could be read by other users; made private\n`)
    const names = readdirSync(folder, { recursive: true }).map(String)
    t.same(
      names.filter((name) => name !== 'link' && modeOf(join(folder, name)) & 0o077),
      []
    )
    t.equal(modeOf(folder), 0o700)
    t.equal(modeOf(outside), 0o644, 'the target of a link is left alone')
    t.equal(
      said(() => keepPrivate(folder)),
      '',
      'the second time it is silent'
    )
  }
)

t.test('a folder where everybody may write is refused, not made private', async (t) => {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o1777)
  t.throws(() => keepPrivate(folder), {
    message: `cannot use SVC_DATA_DIR ${folder}: everybody may write there; choose a folder of its own`
  })
  t.equal(modeOf(folder), 0o777)
})

t.test('files and folders made later are private too', async (t) => {
  const folder = join(temporaryFolder(t), 'deep', 'data')
  t.equal(
    said(() => keepPrivate(folder)),
    ''
  )
  writeFileSync(join(folder, 'file'), '')
  mkdirSync(join(folder, 'folder'))
  t.equal(modeOf(folder), 0o700)
  t.equal(modeOf(join(folder, 'file')), 0o600)
  t.equal(modeOf(join(folder, 'folder')), 0o700)
})

t.test('what is no folder is refused, and keeps its mode (contract SAFE-6)', async (t) => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  chmodSync(file, 0o666)
  t.throws(() => keepPrivate(file), { message: /cannot use SVC_DATA_DIR .*: it is not a folder/ })
  t.equal(modeOf(file), 0o666)
})
