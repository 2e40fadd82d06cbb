import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import type { Failure } from '../../plugins/http/errors/index.ts'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import type { Account } from '../../plugins/identity/passwords/index.ts'
import { callbackUrl } from '../../plugins/identity/providers/index.ts'
import { ProviderProblem } from '../../plugins/identity/providers/problem.ts'
import { refuseForeignPage } from '../../plugins/identity/sign-in/index.ts'
import type { pendingSignIns } from '../../plugins/identity/sign-in/pending.ts'
import {
  type Asked,
  after,
  allowingRequest,
  Query,
  queryOf
} from '../../plugins/patterns/pages/asked.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { Credentials } from '../../schemas/user.ts'
import { failureOf, problemOf } from './failure.ts'

const confirmUrl = '/login/confirm'

/** A cookie must hold it. */
const maxQuery = 1024

type Options = PageOptions & { pending: ReturnType<typeof pendingSignIns> }

/** Signing in at a provider (contract PROVIDER-1). Registered by the login page, if one is configured. */
const provider: FastifyPluginAsyncTypebox<Options> = async (app, { pending, ...options }) => {
  const { providers } = app
  const config = { allow: ['session', 'anyone'], html: true } as const
  const allowRequest = allowingRequest(app)

  app.get(
    '/login/with_:id',
    {
      config: { ...config, body: 'none' },
      schema: { params: Type.Object({ id: Type.String() }), querystring: Query }
    },
    async (request, reply) => {
      if (request.identity) return reply.redirect(after(app, request.query))
      const query = queryOf(request.query)
      try {
        const { href } = await providers.begin(request, reply, request.params.id, {
          query: query.length > maxQuery ? '' : query
        })
        return reply.redirect(href)
      } catch (error) {
        return problemPage(request, reply, error)
      }
    }
  )

  app.get(
    callbackUrl,
    { config: { ...config, body: 'none', addressLimit: options.loginLimit } },
    async (request, reply) => {
      try {
        return await goOn(request, reply)
      } catch (error) {
        // Signed in meanwhile, in another tab, or the answer was sent twice.
        const isLate = error instanceof ProviderProblem && error.problem === 'not begun'
        if (isLate && request.identity) return reply.redirect(after(app, {}))
        return problemPage(request, reply, error)
      }
    }
  )

  async function goOn(request: FastifyRequest, reply: FastifyReply) {
    const { identity, provider, query, session, verified } = await providers.answer(request, reply)
    if (session !== null) {
      await providers.linkOwn(request, identity, session)
      return reply.redirect('/account/signin?done=linkprovider')
    }
    const known = await providers.accountOf(request, identity)
    if (known) return enter(request, reply, known, query)
    const { e_mail, name } = await verified()
    const user = await app.repos.users.findByMail(e_mail)
    if (user) {
      const { user_id } = user
      providers.wait(reply, { identity, provider: provider.id, user_id, e_mail })
      return reply.redirect(confirmUrl + query)
    }
    if (!app.signUps.isOpen) throw new ProviderProblem('no account', provider.name)
    return enter(request, reply, await providers.addUser(request, identity, e_mail, name), query)
  }

  /** What the provider has checked takes the place of the password; the second factor is ours. */
  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    query: string
  ) {
    if (await app.secondFactor.isOn(account)) {
      await pending.begin(request, reply, account, 'provider')
      return reply.redirect(`/login/code${query}`, 303)
    }
    await app.checkLock(request, account)
    return signIn(reply, account, Object.fromEntries(new URLSearchParams(query)))
  }

  async function signIn(reply: FastifyReply, account: Account, asked: Asked) {
    await reply.signIn(account, 'provider')
    return reply.redirect(after(app, asked), 303)
  }

  app.post(
    confirmUrl,
    {
      config: {
        ...config,
        body: 'form',
        addressLimit: options.loginLimit,
        bodyLimit: credentialsLimit
      },
      onRequest: refuseForeignPage(options),
      preHandler: allowRequest,
      schema: {
        querystring: Query,
        body: Type.Pick(Credentials, ['user_pass'], { $id: 'PasswordOnly' })
      }
    },
    async (request, reply) => {
      const waiting = providers.waiting(request)
      try {
        if (!waiting) throw new ProviderProblem('not begun')
        const { user_id, identity } = waiting
        const { user_pass } = request.body
        const account = await app.verifyPassword(request, { user_id, user_pass })
        if (await app.secondFactor.isOn(account)) {
          await pending.begin(request, reply, account, 'provider', identity)
          providers.forget(reply)
          return reply.redirect(`/login/code${queryOf(request.query)}`, 303)
        }
        await providers.link(request, account, identity)
        providers.forget(reply)
        return await signIn(reply, account, request.query)
      } catch (error) {
        if (!waiting || error instanceof ProviderProblem) return problemPage(request, reply, error)
        const failure = failureOf(error, reply)
        const isWrong = failure.code === 'LOGIN-FAILED'
        return confirmPage(request, reply, waiting, {
          failure,
          problem: isWrong
            ? 'This is not the password of that account.'
            : problemOf(options, failure)
        })
      }
    }
  )

  app.route({
    method: remainingMethods(app, confirmUrl),
    url: confirmUrl,
    config: { ...config, body: 'none' },
    schema: { querystring: Query },
    preHandler: allowRequest,
    async handler(request, reply) {
      const waiting = providers.waiting(request)
      return waiting
        ? confirmPage(request, reply, waiting)
        : problemPage(request, reply, new ProviderProblem('not begun'))
    }
  })

  const confirmPage = (
    { query }: FastifyRequest,
    reply: FastifyReply,
    { provider, e_mail }: NonNullable<ReturnType<typeof providers.waiting>>,
    refused?: { failure: Failure; problem: string }
  ) =>
    reply.view('routes/session/provider-confirm', {
      title: 'Is this your account?',
      provider: providers.all.find(({ id }) => id === provider)?.name ?? provider,
      e_mail,
      query: queryOf(query as Asked),
      refused
    })

  function problemPage(request: FastifyRequest, reply: FastifyReply, error: unknown) {
    const failure = failureOf(error, reply)
    return reply.view('routes/session/provider-problem', {
      title: 'This did not work',
      user: request.identity?.user,
      failure,
      problem: problemOf(options, failure),
      login: `${app.baseUrl}/login/index`
    })
  }
}

export default provider
