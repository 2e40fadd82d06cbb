import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { Failure, setFailure } from '../../plugins/http/errors/index.ts'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import type { Limit } from '../../plugins/identity/rate-limit.ts'
import { refuseForeignPage } from '../../plugins/identity/sign-in/index.ts'
import {
  type Asked,
  after,
  allowingRequest,
  Query,
  queryOf
} from '../../plugins/patterns/pages/asked.ts'
import { drawField } from '../../plugins/patterns/pages/fields.ts'
import {
  type Form,
  form,
  problemOf,
  type Refusal,
  refusalOf
} from '../../plugins/patterns/pages/form.ts'
import { ownPage } from '../../plugins/patterns/pages/index.ts'
import { home, type PageOptions } from '../../plugins/patterns/pages/options.ts'
import { SignUp, SignUpEnd, SignUpKey, signUpHours } from '../../schemas/sign-up.ts'

const url = '/signup/index'
const sentUrl = '/signup/sent'
const endUrl = '/signup/confirm/token_:token'

const limit: Limit = { name: 'sign-up', counts: 'sign-ups', max: 20, seconds: 3600 }

const words = {
  user_id: 'Use 3 to 64 characters: the letters a to z, digits, dot, underscore and hyphen.',
  user_name: 'Enter a name of at most 255 characters, in one line.',
  e_mail: 'Enter one email address, such as anna@example.com.',
  'RATE-LIMIT-EXCEEDED': 'This address has got enough emails for now. Follow the link in one.',
  CONFLICT: 'Somebody else has this user ID. Choose another.'
}

/** A page with one form. */
interface FormPage {
  title: string
  view: string
  form: Form
}

/** The pages on which people make an account for themselves (contract SIGNUP-1). */
const signUp: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const page = { allow: ['session', 'anyone'], html: true } as const
  const shown = { ...page, body: 'none' } as const
  const sent = { ...page, body: 'form', bodyLimit: credentialsLimit } as const
  const onRequest = refuseForeignPage(options)

  const begin = {
    title: 'Create an account',
    view: 'routes/sign-up/begin',
    form: form(app, SignUp, {
      async run(fields, request) {
        const { next, ...asked } = request.query as Asked
        // Without its query: nothing that was typed is in the mail.
        await app.signUps.begin(fields, queryOf({ ...asked, next: ownPage(next)?.split('?')[0] }))
        return { to: sentUrl }
      },
      words,
      at: { 'RATE-LIMIT-EXCEEDED': 'e_mail' }
    })
  }

  app.post(
    url,
    { config: { ...sent, addressLimit: limit }, schema: { querystring: Query }, onRequest },
    (request, reply) => submit(request, reply, begin)
  )
  app.route({
    ...{ method: remainingMethods(app, url), url, config: shown, schema: { querystring: Query } },
    handler: (request, reply) =>
      request.identity
        ? reply.redirect(after(app, request.query as Asked))
        : draw(request, reply, begin)
  })

  app.route({
    ...{ method: remainingMethods(app, sentUrl), url: sentUrl, config: shown },
    handler: ({ identity }, reply) =>
      reply.view('routes/sign-up/sent', {
        ...{ title: 'Check your mailbox', user: identity?.user, hours: signUpHours }
      })
  })

  const tokenOf = ({ params }: FastifyRequest) => (params as Static<typeof SignUpKey>).token
  const end = {
    title: 'Choose a password',
    view: 'routes/sign-up/end',
    form: form(app, SignUpEnd, {
      async run({ user_id, user_pass }, request, reply) {
        const token = tokenOf(request)
        const { e_mail } = await app.signUps.find(token)
        const password_hash = await app.hashNewPassword(user_pass, { user_id, e_mail }, 'user_pass')
        const account = await app.signUps.end(request, token, { user_id, password_hash })
        await reply.signIn(account, 'password')
        return { to: after(app, request.query as Asked) }
      },
      words,
      at: { CONFLICT: 'user_id' }
    })
  }
  const schema = { params: SignUpKey, querystring: Query }
  const preHandler = allowingRequest(app)

  app.post(
    endUrl,
    { config: { ...sent, addressLimit: options.loginLimit }, schema, onRequest, preHandler },
    (request, reply) => submit(request, reply, end)
  )
  app.route({
    ...{ method: remainingMethods(app, endUrl), url: endUrl, config: shown, schema, preHandler },
    async handler(request, reply) {
      try {
        return draw(request, reply, { ...end, values: await app.signUps.find(tokenOf(request)) })
      } catch (error) {
        return refuse(request, reply, end, error)
      }
    }
  })

  async function submit(request: FastifyRequest, reply: FastifyReply, page: FormPage) {
    try {
      const outcome = await (await page.form.prepare(request, reply))()
      return reply.redirect(outcome && 'to' in outcome ? outcome.to : home, 303)
    } catch (error) {
      return refuse(request, reply, page, error)
    }
  }

  function refuse(request: FastifyRequest, reply: FastifyReply, page: FormPage, error: unknown) {
    if (!(error instanceof Failure)) throw error
    setFailure(reply, error)
    const isOwner = error.data?.taken === 'e_mail'
    if (error.code === 'NOT-FOUND' || isOwner) {
      return reply.view('routes/sign-up/gone', {
        ...{ title: 'This link is not valid', failure: error, isOwner, hours: signUpHours }
      })
    }
    const { properties, options } = page.form
    const refusal = refusalOf(error, properties, options, request.body)
    return draw(request, reply, { ...page, refusal, values: request.body })
  }

  function draw(
    { query }: FastifyRequest,
    reply: FastifyReply,
    { title, view, form, refusal, values }: FormPage & { refusal?: Refusal; values?: unknown }
  ) {
    return reply.view('plugins/patterns/pages/page', {
      ...{ title, view, refusal, query: queryOf(query as Asked) },
      field: (name: string, more: { label: string }) =>
        drawField({
          ...{ name, id: name, property: form.properties[name] ?? Type.Unknown() },
          isRequired: form.required.includes(name),
          value: Object(values)[name] ?? '',
          problem: problemOf(refusal, name),
          ...more
        })
    })
  }
}

export default signUp
