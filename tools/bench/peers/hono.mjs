/** Hono on Node.js, with its own csrf and secure-headers, and zod. It has no sessions: each is a row here. */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { csrf } from 'hono/csrf'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { address, ok, signIn, store, todos } from './shared.mjs'

const NewTodo = z.object({ title: z.string().trim().min(1).max(255) })
const Key = z.object({ id: z.coerce.number().int().min(0) })

const app = new Hono()
app.use(secureHeaders())
app.use(csrf())
app.post('/session/login', async (c) => {
  const session = { user: signIn(await c.req.json()), csrfToken: randomUUID() }
  const sid = randomUUID()
  store.set(sid, session, () => {})
  setCookie(c, 'sid', sid, { httpOnly: true, sameSite: 'Lax' })
  return c.json(ok({ csrfToken: session.csrfToken }))
})
app.use(async (c, next) => {
  store.get(getCookie(c, 'sid') ?? '', (_error, session) => c.set('session', session))
  if (!c.var.session) return c.body(null, 401)
  await next()
})
app.get('/todo/index', (c) => c.json(todos.list(c.var.session.user)))
app.get('/todo/item/:id{id_[0-9]+}', (c) => {
  const { id } = Key.parse({ id: c.req.param('id').slice(3) })
  const found = todos.find(c.var.session.user, id)
  return found ? c.json(found) : c.body(null, 404)
})
app.post('/todo/index', zValidator('json', NewTodo), (c) => {
  const given = Buffer.from(c.req.header('x-csrf-token') ?? '')
  const expected = Buffer.from(c.var.session.csrfToken)
  const isOwn = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isOwn) return c.body(null, 403)
  return c.json(todos.insert(c.var.session.user, c.req.valid('json').title))
})
serve({ fetch: app.fetch, port: address.port, hostname: address.host })
