/**
 * What the service on PostgreSQL is measured against: its SQL and response schemas on bare Fastify
 * routes with `pg`. Run as `bare-postgres.ts URL PORT [plain]`: `plain` parses times as most would
 * write it, into a Date each; without, they are read as the service reads them.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import pg from 'pg'
import { postgresTypes } from '../db/postgres/index.ts'
import { NextCursor, ok, ref, success } from '../schemas/common.ts'
import { Todo } from '../schemas/todo.ts'
import { addComponents } from './components.ts'
import { reader, writer } from './data.ts'

const [connectionString = '', port, style] = process.argv.slice(2)
// As many connections as the service has.
const types = style === 'plain' ? pg.types : postgresTypes
const pool = new pg.Pool({ connectionString, types, max: 10 })
const columns = 'id, title, is_completed, created_at, updated_at'
const text = `SELECT ${columns} FROM todos
  WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT cast($3 AS integer)`

const insert = `INSERT INTO todos (user_id, title, is_completed, created_at, updated_at)
  VALUES ($1, $2, false, $3, $4) RETURNING ${columns}`

const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()

const todoPage = success({ todos: Type.Array(ref(Todo)), next_cursor: NextCursor })
addComponents(app, todoPage)
app.get('/todo/index', { schema: { response: { 200: todoPage } } }, async () => {
  const values = [reader.id, Number.MAX_SAFE_INTEGER, 101]
  const { rows } = await pool.query<Todo>({ name: 'list', text, values })
  return ok({ todos: rows, next_cursor: null })
})

const created = success({ todo: ref(Todo) })
const body = Type.Object({ title: Type.String() })
app.post('/todo/index', { schema: { body, response: { 200: created } } }, async (request) => {
  const now = new Date().toISOString()
  const values = [writer.id, request.body.title, now, now]
  const { rows } = await pool.query<Todo>({ name: 'insert', text: insert, values })
  return ok({ todo: rows[0] as Todo })
})

await app.listen({ host: '127.0.0.1', port: Number(port) })
