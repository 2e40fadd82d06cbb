import type { FastifyPluginAsync } from 'fastify'
import { remainingMethods } from '../../plugins/html.ts'

/** The two pages around the JSON operations of the same paths; a script sends their forms. */
const passwordReset: FastifyPluginAsync = async (app) => {
  const pages = [
    { url: '/password-reset', view: 'password-reset', title: 'Forgotten password' },
    { url: '/password-reset/:token', view: 'new-password', title: 'New password' }
  ]
  for (const { url, view, title } of pages) {
    app.route({
      method: remainingMethods(app, url),
      url,
      config: { allow: ['anyone'], html: true, body: 'form' },
      schema: { hide: true },
      // The token in the path goes to nobody else.
      handler: (_request, reply) =>
        reply.header('referrer-policy', 'no-referrer').view(view, { title, user: undefined })
    })
  }
}

export default passwordReset
