import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { Failure, fail, setFailure } from '../../plugins/http/errors.ts'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { remainingMethods } from '../../plugins/http/methods.ts'
import type { Account } from '../../plugins/identity/passwords.ts'
import { pendingSignIns } from '../../plugins/identity/pending-sign-in.ts'
import { refuseForeignPage } from '../../plugins/identity/sign-in.ts'
import { ref } from '../../schemas/common.ts'
import { AnyCode } from '../../schemas/second-factor.ts'
import { Credentials } from '../../schemas/user.ts'
import { hasFormToken } from './form-token.ts'
import type { PageOptions } from './options.ts'

const url = '/login/index'
const codeUrl = '/login/code'
const home = '/board/index'

/** The login form. It needs no CSRF token: there is no session yet (contract CSRF-3). */
const login: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const config = { allow: ['session', 'anyone'], html: true } as const
  const form = {
    config: {
      ...config,
      body: 'form',
      addressLimit: options.loginLimit,
      bodyLimit: credentialsLimit
    },
    onRequest: refuseForeignPage(options)
  } as const
  const pending = pendingSignIns(app, options)

  app.post(
    url,
    { ...form, schema: { hide: true, body: ref(Credentials) } },
    async (request, reply) => {
      const { user_id, user_pass, code } = request.body
      try {
        const account = await app.verifyPassword(request, { user_id, user_pass })
        if (await app.secondFactor.isOn(account)) {
          if (!code) {
            await pending.begin(request, reply, account)
            return reply.redirect(codeUrl, 303)
          }
          await app.verifyCode(request, account, code)
        }
        return await enter(reply, account)
      } catch (error) {
        return passwordForm(reply, failureOf(error, reply), user_id)
      }
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config: { ...config, body: 'none' },
    schema: { hide: true },
    handler: (request, reply) =>
      request.identity ? reply.redirect(home) : passwordForm(reply, null, '')
  })

  app.post(
    codeUrl,
    {
      ...form,
      schema: { hide: true, body: Type.Object({ code: AnyCode }) },
      async preValidation(request) {
        const found = await pending.find(request)
        if (!found || hasFormToken(request, options.SVC_CSRF_FIELD, found.form_token)) return
        fail('CSRF-TOKEN-INVALID')
      }
    },
    async (request, reply) => {
      const found = await pending.find(request)
      try {
        // The pending sign-in has expired (five minutes), or a sign-in in another browser has replaced it.
        const { account } = found ?? fail('SESSION-CLOSED')
        await app.verifyCode(request, account, request.body.code)
        if (!(await pending.end(request, reply))) fail('SESSION-CLOSED')
        return await enter(reply, account)
      } catch (error) {
        const failure = failureOf(error, reply)
        return failure.code === 'LOGIN-FAILED' && found
          ? codeForm(reply, found.form_token, failure)
          : passwordForm(reply, failure, '')
      }
    }
  )

  app.route({
    method: remainingMethods(app, codeUrl),
    url: codeUrl,
    config: { ...config, body: 'none' },
    schema: { hide: true },
    async handler(request, reply) {
      const found = await pending.find(request)
      return found ? codeForm(reply, found.form_token, null) : reply.redirect(url)
    }
  })

  async function enter(reply: FastifyReply, account: Account) {
    await reply.signIn(account)
    return reply.redirect(home, 303)
  }

  const passwordForm = (reply: FastifyReply, failure: Failure | null, user_id: string) =>
    reply.view('login', { title: 'Sign in', failure, user_id })

  const codeForm = (reply: FastifyReply, csrfToken: string, failure: Failure | null) =>
    reply.view('login-code', { title: 'Second factor', failure, csrfToken })
}

/** Returns the failure to show with the form. Throws any other error. */
function failureOf(error: unknown, reply: FastifyReply) {
  if (!(error instanceof Failure)) throw error
  setFailure(reply, error)
  return error
}

export default login
