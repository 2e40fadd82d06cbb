import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { Failure, setFailure } from '../../plugins/http/errors/index.ts'
import { refuseForeignPage } from '../../plugins/identity/sign-in/index.ts'
import { Query, queryOf } from '../../plugins/patterns/pages/asked.ts'
import { unsentUrl as url } from '../../plugins/patterns/pages/index.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'

/** The most that a form of a page has. */
const bodyLimit = 256 * 1024

/** More than any form has. */
const maxFields = 50

/** Secrets, and what no person types. */
const hidden = /pass|code|credential|^(action|form_id|sure|user_id)$/

/**
 * What a form had that was sent after its session had ended: without the script of pages, the browser has it no more. It is
 * shown, to be sent again by hand: another page could have sent it.
 */
const unsent: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const config = { allow: ['session', 'anyone'], html: true } as const
  const schema = { querystring: Query }

  app.post(
    url,
    {
      config: { ...config, body: 'form', bodyLimit },
      schema,
      onRequest: refuseForeignPage(options)
    },
    async (request, reply) => {
      const typed = Object.entries(Object(request.body) as Record<string, unknown>)
        .filter(([name]) => name !== options.SVC_CSRF_FIELD && !hidden.test(name))
        .map(([name, value]) => ({ name, value: [value].flat().join('\n') }))
        // Keys of rows are numbers.
        .filter(({ value }) => !/^[\d\s-]*$/.test(value))
        .slice(0, maxFields)
      const query = queryOf(request.query)
      if (typed.length === 0) return reply.redirect(`/login/index${query}`, 303)
      const failure = new Failure('SESSION-CLOSED')
      setFailure(reply, failure)
      return reply.view('routes/session/unsent', { title: 'Signed out', failure, typed, query })
    }
  )

  app.route({
    ...{ method: remainingMethods(app, url), url, schema },
    config: { ...config, body: 'none' },
    handler: (request, reply) => reply.redirect(`/login/index${queryOf(request.query)}`)
  })
}

export default unsent
