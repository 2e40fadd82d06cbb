import type { FastifyPluginAsync } from 'fastify'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { tokenProblem } from './token.ts'

/** Two pages for the JSON operations at the same paths. A script in the page sends their forms. */
const passwordReset: FastifyPluginAsync = async (app) => {
  const pages = [
    {
      url: '/password-reset',
      view: 'routes/password-reset/password-reset',
      title: 'Forgotten password'
    },
    {
      url: '/password-reset/:token',
      view: 'routes/password-reset/new-password',
      title: 'New password'
    }
  ]
  for (const { url, view, title } of pages) {
    app.route({
      method: remainingMethods(app, url),
      url,
      config: { allow: ['anyone'], html: true, body: 'none' },
      async handler({ params }, reply) {
        const { token } = params as { token?: string }
        // Looked at only: a scanner of mail may open the link before its reader.
        const problem = token === undefined ? null : await tokenProblem(app, token)
        // Browsers must not tell other sites the path: it has the token.
        reply.header('referrer-policy', 'no-referrer')
        return reply.view(view, { title, user: undefined, isGone: problem !== null })
      }
    })
  }
}

export default passwordReset
