/**
 * `npx node bench/reaction.ts`: what a summary costs with 100, 10,000 and 1,000,000 reactions on one
 * target, compared with a count of the rows. Also what a toggle costs there if many share an fsync.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { toggleReaction } from '../db/actions/reactions.ts'
import { databaseFile } from '../db/sqlite/file.ts'
import { openSqlite } from '../db/sqlite/index.ts'
import { reactionTypes } from '../schemas/reaction.ts'

const sizes = [100, 10_000, 1_000_000]
const target = { target_id: 1, target_type: 'memo' }
/** Has one reaction of each type on the target. */
const member = 1

/** Makes users with a reaction of every type each, until there are `rows` reactions. */
function fill(database: SQLite.Database, rows: number) {
  const now = new Date().toISOString()
  const users = rows / reactionTypes.length
  database.exec(`
    BEGIN;
    WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${users})
    INSERT INTO users (id, user_id, user_name, e_mail, role, password_hash, password_changed_at,
      created_at, updated_at)
    SELECT id, 'user' || id, 'User', 'user' || id || '@example.com', 'user', '', 0, '${now}', '${now}'
    FROM n;
    WITH types(reaction_type) AS (VALUES ${reactionTypes.map((type) => `('${type}')`).join()})
    INSERT INTO reactions (created_at, target_id, target_type, reaction_type, user_id)
    SELECT '${now}', ${target.target_id}, '${target.target_type}', reaction_type, id
    FROM users, types;
    INSERT INTO reaction_counts
    SELECT target_id, target_type, reaction_type, count(*) FROM reactions GROUP BY 1, 2, 3;
    COMMIT;
  `)
}

/** The median time of a call in microseconds, over about a second, divided by the `parts` that a call does at once. */
async function measure(call: () => unknown, parts = 1) {
  for (let n = 0; n < 3; n++) await call()
  const times: number[] = []
  const end = performance.now() + 1000
  while (performance.now() < end) {
    const start = performance.now()
    await call()
    times.push(((performance.now() - start) * 1000) / parts)
  }
  return times.sort((a, b) => a - b)[times.length >> 1]?.toFixed(1)
}

async function run(rows: number) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const file = databaseFile(folder)
  const { repos, transaction, close } = await openSqlite(file)
  const database = new SQLite(file)
  try {
    fill(database, rows)
    const counted = database.prepare<[number, string], { count: number }>(
      `SELECT reaction_type, count(*) AS count FROM reactions
       WHERE target_id = ? AND target_type = ? GROUP BY reaction_type`
    )
    const { total } = await repos.reactions.summary({ ...target, user_id: member })
    if (total !== rows) throw new Error(`${total} reactions instead of ${rows}`)
    const toggled = { ...target, reaction_type: 'like', user_id: member, now: '' } as const
    return {
      'counting rows': await measure(() => counted.all(target.target_id, target.target_type)),
      summary: await measure(() => repos.reactions.summary({ ...target, user_id: member })),
      'summary, anonymous': await measure(() =>
        repos.reactions.summary({ ...target, user_id: null })
      ),
      'toggle, 100 at once': await measure(
        () =>
          Promise.all(
            Array.from({ length: 100 }, () =>
              transaction((bound) => toggleReaction(bound, toggled))
            )
          ),
        100
      )
    }
  } finally {
    database.close()
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const results: Record<string, Awaited<ReturnType<typeof run>>> = {}
for (const rows of sizes) results[rows.toLocaleString('en')] = await run(rows)
console.log(`node ${process.version}, ${cpus()[0]?.model}; microseconds, medians`)
console.table(results)
