import type { FastifyPluginAsync } from 'fastify'
import { checkFormToken, remainingMethods } from '../../plugins/html.ts'
import type { PageOptions } from './index.ts'

const url = '/logout/index'

/** Signing out: GET asks, POST does. */
const logout: FastifyPluginAsync<PageOptions> = async (app, options) => {
  const config = { html: true, body: 'form' } as const

  app.post(
    url,
    { config, schema: { hide: true }, preValidation: checkFormToken(options.SVC_CSRF_FIELD) },
    async (_request, reply) => {
      await reply.signOut()
      return reply.redirect('/', 303)
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config,
    schema: { hide: true },
    handler: ({ viewer, csrfToken }, reply) =>
      reply.view('logout', { title: 'Sign out', user: viewer.user, csrfToken })
  })
}

export default logout
