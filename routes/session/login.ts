import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { Failure, fail } from '../../plugins/http/errors/index.ts'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import type { Account } from '../../plugins/identity/passwords/index.ts'
import { sessionCookie } from '../../plugins/identity/session.ts'
import { refuseForeignPage } from '../../plugins/identity/sign-in/index.ts'
import { type PendingSignIn, pendingSignIns } from '../../plugins/identity/sign-in/pending.ts'
import {
  type Asked,
  after,
  allowingRequest,
  Query,
  queryOf
} from '../../plugins/patterns/pages/asked.ts'
import { hasFormToken } from '../../plugins/patterns/pages/form-token.ts'
import { ownPage } from '../../plugins/patterns/pages/index.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { ref } from '../../schemas/common.ts'
import { AnyCode } from '../../schemas/second-factor.ts'
import { Credentials, type SignInWay } from '../../schemas/user.ts'
import { failureOf, lockedProblem, problemOf } from './failure.ts'
import provider from './provider.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sign-in that a form of codes belongs to: in another tab, another one may wait. */
    begunSignIn: PendingSignIn | null
  }
}

const url = '/login/index'
const codeUrl = '/login/code'

/** The login form. It needs no CSRF token: there is no session yet (contract CSRF-3). */
const login: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const config = { allow: ['session', 'anyone'], html: true } as const
  const { oauth } = app
  const allowRequest = allowingRequest(app)
  const form = {
    config: {
      ...config,
      body: 'form',
      addressLimit: options.loginLimit,
      bodyLimit: credentialsLimit
    },
    onRequest: refuseForeignPage(options),
    preHandler: allowRequest
  } as const
  const pending = pendingSignIns(app, options)
  app.decorateRequest('begunSignIn', null)

  if (app.providers.all.length > 0) await app.register(provider, { ...options, pending })

  app.post(
    url,
    { ...form, schema: { querystring: Query, body: ref(Credentials) } },
    async (request, reply) => {
      const { user_id, user_pass, code } = request.body
      try {
        const account = await app.verifyPassword(request, { user_id, user_pass })
        if (await app.secondFactor.isOn(account)) {
          if (!code) {
            await pending.begin(request, reply, account, 'password')
            return reply.redirect(codeUrl + queryOf(request.query), 303)
          }
          try {
            await app.verifyCode(request, account, code)
          } catch (error) {
            if (!isWrongCode(error)) throw error
            const form_token = await pending.begin(request, reply, account, 'password')
            return codeForm(request, reply, form_token, failureOf(error, reply))
          }
        }
        return await enter(request, reply, account)
      } catch (error) {
        return passwordForm(request, reply, failureOf(error, reply), user_id)
      }
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config: { ...config, body: 'none' },
    schema: { querystring: Query },
    preHandler: allowRequest,
    handler: (request, reply) =>
      request.identity
        ? reply.redirect(after(app, request.query))
        : passwordForm(request, reply, null, '')
  })

  app.post(
    codeUrl,
    {
      ...form,
      schema: { querystring: Query, body: Type.Object({ code: AnyCode }) },
      preValidation: async function verifyCodeForm(request) {
        const begun = await pending.all(request)
        request.begunSignIn =
          begun.find((one) => hasFormToken(request, options.SVC_CSRF_FIELD, one.form_token)) ?? null
        if (begun.length > 0 && !request.identity && !request.begunSignIn) {
          fail('CSRF-TOKEN-INVALID')
        }
      }
    },
    async (request, reply) => {
      const found = request.begunSignIn
      // Signed in meanwhile, in another tab.
      if (!found && request.identity) return reply.redirect(after(app, request.query), 303)
      try {
        // The pending sign-in has expired (five minutes), or newer ones have replaced it.
        const begun = found ?? fail('SESSION-CLOSED')
        const { account, via, link } = begun
        await app.verifyCode(request, account, request.body.code)
        if (!(await pending.end(request, reply, begun))) fail('SESSION-CLOSED')
        if (link) await app.providers.link(request, account, link)
        return await enter(request, reply, account, via)
      } catch (error) {
        const failure = failureOf(error, reply)
        return found && isWrongCode(failure)
          ? codeForm(request, reply, found.form_token, failure)
          : passwordForm(request, reply, failure, '')
      }
    }
  )

  app.route({
    method: remainingMethods(app, codeUrl),
    url: codeUrl,
    config: { ...config, body: 'none' },
    schema: { querystring: Query },
    preHandler: allowRequest,
    async handler(request, reply) {
      const found = (await pending.all(request)).at(-1)
      return found
        ? codeForm(request, reply, found.form_token, null)
        : reply.redirect(url + queryOf(request.query))
    }
  })

  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    via: SignInWay = 'password'
  ) {
    await reply.signIn(account, via)
    return reply.redirect(after(app, request.query as Asked), 303)
  }

  /** What the visitor signs in for: a program that asks, or a page. */
  async function purposeOf({ request: uid, next }: Asked) {
    const program = oauth && uid !== undefined && (await (await oauth()).nameOf(uid))
    if (program) return { program }
    const path = ownPage(next)?.split('?')[0]
    return { page: app.frame.links.find(({ url }) => url === path)?.text }
  }

  const passwordForm = async (
    request: FastifyRequest,
    reply: FastifyReply,
    failure: Failure | null,
    user_id: string
  ) => {
    const { query } = request
    return reply.view('routes/session/login', {
      title: 'Sign in',
      path: url,
      ...(await purposeOf(query as Asked)),
      failure,
      problem: failure && problemOf(options, failure),
      user_id,
      hasEnded: request.cookies[sessionCookie] !== undefined,
      query: queryOf(query as Asked),
      canSignUp: app.signUps.isOpen,
      providers: app.providers.all,
      passkeys: (await app.passkeys.isUsed()) && {
        origin: app.passkeys.origin(),
        next: after(app, query as Asked),
        locked: lockedProblem(options)
      }
    })
  }

  const codeForm = (
    { query }: FastifyRequest,
    reply: FastifyReply,
    csrfToken: string,
    failure: Failure | null
  ) =>
    reply.view('routes/session/login-code', {
      title: 'Second factor',
      failure,
      csrfToken,
      query: queryOf(query as Asked)
    })
}

/** Another code may be right: the password was. */
const isWrongCode = (error: unknown) => error instanceof Failure && error.field === 'code'

export default login
