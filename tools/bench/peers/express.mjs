/** Express with express-session, csrf-sync, helmet and zod. */
import { csrfSync } from 'csrf-sync'
import express from 'express'
import session from 'express-session'
import helmet from 'helmet'
import { z } from 'zod'
import { address, ok, secret, signIn, store, todos } from './shared.mjs'

const { generateToken, csrfSynchronisedProtection } = csrfSync()
const NewTodo = z.object({ title: z.string().trim().min(1).max(255) })
const Id = z.coerce.number().int().min(0)

const app = express()
app.use(helmet())
app.use(express.json())
app.use(
  session({
    secret,
    store: Object.assign(new session.Store(), store),
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax' }
  })
)
app.post('/session/login', (request, response) => {
  request.session.user = signIn(request.body)
  response.json(ok({ csrfToken: generateToken(request) }))
})
app.use(({ session }, response, next) => (session.user ? next() : response.status(401).end()))
app.use(csrfSynchronisedProtection)
app.get('/todo/index', ({ session }, response) => void response.json(todos.list(session.user)))
app.get('/todo/item/id_:id', ({ session, params }, response) => {
  const found = todos.find(session.user, Id.parse(params.id))
  if (found) response.json(found)
  else response.status(404).end()
})
app.post('/todo/index', ({ session, body }, response) => {
  response.json(todos.insert(session.user, NewTodo.parse(body).title))
})
app.listen(address.port, address.host)
