import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { findGrant, makeGrant } from '../../plugins/identity/oauth/grants.ts'
import { problem } from '../../plugins/identity/oauth/problem.ts'
import type { OAuthServer } from '../../plugins/identity/oauth/provider.ts'
import { allowForm } from '../../plugins/patterns/pages/form-action.ts'
import { checkFormToken } from '../../plugins/patterns/pages/form-token.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { checkAsks } from '../../plugins/patterns/plans/asking.ts'
import { isAdminScope, Scope, type Scope as ScopeName, scopes } from '../../schemas/access-token.ts'
import { oneOf, ref } from '../../schemas/common.ts'
import { grantDays, scopeWords } from '../../schemas/grant.ts'

type Pending = NonNullable<Awaited<ReturnType<OAuthServer['pending']>>>

const Key = Type.Object({ uid: Type.String() })

const Form = Type.Object(
  {
    action: oneOf(['allow', 'refuse']),
    scopes: Type.Optional(Type.Array(ref(Scope))),
    asks: Type.Optional(Type.Boolean())
  },
  { 'x-form': true }
)

/** The page on which a person lets a program in, or does not. */
const consent: FastifyPluginAsyncTypebox<
  PageOptions & { oauth: () => Promise<OAuthServer> }
> = async (app, options) => {
  const { oauth } = options
  const url = '/oauth/consent/:uid'
  const config = { allow: ['session', 'anyone'], html: true } as const

  /** What this user can give of what is asked for. */
  const offered = ({ viewer }: FastifyRequest, pending: Pending): ScopeName[] =>
    scopes.filter(
      (scope) =>
        pending.scopes.includes(scope) && (viewer.user.role === 'admin' || !isAdminScope(scope))
    )

  app.get(url, { config, schema: { params: Key } }, async (request, reply) => {
    const { uid } = request.params
    const pending = await (await oauth()).pending(request, reply, uid)
    if (!pending) return expired(request, reply)
    if (pending.isAnswered) return reply.redirect(pending.returnTo, 303)
    if (!request.identity) return reply.redirect(`/login/index?request=${uid}`, 303)

    const list = offered(request, pending)
    if (list.length === 0) {
      const error_description = 'the account has none of these scopes to give'
      return reply.redirect(
        await pending.answer({ error: 'invalid_scope', error_description }),
        303
      )
    }
    const isRemembered = !pending.wantsConsent && !pending.client.isAlwaysAsked
    const grantId = isRemembered && (await findGrant(request, pending.client, list))
    if (grantId) return reply.redirect(await allow(request, pending, grantId), 303)

    allowForm(reply, pending.redirect)
    return reply.view('routes/oauth/consent', {
      title: 'Let a program in',
      user: request.viewer.user,
      csrfToken: request.csrfToken,
      uid,
      client: pending.client,
      scopes: list.map((scope) => ({
        scope,
        words: scopeWords(scope),
        isTicked: !isAdminScope(scope)
      })),
      canAsk: app.activity.isOn,
      days: grantDays
    })
  })

  app.post(
    url,
    {
      config: { ...config, allow: ['session'], body: 'form', bodyLimit: credentialsLimit },
      schema: { params: Key, body: Form },
      preValidation: checkFormToken(options.SVC_CSRF_FIELD)
    },
    async (request, reply) => {
      const pending = await (await oauth()).pending(request, reply, request.params.uid)
      if (!pending) return expired(request, reply)
      if (pending.isAnswered) return reply.redirect(pending.returnTo, 303)
      allowForm(reply, pending.redirect)
      const { action, scopes: ticked = [], asks = false } = request.body
      const given = offered(request, pending).filter((scope) => ticked.includes(scope))
      if (action === 'allow' && given.length > 0) {
        checkAsks(request, asks)
        const grantId = await makeGrant(request, pending.client, { given, asks }, pending.claim)
        const to = grantId ? await allow(request, pending, grantId) : pending.returnTo
        return reply.redirect(to, 303)
      }
      if (await request.transaction(pending.claim)) {
        await pending.answer({
          error: 'access_denied',
          error_description: 'the user has refused'
        })
      }
      return reply.redirect(pending.returnTo, 303)
    }
  )

  const allow = (request: FastifyRequest, pending: Pending, grantId: string) =>
    pending.answer({
      login: { accountId: String(request.viewer.user.id), remember: false },
      consent: { grantId }
    })

  const expired = ({ identity }: FastifyRequest, reply: FastifyReply) =>
    reply.code(400).view('plugins/identity/oauth/problem', {
      ...problem('SessionNotFound', { error: 'expired' }),
      user: identity?.user
    })
}

export default consent
