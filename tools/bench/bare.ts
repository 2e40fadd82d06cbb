/**
 * The service is compared with this: the same SQL and response schemas on bare Fastify routes, and
 * nothing else. Run as `bare.ts PORT DATABASE`, a file or a URL with the service's tables.
 *
 * Under /plain is what most people would write: a plain `?`, where the service writes `+?` so that SQLite does not
 * plan the query again at each call; with PostgreSQL a Date made of each time, which the service reads as text.
 */
import { Type } from '@sinclair/typebox'
import SQLite from 'better-sqlite3'
import Fastify from 'fastify'
import pg from 'pg'
import { postgresTypes } from '../../db/postgres/index.ts'
import { componentOf, NextCursor, ok, ref, success } from '../../schemas/common.ts'
import { Todo } from '../../schemas/todo.ts'
import { reader, writer } from './place.ts'

interface Routes {
  list(): Promise<object>
  find?(id: number): Promise<object>
  create?(title: string): Promise<object>
}

const [port, database = ''] = process.argv.slice(2)
const columns = 'id, title, is_completed, created_at, updated_at'
const insert = 'INSERT INTO todos (user_id, title, is_completed, created_at, updated_at) VALUES'
const now = () => new Date().toISOString()

function ofSqlite(): [Routes, Routes] {
  const db = new SQLite(database)
  db.pragma('foreign_keys = ON')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  const listBy = (parameter: string): Routes => {
    const select = db.prepare(
      `SELECT ${columns} FROM todos WHERE user_id = ${parameter} ORDER BY id DESC LIMIT ${parameter}`
    )
    return { list: async () => ok({ todos: select.all(reader.id, 101), next_cursor: null }) }
  }
  const find = db.prepare(`SELECT ${columns} FROM todos WHERE id = ? AND user_id = ?`)
  const create = db.prepare(`${insert} (?, ?, 0, ?, ?) RETURNING ${columns}`)
  return [
    {
      ...listBy('+?'),
      find: async (id) => ok({ todo: find.get(id, reader.id) }),
      // Not `.get()`: it leaves the INSERT open, and then the WAL grows.
      create: async (title) => ok({ todo: create.all(writer.id, title, now(), now())[0] })
    },
    listBy('?')
  ]
}

function ofPostgres(types: typeof pg.types | typeof postgresTypes): Routes {
  // As many connections as the service has.
  const pool = new pg.Pool({ connectionString: database, types, max: 10 })
  const select = `SELECT ${columns} FROM todos
    WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT cast($3 AS integer)`
  const create = `${insert} ($1, $2, false, $3, $4) RETURNING ${columns}`
  return {
    async list() {
      const values = [reader.id, Number.MAX_SAFE_INTEGER, 101]
      const { rows } = await pool.query({ name: 'list', text: select, values })
      return ok({ todos: rows, next_cursor: null })
    },
    async create(title) {
      const values = [writer.id, title, now(), now()]
      const { rows } = await pool.query({ name: 'insert', text: create, values })
      return ok({ todo: rows[0] })
    }
  }
}

const app = Fastify()
for (const component of [Todo, componentOf(NextCursor)]) {
  app.addSchema(component)
}
const one = { response: { 200: success({ todo: ref(Todo) }) } }
const page = { 200: success({ todos: Type.Array(ref(Todo)), next_cursor: NextCursor }) }
const params = Type.Object({ id: Type.Integer() })
const body = Type.Object({ title: Type.String() })
const both = database.startsWith('postgres')
  ? [ofPostgres(postgresTypes), ofPostgres(pg.types)]
  : ofSqlite()
for (const [index, { list, find, create }] of both.entries()) {
  const prefix = index === 0 ? '' : '/plain'
  app.get(`${prefix}/todo/index`, { schema: { response: page } }, () => list())
  if (find) {
    app.get<{ Params: { id: number } }>(
      `${prefix}/todo/item/id_:id`,
      { schema: { params, ...one } },
      (request) => find(request.params.id)
    )
  }
  if (create) {
    app.post<{ Body: { title: string } }>(
      `${prefix}/todo/index`,
      { schema: { body, ...one } },
      (request) => create(request.body.title)
    )
  }
}
await app.listen({ host: '127.0.0.1', port: Number(port) })
