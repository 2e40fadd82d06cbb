import type { FastifyPluginAsync } from 'fastify'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { checkFormToken } from '../../plugins/patterns/pages/form-token.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'

const url = '/logout/index'

/** The page for signing out: GET asks for confirmation, POST signs out. */
const logout: FastifyPluginAsync<PageOptions> = async (app, options) => {
  const config = { html: true, userLimit: false } as const

  app.post(
    url,
    {
      config: { ...config, body: 'form' },
      preValidation: checkFormToken(options.SVC_CSRF_FIELD)
    },
    async (_request, reply) => {
      await reply.signOut()
      return reply.redirect('/', 303)
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config: { ...config, body: 'none' },
    handler: ({ viewer, csrfToken }, reply) =>
      reply.view('routes/session/logout', { title: 'Sign out', user: viewer.user, csrfToken })
  })
}

export default logout
