/**
 * What the peers share: the service's tables, the SQL of the bare route (tools/bench/bare.ts), and sessions in a
 * table of the same file. Each is run as `PEER.mjs FILE PORT`.
 */
import { randomBytes } from 'node:crypto'
import SQLite from 'better-sqlite3'

const [, , file = '', port] = process.argv
export const address = { host: '127.0.0.1', port: Number(port) }
export const database = new SQLite(file)
database.pragma('foreign_keys = ON')
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(
  'CREATE TABLE sids (sid TEXT PRIMARY KEY, content TEXT NOT NULL, ends INTEGER NOT NULL)'
)

const columns = 'id, title, is_completed, created_at, updated_at'
const list = database.prepare(
  `SELECT ${columns} FROM todos WHERE user_id = +? ORDER BY id DESC LIMIT +?`
)
const find = database.prepare(`SELECT ${columns} FROM todos WHERE id = ? AND user_id = ?`)
const insert = database.prepare(
  `INSERT INTO todos (user_id, title, is_completed, created_at, updated_at) VALUES (?, ?, 0, ?, ?)
   RETURNING ${columns}`
)
const shown = (row) => ({ ...row, is_completed: row.is_completed === 1 })

/** Todos of a user, in the envelope of the service. */
export const todos = {
  list: (user) => ok({ todos: list.all(user, 101).map(shown), next_cursor: null }),
  find(user, id) {
    const row = find.get(id, user)
    return row && ok({ todo: shown(row) })
  },
  insert(user, title) {
    const now = new Date().toISOString()
    return ok({ todo: shown(insert.all(user, title, now, now)[0]) })
  }
}
export const ok = (data) => ({ Result: true, Data: { status: 'success', ...data } })

const idOf = database.prepare('SELECT id FROM users WHERE user_id = ?').pluck()
/** Passwords are not compared: nobody measures sign-ins here. */
export const signIn = ({ user_id }) => idOf.get(user_id)

const get = database.prepare('SELECT content FROM sids WHERE sid = ? AND ends > ?').pluck()
const set = database.prepare('INSERT OR REPLACE INTO sids VALUES (?, ?, ?)')
const remove = database.prepare('DELETE FROM sids WHERE sid = ?')
/** Sessions, as express-session and @fastify/session call their store. */
export const store = {
  get(sid, done) {
    const content = get.get(sid, Date.now())
    done(null, content ? JSON.parse(content) : null)
  },
  set(sid, session, done) {
    set.run(sid, JSON.stringify(session), Date.now() + 86_400_000)
    done()
  },
  destroy(sid, done) {
    remove.run(sid)
    done()
  }
}

export const secret = randomBytes(32).toString('hex')
