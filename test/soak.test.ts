import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runSoak } from '../soak/run.ts'
import { freshPlace, runSql } from './support/database.ts'

t.test('a short soak kills and restarts the service, and loses nothing', async (t) => {
  const { SVC_DATABASE_URL: databaseUrl } = await freshPlace(t)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['soak', '--seconds', '6', '--seed', '7', '--database-url', databaseUrl],
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

t.test('the soak reports every row that was lost, changed or made without it', async (t) => {
  const place = await freshPlace(t)
  const uploads = join(place.SVC_DATA_DIR, 'uploads')
  const fileOf = (entry: { isFile(): boolean }) => entry.isFile()
  const named: Record<string, string> = {}

  async function tamper() {
    const sql = (text: string) => runSql(place, text)
    const [todo] = await sql('SELECT title FROM todos ORDER BY id LIMIT 1')
    named.todo = String(todo?.title).split(' /')[0] ?? ''
    await sql('DELETE FROM todos WHERE id = (SELECT min(id) FROM todos)')
    const [memo] = await sql('SELECT body FROM memos ORDER BY id LIMIT 1')
    named.memo = String(memo?.body).split('\n')[0] ?? ''
    await sql('UPDATE memos SET version = version + 1 WHERE id = (SELECT min(id) FROM memos)')
    await sql(`INSERT INTO todos (user_id, title, is_completed, created_at, updated_at)
      SELECT user_id, title, is_completed, created_at, updated_at FROM todos
      WHERE id = (SELECT max(id) FROM todos)`)
    await sql("DELETE FROM audit_events WHERE event = 'login'")
    const [event] = await sql('SELECT payload FROM webhook_events ORDER BY id LIMIT 1')
    named.event = String(event?.payload)
    await sql(`UPDATE webhook_events SET payload = '{"event":"altered"}'
      WHERE id = (SELECT min(id) FROM webhook_events)`)
    const [file] = readdirSync(uploads, { withFileTypes: true }).filter(fileOf)
    if (file) rmSync(join(uploads, file.name))
    // Just written, so that the service leaves it alone.
    const orphan = randomUUID()
    named.orphan = orphan
    for (const folder of [uploads, join(uploads, 'tmp')]) writeFileSync(join(folder, orphan), '')
  }

  const { problems } = await runSoak({
    seconds: 3,
    seed: 8,
    workers: 1,
    place: { folder: place.SVC_DATA_DIR, databaseUrl: place.SVC_DATABASE_URL },
    print: () => {},
    tamper
  })
  const has = (text: string | RegExp) =>
    problems.some((it) => (typeof text === 'string' ? it.includes(text) : text.test(it)))
  for (const [what, text] of [
    ['a row that is gone', new RegExp(`${named.todo}: should be .*, is absent`)],
    ['a row that has changed', new RegExp(`${named.memo}: should be .*"version"`)],
    ['a row that is there twice', /todo .*: is there twice/],
    ['audit records that are gone', /audit trail: \d+ to \d+ records of login of user/],
    ['an event that is gone', `webhook ${named.event}: should be {"stored":true}, is absent`],
    ['an event that nobody sent', '{"event":"altered"}: was never made'],
    ['a file that is gone', /its file is gone|500 INTERNAL-ERROR/],
    ['a file without a row', `no row has file ${named.orphan}`],
    ['a temporary file', `a temporary file was left: ${named.orphan}`]
  ] as const) {
    t.ok(has(text), what)
  }
})
