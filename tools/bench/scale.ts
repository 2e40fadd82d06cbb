import { asEach, type Case, list } from './measure.ts'
import {
  furnishedPlace,
  insertMany,
  nameOf,
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
  const user = `${id}, 'user' || i, 'user' || i, 'User', 'user' || i || '@example.com', 'user' || i || '@example.com', 'user', '', 0, ${now}, ${now}`
  const users =
    'users (id, user_id, login_key, user_name, e_mail, address_key, role, password_hash, password_changed_at, created_at, updated_at)'
  await insertMany(place, size, users, user)
  await insertMany(place, size, todoColumns, `${id}, 'Buy oat milk', false, ${now}, ${now}`)
  const session = `'session' || i, ${id}, 'token', 9000000000000, 9000000000000, ${now}, 0`
  const sessions =
    'sessions (id_hash, user_id, csrf_token, expires_at, ends_at, created_at, last_seen_at)'
  await insertMany(place, size, sessions, session)
  if (place.SVC_DATABASE_URL) await runSql(place, 'VACUUM (ANALYZE)')
}

/** A list and a login with more and more todos, users and sessions; the most of them first. */
export async function growthCases(sizes: number[], server = ''): Promise<Case[]> {
  const lists: Case['contenders'] = {}
  const logins: Case['contenders'] = {}
  for (const size of sizes) {
    const place = await furnishedPlace({ server })
    await fill(place, size)
    const target = await startService(place)
    const session = await signIn(target.port, reader.user_id)
    const name = `${size.toLocaleString('en')} rows`
    lists[name] = { target, requests: asEach(list, [session]) }
    logins[name] = { target, requests: [login] }
  }
  const goal = { to: Object.keys(lists).at(-1) ?? '', least: 0.83 }
  return [
    { name: 'list', callers: 8, contenders: lists, goal },
    { name: 'login', callers: 8, contenders: logins, goal }
  ]
}

/** A search of so many todos that finds nothing, so that it looks at as many as it may; a list of ten of them. */
export async function searchCases(size: number, server = ''): Promise<Case[]> {
  const place = await furnishedPlace({ server, more: 2 })
  const add = (user: number, columns: string, texts: string) =>
    insertMany(
      place,
      size,
      `todos (user_id, ${columns}`,
      `${user}, ${texts}, false, ${now}, ${now}`
    )
  const times = 'is_completed, created_at, updated_at)'
  await add(3, `title, ${times}`, `'Buy oat milk for guest ' || i`)
  const folded = `'Bäckerei für Gäste ' || i, 'BACKEREI FUR GASTE ' || i`
  await add(4, `title, title__folded, ${times}`, folded)
  if (server) await runSql(place, 'VACUUM (ANALYZE)')
  const target = await startService(place)
  const [plain, accents] = await Promise.all([0, 1].map((n) => signIn(target.port, nameOf(n))))
  const ask = (path: string, headers: typeof plain) => ({
    target,
    requests: [{ ...list, path, ...(headers && { headers }) }]
  })
  const contenders = {
    accents: ask('/todo/index?q=zurich', accents),
    ASCII: ask('/todo/index?q=zurich', plain),
    list: ask('/todo/index?limit=10', accents)
  }
  const name = `search of ${size.toLocaleString('en')} todos`
  return [{ name, callers: 1, contenders, goal: { to: 'ASCII', most: 1.3 } }]
}
