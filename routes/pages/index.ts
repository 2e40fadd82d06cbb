import formbody from '@fastify/formbody'
import fastifyStatic from '@fastify/static'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyPluginAsync } from 'fastify'
import type { Limit } from '../../plugins/rate-limit.ts'
import { resource } from '../../plugins/resources.ts'
import sessionPlugin, { type SessionOptions } from '../../plugins/session.ts'
import type { Config } from '../../schemas/config.ts'
import board from './board.ts'
import home from './home.ts'
import login from './login.ts'
import logout from './logout.ts'
import passwordReset from './password-reset.ts'

export type PageOptions = SessionOptions &
  Pick<Config, 'SVC_CSRF_FIELD' | 'SVC_ENV'> & {
    loginLimit: Limit
    ownOrigins: readonly string[]
  }

/** The pages for people: what they share, then each page. */
const pages: FastifyPluginAsync<PageOptions> = async (app, options) => {
  const views = resource('views')
  await app.register(formbody, { bodyLimit: 64 * 1024 })
  await app.register(sessionPlugin, options)
  await app.register(view, {
    engine: { eta: new Eta({ views, cache: options.SVC_ENV !== 'development' }) },
    root: views,
    layout: 'layout.eta',
    viewExt: 'eta',
    defaultContext: { csrfField: options.SVC_CSRF_FIELD }
  })
  app.addHook('onRoute', function openAssets(route) {
    if (route.url.startsWith('/assets/')) route.config = { ...route.config, allow: ['anyone'] }
  })
  await app.register(fastifyStatic, {
    root: `${views}/assets`,
    prefix: '/assets/',
    cacheControl: false,
    // Small, and looked at again with every page: asked for anew, answered 304.
    setHeaders: (reply) => {
      reply.header('cache-control', 'no-cache')
    }
  })

  for (const page of [home, login, board, logout, passwordReset]) await app.register(page, options)
}

export default pages
