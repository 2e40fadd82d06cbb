/**
 * Part of `npm run bench`: a signed-in list, and creates of one user and of 64, on PostgreSQL, compared
 * with bare Fastify routes with `pg`.
 */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { Contender, create, list, type Plan, takeTurns } from './contender.ts'
import { writer } from './data.ts'
import type { Request } from './load.ts'
import { judge, median, printTable } from './report.ts'
import { makeAccounts, type Place, postgresPlace, start } from './scale.ts'
import { freePort, Target } from './target.ts'

/** Least ratio to the bare route: of a list; of creates by one user, and by 64. */
const goals = [0.7, 2, 2.4]

/** Adds users who are signed in, and returns a create of each. */
async function createsOf(count: number, { time, run }: Place): Promise<Request[]> {
  const ids = Array.from({ length: count }, (_, n) => writer.id + 1 + n)
  const sessionId = (id: number) => String(id).padStart(32, 'x')
  const users = ids.map(
    (id) => `(${id}, 'user${id}', 'User', 'user${id}@example.com', 'user', '', 0, ${time}, ${time})`
  )
  const sessions = ids.map(
    (id) =>
      `('${hash('sha256', sessionId(id))}', ${id}, 'token', 9000000000000, 9000000000000, ${time}, 9000000000000)`
  )
  await run(`INSERT INTO users (id, user_id, user_name, e_mail, role, password_hash,
    password_changed_at, created_at, updated_at) VALUES ${users}`)
  await run(`INSERT INTO sessions (id_hash, user_id, csrf_token, expires_at, ends_at, created_at,
    last_seen_at) VALUES ${sessions}`)
  return ids.map((id) => ({
    ...create,
    headers: { cookie: `PHPSESSID=${sessionId(id)}`, 'x-csrf-token': 'token' }
  }))
}

async function launch(server: string, plan: Plan) {
  const place = await postgresPlace(server)
  const running: Target[] = []
  try {
    await makeAccounts(place)
    const ofMany = await createsOf(64, place)
    const service = await start(place)
    running.push(service.target)
    const startBare = async (style: string) => {
      const port = await freePort()
      const bare = await Target.start({
        script: 'bench/bare-postgres.ts',
        args: [place.env.SVC_DATABASE_URL ?? '', String(port), style],
        port,
        logFile: join(place.env.SVC_DATA_DIR ?? '', 'bare-log')
      })
      running.push(bare)
      return bare
    }
    const bare = await startBare('')
    const plain = await startBare('plain')
    const rows: { name: string; bare: Contender; plain: Contender; service: Contender }[] = []
    for (const [name, request, requests, callers] of [
      ['list of 10, session', list, { ...list, headers: service.reader }, 32],
      ['create, 64 callers, one user', create, { ...create, headers: service.writer }, 64],
      ['create, 64 users', create, ofMany, 64]
    ] as const) {
      const contenders = {
        bare: new Contender(bare, request),
        plain: new Contender(plain, request),
        service: new Contender(service.target, requests)
      }
      await takeTurns(Object.values(contenders), callers, plan)
      rows.push({ name, ...contenders })
    }
    return rows
  } finally {
    await Promise.all(running.map((target) => target.stop()))
    await place.remove()
  }
}

/** Prints rows in the form of those for SQLite (run.ts). */
export async function measurePostgres(server: string, plan: Plan) {
  const launches: Awaited<ReturnType<typeof launch>>[] = []
  try {
    for (let n = 0; n < plan.launches; n++) launches.push(await launch(server, plan))
  } catch (error) {
    console.log(`\nskipped: PostgreSQL at --database-url (${(error as Error).message})`)
    return
  }
  const rows = goals.map((goal, index) => {
    const results = launches.flatMap((launch) => launch[index] ?? [])
    const over = (pick: (row: (typeof results)[number]) => number) => median(results.map(pick))
    const ratio = over(({ bare, service }) => service.perSecond / bare.perSecond)
    return [
      results[0]?.name,
      {
        ratio: ratio.toFixed(2),
        'met (goal)': judge(ratio, goal),
        plain: over(({ plain, service }) => service.perSecond / plain.perSecond).toFixed(2),
        'by CPU': over(({ bare, service }) => bare.cpu / service.cpu).toFixed(2),
        'bare µs': over(({ bare }) => bare.cpu).toFixed(1),
        'service µs': over(({ service }) => service.cpu).toFixed(1),
        'answers a second': Math.round(over(({ service }) => service.perSecond))
      }
    ]
  })
  printTable('postgres', Object.fromEntries(rows), 'without the CPU of PostgreSQL')
}
