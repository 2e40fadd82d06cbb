import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runSoak } from '../tools/soak/run.ts'
import { freshPlace, runSql } from './support/database.ts'
import { slow } from './support/selection.ts'

t.test('a short soak kills and restarts the service, and loses nothing', slow, async (t) => {
  const { SVC_DATABASE_URL: databaseUrl } = await freshPlace(t)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['tools/soak/main.ts', '--seconds', '6', '--seed', '7', '--database-url', databaseUrl],
    { cwd: new URL('../', import.meta.url), encoding: 'utf8', timeout: 200_000 }
  )
  t.equal(stderr, '')
  t.match(stdout, /--seed 7\b/)
  t.match(stdout, / SIGKILL.*; up after \d+ ms/)
  t.match(stdout, / SIGTERM; up after \d+ ms/)
  t.match(stdout, /^createTodo +\d+ +\d+/m)
  t.match(stdout, /^lost: nothing$/m)
  t.equal(status, 0)
})

t.test('a short soak with two workers and files in an object store', slow, async (t) => {
  const { SVC_DATABASE_URL: url } = await freshPlace(t)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['tools/soak/main.ts', '--seconds', '6', '--seed', '9', '--object-store'],
      ...['--workers', '2', '--database-url', url]
    ],
    { cwd: new URL('../', import.meta.url), encoding: 'utf8', timeout: 200_000 }
  )
  t.equal(stderr, '')
  t.match(stdout, /^createAttachment +\d+ +\d+/m)
  t.match(stdout, /^files +[1-9]\d* in s3:/m)
  t.match(stdout, /^lost: nothing$/m)
  t.equal(status, 0)
})

t.test('the soak reports every row that was lost, changed or made without it', slow, async (t) => {
  const place = await freshPlace(t)
  const uploads = join(place.SVC_DATA_DIR, 'uploads')
  const fileOf = (entry: { isFile(): boolean }) => entry.isFile()
  const orphan = randomUUID()

  async function tamper() {
    const sql = (text: string) => runSql(place, text)
    const isMarked = "LIKE '%soak-%'"
    // Several of each: of a row whose last request got no answer, either outcome is right.
    await sql(`DELETE FROM todos WHERE title ${isMarked}
      AND id < (SELECT max(id) FROM todos WHERE title ${isMarked})`)
    await sql('UPDATE memos SET version = version + 1')
    await sql(`INSERT INTO todos (user_id, title, is_completed, created_at, updated_at)
      SELECT user_id, title, is_completed, created_at, updated_at FROM todos
      WHERE id = (SELECT max(id) FROM todos WHERE title ${isMarked})`)
    const [file] = readdirSync(uploads, { withFileTypes: true }).filter(fileOf)
    if (file) rmSync(join(uploads, file.name))
    writeFileSync(join(uploads, orphan), '')
  }

  const { problems } = await runSoak({
    seconds: 3,
    seed: 8,
    workers: 1,
    place,
    print: () => {},
    tamper
  })
  for (const [what, pattern] of [
    ['a row that is gone', /todo \d+: should be .*, is absent/],
    ['a row that has changed', /memo \d+: should be .*"version"/],
    ['a row that nobody made', /todo \d+: was never made/],
    ['a file that is gone', /its file is gone/],
    ['a file without a row', new RegExp(`no row has file ${orphan}`)]
  ] as const) {
    t.ok(
      problems.some((it) => pattern.test(it)),
      what,
      { problems }
    )
  }
})
