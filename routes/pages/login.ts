import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Failure } from '../../plugins/errors.ts'
import { remainingMethods } from '../../plugins/html.ts'
import { refuseForeignPage } from '../../plugins/session.ts'
import { ref } from '../../schemas/common.ts'
import { catalog } from '../../schemas/errors.ts'
import { Credentials } from '../../schemas/user.ts'
import type { PageOptions } from './index.ts'

const url = '/login/index'

/** The login form. It needs no CSRF token: there is no session yet (contract: CSRF 5). */
const login: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const config = { allow: ['session', 'anyone'], html: true, body: 'form' } as const

  app.post(
    url,
    {
      config: { ...config, addressLimit: options.loginLimit },
      onRequest: refuseForeignPage(options.ownOrigins),
      schema: { hide: true, body: ref(Credentials) }
    },
    async (request, reply) => {
      const { user_id } = request.body
      try {
        const account = await app.verifyCredentials(request, request.body)
        await reply.signIn(account)
        return reply.redirect('/board/index', 303)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        reply.failureCode = error.code
        reply.code(catalog[error.code].status)
        return form(reply, { problem: error.message, user_id })
      }
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config,
    schema: { hide: true },
    handler: (request, reply) =>
      request.identity ? reply.redirect('/board/index') : form(reply, { problem: '', user_id: '' })
  })

  const form = (reply: FastifyReply, state: { problem: string; user_id: string }) =>
    reply.view('login', { title: 'Sign in', ...state })
}

export default login
