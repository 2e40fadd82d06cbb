import type { Request } from './load.ts'
import { asEach, type Case, create, list } from './measure.ts'
import {
  furnishedPlace,
  insertMany,
  now,
  type Place,
  reader,
  runSql,
  signIn,
  startService,
  todoColumns,
  writer
} from './place.ts'

const login = {
  method: 'POST',
  path: '/session/login',
  body: JSON.stringify({ user_id: writer.user_id, user_pass: writer.user_id })
} as const

/** Adds users, and for each one a todo and a session. */
async function fill(place: Place, size: number) {
  const id = `${writer.id} + i`
  const user = `${id}, 'user' || i, 'User', 'user' || i || '@example.com', 'user', '', 0, ${now}, ${now}`
  const users =
    'users (id, user_id, user_name, e_mail, role, password_hash, password_changed_at, created_at, updated_at)'
  await insertMany(place, size, users, user)
  await insertMany(place, size, todoColumns, `${id}, 'Buy oat milk', false, ${now}, ${now}`)
  const session = `'session' || i, ${id}, 'token', 9000000000000, 9000000000000, ${now}, 0`
  const sessions =
    'sessions (id_hash, user_id, csrf_token, expires_at, ends_at, created_at, last_seen_at)'
  await insertMany(place, size, sessions, session)
  if (place.SVC_DATABASE_URL) await runSql(place, 'VACUUM (ANALYZE)')
}

interface Variant {
  name: string
  workers?: string
  rows?: number
}

/** A service for each variant, and the same request to all. */
async function start(variants: Variant[], server: string) {
  const targets = new Map<string, { port: number; cpu: () => Promise<number> }>()
  for (const { name, workers = '1', rows = 0 } of variants) {
    const place = await furnishedPlace({ server })
    if (rows > 0) await fill(place, rows)
    const target = await startService(place, { SVC_WORKERS: workers })
    // The CPU of workers is not known.
    targets.set(name, workers === '1' ? target : { ...target, cpu: async () => Number.NaN })
  }
  return async (request: Request, user_id?: string) => {
    const contenders: Case['contenders'] = {}
    for (const [name, target] of targets) {
      const headers = user_id ? await signIn(target.port, user_id) : {}
      contenders[name] = { target, requests: asEach(request, [headers]) }
    }
    return contenders
  }
}

/** Two processes beside one. */
export async function processCases(server = ''): Promise<Case[]> {
  const variants = [{ name: '2 processes', workers: '2' }, { name: '1 process' }]
  const contenders = await start(variants, server)
  return [
    { name: 'list of 10', callers: 32, contenders: await contenders(list, reader.user_id) },
    { name: 'create', callers: 64, contenders: await contenders(create, writer.user_id) }
  ]
}

/** More and more todos, users and sessions; the most of them first. */
export async function growthCases(sizes: number[], server = ''): Promise<Case[]> {
  const variants = sizes.map((rows) => ({ name: `${rows.toLocaleString('en')} rows`, rows }))
  const contenders = await start(variants, server)
  const goal = { to: variants.at(-1)?.name ?? '', least: 0.83 }
  return [
    { name: 'list', callers: 8, contenders: await contenders(list, reader.user_id), goal },
    { name: 'login', callers: 8, contenders: await contenders(login), goal }
  ]
}
