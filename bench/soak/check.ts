import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bucket } from '../../plugins/feature-flags.ts'
import type { Client, World } from './client.ts'
import { type Cells, type Place, readDatabase } from './database.ts'
import type { Row } from './row.ts'

/** What clients cannot see for themselves, held against the database while the service is quiet. */
export async function checkDatabase(world: World, place: Place) {
  const { report, audit } = world
  const read = (sql: string) => readDatabase(place, sql)

  /** Each row is there once, with its value, and there is no other. */
  function compare<T extends object>(
    rows: ReadonlyMap<string, Row<T>>,
    found: Cells[],
    keyOf: (cells: Cells) => string,
    toValue: (cells: Cells) => T
  ) {
    const values = new Map<string, T>()
    for (const cells of found) {
      const key = keyOf(cells)
      if (values.has(key)) report.problem(`${key}: is there twice`)
      if (!rows.has(key)) report.problem(`${key}: was never made`)
      values.set(key, toValue(cells))
    }
    for (const [key, row] of rows) row.saw(values.get(key) ?? null, report)
  }

  compare(
    world.overrides,
    await read('SELECT flag_name, user_id, is_enabled FROM flag_overrides'),
    (it) => `${it.flag_name} ${it.user_id}`,
    (it) => ({ is_enabled: Boolean(it.is_enabled) })
  )
  compare(
    world.webhooks,
    await read('SELECT payload FROM webhook_events'),
    (it) => String(it.payload),
    () => ({ stored: true as const })
  )
  compare(
    world.reactions,
    await read('SELECT user_id, target_type, target_id, reaction_type FROM reactions'),
    (it) => `${it.user_id} ${it.target_type} ${it.target_id} ${it.reaction_type}`,
    () => ({ present: true as const })
  )
  const miscounted = await read(`SELECT c.target_type, c.target_id, c.reaction_type, c.count,
    (SELECT count(*) FROM reactions r WHERE r.target_type = c.target_type
      AND r.target_id = c.target_id AND r.reaction_type = c.reaction_type) AS is_count
    FROM reaction_counts c`)
  for (const { count, is_count, ...key } of miscounted) {
    if (count === is_count) continue
    report.problem(`${JSON.stringify(key)}: counted ${count} reactions, there are ${is_count}`)
  }
  const uncounted = await read(`SELECT r.target_type, r.target_id, r.reaction_type FROM reactions r
    LEFT JOIN reaction_counts c ON c.target_type = r.target_type AND c.target_id = r.target_id
      AND c.reaction_type = r.reaction_type WHERE c.count IS NULL`)
  for (const key of uncounted) report.problem(`${JSON.stringify(key)}: is not counted`)

  const events = await read(
    'SELECT event, user_id, count(*) AS times FROM audit_events GROUP BY event, user_id'
  )
  const found = events.map((it) => [`${it.event} of user ${it.user_id}`, Number(it.times)] as const)
  for (const problem of audit.problems(new Map(found))) report.problem(problem)

  if (place.databaseUrl) return
  for (const pragma of ['integrity_check', 'foreign_key_check']) {
    for (const it of await read(`PRAGMA ${pragma}`)) {
      if (it.integrity_check !== 'ok') report.problem(`${pragma}: ${JSON.stringify(it)}`)
    }
  }
}

/** Asks for every flag as this client's user: override, global value, place in the rollout. */
export async function checkFlags({ caller, person, world, report }: Client) {
  const reply = await caller.send<{ flags: Record<string, boolean> }>('evaluateFeatureFlags')
  if (reply.kind !== 'done') return report.problem('the flags were not answered')
  const { flags } = reply.data
  for (const [name, { value: flag }] of world.flags) {
    const override = world.overrides.get(`${name} ${person.id}`)?.value
    const expected =
      flag &&
      (override?.is_enabled ?? (flag.is_enabled || bucket(name, person.id) < flag.rollout_pct))
    if ((flags[name] ?? null) !== expected) {
      report.problem(`${name} of ${person.user_id}: should be ${expected}, is ${flags[name]}`)
    }
  }
}

/** Files and rows belong together, one to one, and nothing else lies about. Call it after the end. */
export async function checkFiles({ report, mails, outbox }: World, place: Place) {
  const uploads = join(place.folder, 'uploads')
  for (const file of await readdir(join(uploads, 'tmp'))) {
    report.problem(`a temporary file was left: ${file}`)
  }
  const rows = await readDatabase(place, 'SELECT name, file, sha256 FROM attachments')
  const names = new Set(rows.map((row) => String(row.file)))
  for (const entry of await readdir(uploads, { withFileTypes: true })) {
    if (entry.isFile() && !names.has(entry.name)) report.problem(`no row has file ${entry.name}`)
  }
  for (const { name, file, sha256 } of rows) {
    const content = await readFile(join(uploads, String(file))).catch(() => null)
    if (!content) report.problem(`${name}: its file is gone`)
    else if (hash('sha256', content) !== sha256) report.problem(`${name}: its file has changed`)
  }

  const subjects = new Map<string, number>()
  for (const file of await readdir(outbox).catch(() => [])) {
    const text = await readFile(join(outbox, file), 'utf8')
    const [, subject] = /^Subject: (mail .*?)\r?$/m.exec(text) ?? []
    if (subject) subjects.set(subject, (subjects.get(subject) ?? 0) + 1)
  }
  for (const [subject, row] of mails) {
    const times = subjects.get(subject) ?? 0
    if (times > 1) report.problem(`${subject}: was sent ${times} times`)
    row.saw(times > 0 ? { sent: true } : null, report)
  }
}
