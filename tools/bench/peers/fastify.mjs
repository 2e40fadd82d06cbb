/** The usual Fastify stack: @fastify/session, csrf-protection, helmet, JSON Schema, and Kysely for the queries. */
import Fastify from 'fastify'
import { Kysely, SqliteDialect } from 'kysely'
import { registerPlugins } from './fastify-session.mjs'
import { address, database, ok, signIn } from './shared.mjs'

const db = new Kysely({ dialect: new SqliteDialect({ database }) })
const columns = ['id', 'title', 'is_completed', 'created_at', 'updated_at']
const text = { type: 'string' }
const Todo = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: text,
    is_completed: { type: 'boolean' },
    created_at: text,
    updated_at: text
  }
}
const success = (properties) => {
  const Data = { type: 'object', properties: { status: text, ...properties } }
  return { 200: { type: 'object', properties: { Result: { type: 'boolean' }, Data } } }
}
const one = success({ todo: Todo })

const app = Fastify()
await registerPlugins(app)
app.post('/session/login', async ({ session, body }, reply) => {
  session.user = signIn(body)
  return ok({ csrfToken: reply.generateCsrf() })
})
await app.register(async (signedIn) => {
  signedIn.addHook('onRequest', async ({ session }, reply) => {
    if (!session.user) return reply.code(401).send()
  })
  const page = { type: 'array', items: Todo }
  signedIn.get(
    '/todo/index',
    { schema: { response: success({ todos: page, next_cursor: { type: ['integer', 'null'] } }) } },
    async ({ session }) => {
      const own = db.selectFrom('todos').select(columns).where('user_id', '=', session.user)
      return ok({ todos: await own.orderBy('id', 'desc').limit(101).execute(), next_cursor: null })
    }
  )
  const params = { type: 'object', properties: { id: { type: 'integer', minimum: 0 } } }
  signedIn.get(
    '/todo/item/id_:id',
    { schema: { params, response: one } },
    async ({ session, params: { id } }, reply) => {
      const own = db.selectFrom('todos').select(columns).where('user_id', '=', session.user)
      const todo = await own.where('id', '=', id).executeTakeFirst()
      return todo ? ok({ todo }) : reply.code(404).send()
    }
  )
  const title = { type: 'string', minLength: 1, maxLength: 255 }
  const body = { type: 'object', required: ['title'], properties: { title } }
  signedIn.post(
    '/todo/index',
    { schema: { body, response: one }, onRequest: app.csrfProtection },
    async ({ session, body }) => {
      const now = new Date().toISOString()
      const row = { user_id: session.user, is_completed: 0, created_at: now, updated_at: now }
      const inserted = db.insertInto('todos').values({ ...row, title: body.title })
      return ok({ todo: await inserted.returning(columns).executeTakeFirstOrThrow() })
    }
  )
})
await app.listen(address)
