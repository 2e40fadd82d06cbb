/**
 * The service is compared with this: the same SQL and response schemas on bare Fastify routes, and
 * nothing else. Run as `bare.ts FILE PORT`; the file has the service's tables.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import SQLite from 'better-sqlite3'
import Fastify from 'fastify'
import { NextCursor, ok, ref, success } from '../schemas/common.ts'
import { Todo } from '../schemas/todo.ts'
import { addComponents } from './components.ts'
import { reader, writer } from './data.ts'

const [file = '', port] = process.argv.slice(2)
const database = new SQLite(file)
database.pragma('foreign_keys = ON')
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

const columns = 'id, title, is_completed, created_at, updated_at'
// The service's SQL. With `+?`, SQLite does not plan the query again at each call (db/sqlite/index.ts).
const list = database.prepare<[number, number], Todo>(
  `SELECT ${columns} FROM todos WHERE user_id = +? ORDER BY id DESC LIMIT +?`
)
/** The same with plain `?`, as most people would write it. */
const listPlain = database.prepare<[number, number], Todo>(
  `SELECT ${columns} FROM todos WHERE user_id = ? ORDER BY id DESC LIMIT ?`
)
const find = database.prepare<[number, number], Todo>(
  `SELECT ${columns} FROM todos WHERE id = ? AND user_id = ?`
)
const insert = database.prepare<[number, string, string, string], Todo>(
  `INSERT INTO todos (user_id, title, is_completed, created_at, updated_at) VALUES (?, ?, 0, ?, ?)
   RETURNING ${columns}`
)

const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()

const todoPage = success({ todos: Type.Array(ref(Todo)), next_cursor: NextCursor })
addComponents(app, todoPage)
for (const [path, statement] of [
  ['/todo/index', list],
  ['/plain/todo/index', listPlain]
] as const) {
  app.get(path, { schema: { response: { 200: todoPage } } }, async () =>
    ok({ todos: statement.all(reader.id, 101), next_cursor: null })
  )
}
app.get(
  '/todo/item/id_:id',
  {
    schema: {
      params: Type.Object({ id: Type.Integer() }),
      response: { 200: success({ todo: ref(Todo) }) }
    }
  },
  async (request) => ok({ todo: find.get(request.params.id, reader.id) as Todo })
)
app.post(
  '/todo/index',
  {
    schema: {
      body: Type.Object({ title: Type.String() }),
      response: { 200: success({ todo: ref(Todo) }) }
    }
  },
  async (request) => {
    const now = new Date().toISOString()
    // Not `.get()`: it leaves the INSERT open, and then the WAL grows.
    return ok({ todo: insert.all(writer.id, request.body.title, now, now)[0] as Todo })
  }
)

await app.listen({ host: '127.0.0.1', port: Number(port) })
