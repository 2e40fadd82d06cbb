import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import helmet from '@fastify/helmet'
import session from '@fastify/session'
import { secret, store } from './shared.mjs'

/** The plugins that Fastify and NestJS on Fastify both use: cookie, session, CSRF and security headers. */
export async function registerPlugins(app) {
  await app.register(helmet)
  await app.register(cookie)
  await app.register(session, {
    secret,
    store,
    saveUninitialized: false,
    rolling: false,
    cookie: { secure: false, sameSite: 'lax' }
  })
  await app.register(csrf, { sessionPlugin: '@fastify/session' })
}
