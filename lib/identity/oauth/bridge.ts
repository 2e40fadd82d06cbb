import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type InteractionResults, type KoaContextWithOIDC } from 'oidc-provider'
import { clientInfo } from './clients.ts'
import { createProvider, type ProviderOptions } from './provider.ts'

/** A page of ours that is shown in place of one of the library's. */
export interface OAuthPage {
  view: string
  data: object
}

type ServerOptions = Pick<ProviderOptions, 'issuer' | 'kept' | 'SVC_OAUTH_REGISTRATION'>

export type OAuthServer = ReturnType<typeof createServer>

/** Connects the library, which is a Koa application, with the requests and pages of the service. */
export function createServer(app: FastifyInstance, options: ServerOptions) {
  const { issuer } = options
  const requests = new WeakMap<IncomingMessage, FastifyRequest>()
  const pages = new WeakMap<IncomingMessage, OAuthPage>()

  const provider = createProvider(app, {
    ...options,
    requestOf({ req }) {
      const request = requests.get(req)
      if (!request) throw new Error('the library serves a request that is not ours')
      return request
    },
    show(ctx, view, data) {
      pages.set(ctx.req, { view, data })
      ctx.respond = false
      if (ctx.status === 404) ctx.status = 200
    }
  })
  const logError = (ctx: KoaContextWithOIDC, err: unknown) =>
    requests.get(ctx.req)?.log.error({ err }, 'the authorization server failed')
  provider.on('server_error', logError)
  const callback = provider.callback()

  const redirectOf = (params: Record<string, unknown>) =>
    typeof params.redirect_uri === 'string' ? params.redirect_uri : undefined

  return {
    /** Lets the library answer a request. Returns the page to show instead, if there is one. */
    async handle(request: FastifyRequest, reply: FastifyReply): Promise<OAuthPage | null> {
      const { raw } = request
      requests.set(raw, request)
      const { protocol, host } = new URL(issuer)
      // Never the Host of the request: links to other endpoints are made of it.
      raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
      raw.headers['x-forwarded-host'] = host
      raw.headers['x-forwarded-for'] = request.ip
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      await callback(raw, reply.raw)
      return pages.get(raw) ?? null
    },

    /** What a client asks of this browser's user; null if it has expired, or is another browser's. */
    async pending({ raw }: FastifyRequest, reply: FastifyReply, uid: string) {
      try {
        const found = await provider.interactionDetails(raw, reply.raw)
        if (found.uid !== uid) return null
        const { params, prompt, result, returnTo, deviceCode } = found
        const client_id = String(params.client_id)
        const client = await provider.Client.find(client_id)
        if (!client) return null
        const known = await app.repos.oauthClients.find({ client_id })
        const redirect = redirectOf(params)
        return {
          client: clientInfo(client, { redirect, isByHand: known?.expires_at === null }),
          redirect,
          scopes: String(params.scope).split(' '),
          isDevice: deviceCode !== undefined,
          wantsConsent: String(params.prompt ?? '').includes('consent'),
          /** Where the browser goes, if it has been answered. */
          answered: result ? returnTo : null,
          reasons: prompt.reasons
        }
      } catch (error) {
        if (error instanceof errors.SessionNotFound) return null
        throw error
      }
    },

    /** Notes the answer of the user. Returns where the browser goes. */
    finish: ({ raw }: FastifyRequest, reply: FastifyReply, result: InteractionResults) =>
      provider.interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: false }),

    /** Where the browser is sent after a pending request; undefined if there is none. */
    async redirectOf(uid: string) {
      const found = await provider.Interaction.find(uid)
      return found && redirectOf(found.params)
    }
  }
}
