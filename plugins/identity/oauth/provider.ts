import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Client,
  errors,
  type InteractionResults,
  type KoaContextWithOIDC,
  Provider
} from 'oidc-provider'
import type { Repositories } from '../../../db/repositories/index.ts'
import { scopes } from '../../../schemas/access-token.ts'
import type { Config } from '../../../schemas/config.ts'
import { hashSecret, sameSecret } from '../../runtime/secrets.ts'
import { tokenOf } from '../access-token.ts'
import { type AdapterOptions, adapterFor } from './adapter.ts'
import { clientInfo, isByHand, isFetchable } from './clients.ts'
import { deviceFlow } from './device.ts'
import { problem } from './problem.ts'
import { cookieNames, settings } from './settings.ts'
import { stateHash } from './states.ts'

export type OAuthServer = ReturnType<typeof createServer>

type ServerOptions = Pick<AdapterOptions, 'issuer' | 'kept'> &
  Pick<Config, 'SVC_OAUTH_REGISTRATION'>

interface Call {
  reply: FastifyReply
  /** What was fetched for it. */
  fetched: Record<string, Promise<Response>>
  /** What the library could not answer. */
  failure?: Error
}

/** The library's context. Outside its own routes it is Koa's. */
type Context = Pick<KoaContextWithOIDC, 'req' | 'status' | 'body' | 'respond'> &
  Partial<Pick<KoaContextWithOIDC, 'oidc'>>

/**
 * The library, set up for OAuth 2.1 and nothing of OpenID Connect but the name of its document. It is a Koa
 * application, which answers requests of the service.
 */
export function createServer(app: FastifyInstance, { issuer, kept, ...options }: ServerOptions) {
  // Clients that parse the address send it with the slash that `new URL` adds.
  const resources = [issuer, `${issuer}/mcp`].flatMap((name) => [name, `${name}/`])
  const { protocol, host } = new URL(issuer)
  // The library wants a key for ID tokens, which are not issued.
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cookie = { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:' } as const
  // Only the form of the device page has a state.
  const formCookie = { ...cookie, path: '/oauth/device' }

  const calls = new WeakMap<IncomingMessage, Call>()
  function callOf(ctx: Context | undefined) {
    const call = ctx && calls.get(ctx.req)
    if (!call) throw new Error('the library serves a request that is not ours')
    return call
  }
  /** Leaves a failure of ours to the service, which knows what to answer. */
  function leave(ctx: Context, failure: Error) {
    callOf(ctx).failure = failure
    ctx.respond = false
  }
  /** Shows a page in place of the library's. */
  async function show(
    ctx: Context,
    view: string,
    data: { title: string } & Record<string, unknown>
  ) {
    if (ctx.status === 404) ctx.status = 200
    const xsrf = ctx.oidc?.session?.state?.secret
    const { reply } = callOf(ctx)
    const user = reply.request.identity?.user
    ctx.body = await reply.viewAsync(view, { user, xsrf, ...data })
  }

  const showProblem = (
    ctx: Context,
    name: string,
    failure: { error: string; description: string | undefined }
  ) => show(ctx, 'plugins/identity/oauth/problem', problem(name, failure))

  async function infoOf(client: Client, redirect: string | undefined) {
    const known = await app.repos.oauthClients.find({ client_id: client.clientId })
    return clientInfo(client, { redirect, isByHand: known?.expires_at === null })
  }

  const common = settings(resources)
  const provider = new Provider(issuer, {
    ...common,
    adapter: adapterFor(app, {
      ...{ issuer, resources, kept },
      here: () => callOf(Provider.ctx).reply.request
    }),
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    cookies: {
      names: cookieNames,
      long: formCookie,
      short: cookie
    },
    async findAccount(_ctx, accountId) {
      const user = await app.repos.users.findById({ id: Number(accountId) })
      if (!user || user.locked_at !== null) return undefined
      return { accountId, claims: async () => ({ sub: accountId }) }
    },
    fetch(url, { headers } = {}) {
      const address = String(url)
      const { fetched } = Provider.ctx ? callOf(Provider.ctx) : { fetched: {} as Call['fetched'] }
      // What has failed, the library asks for again within the same request.
      fetched[address] ??= app.fetchClient(address, Object.fromEntries(new Headers(headers)))
      return fetched[address]
    },
    renderError: (ctx, { error, error_description: description }, { name }) =>
      showProblem(ctx, name, { error, description }),
    features: {
      ...common.features,
      registration: {
        enabled: options.SVC_OAUTH_REGISTRATION,
        issueRegistrationAccessToken: false
      },
      clientIdMetadataDocument: {
        enabled: options.SVC_OAUTH_REGISTRATION,
        ack: 'draft-02',
        allowFetch: async (_ctx, client_id) => isFetchable(client_id)
      },
      deviceFlow: deviceFlow({
        cookie: formCookie,
        requestOf: (ctx) => callOf(ctx).reply.request,
        show,
        infoOf: (client) => infoOf(client, undefined)
      }),
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf?.[0] ?? issuer,
        async getResourceServerInfo(_ctx, resource) {
          if (!resources.includes(resource)) throw new errors.InvalidTarget()
          return { scope: scopes.join(' '), audience: issuer, accessTokenFormat: 'opaque' }
        }
      }
    }
  })
  // Our own headers say by which address we are called (`handle`).
  provider.proxy = true
  // Secrets are kept as hashes: the library offers this method for that.
  provider.Client.prototype.compareClientSecret = function compareHash(given: string) {
    return sameSecret(hashSecret(given), this.clientSecret ?? '')
  }
  Object.assign(provider, {
    onerror: (err: unknown) => app.log.error({ err }, 'the authorization server failed')
  })
  provider.on('server_error', leave)
  // Anybody can register a client, and make a link that fails: until a person has decided, it leads nowhere else.
  provider.on('authorization.error', (ctx, error) => {
    const { client, entities } = ctx.oidc
    const { consent, error: refusal } = entities.Interaction?.result ?? {}
    const hasDecided = consent !== undefined || refusal === 'access_denied'
    if (hasDecided || !client || isByHand(client.metadata())) return
    error.allow_redirect = false
    // With `prompt=none` it would be that of a redirect.
    ctx.status = 400
  })
  provider.use(async (ctx, next) => {
    const { response_mode: mode = 'query' } = ctx.query
    if (mode !== 'query') {
      // The library would answer with a page that sends itself by a script.
      ctx.status = 400
      const description = 'The only response_mode is query.'
      return showProblem(ctx, 'InvalidRequest', { error: 'unsupported_response_mode', description })
    }
    try {
      await next()
    } catch (error) {
      return leave(ctx, error as Error)
    }
    if (ctx.body?.access_token) {
      const grant_id = String(ctx.oidc.entities.AccessToken?.grantId)
      const { asks = false } = (await app.repos.oauthGrants.find({ grant_id })) ?? {}
      Object.assign(ctx.body, { access_token: tokenOf(ctx.body.access_token), asks })
    }
    if (ctx.path.startsWith('/.well-known/')) {
      Object.assign(ctx.body, { scopes_supported: scopes, response_modes_supported: ['query'] })
    }
  })
  const callback = provider.callback()

  const redirectOf = ({ redirect_uri: uri }: Record<string, unknown>) =>
    typeof uri === 'string' ? uri : undefined

  return {
    /** Lets the library answer a request. Throws a failure that is not the caller's. */
    async handle(request: FastifyRequest, reply: FastifyReply) {
      const { raw } = request
      const call: Call = { reply, fetched: {} }
      calls.set(raw, call)
      // Never the Host of the request: links to other endpoints are made of it.
      raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
      raw.headers['x-forwarded-host'] = host
      raw.headers['x-forwarded-for'] = request.ip
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      await callback(raw, reply.raw)
      if (call.failure) throw call.failure
      return reply.hijack()
    },

    /** What a client asks of this browser's user; null if it has expired, or is another browser's. */
    async pending({ raw }: FastifyRequest, reply: FastifyReply, uid: string) {
      const found = await provider.interactionDetails(raw, reply.raw).catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) return null
        throw error
      })
      const client_id = String(found?.params.client_id)
      const client = found?.uid === uid ? await provider.Client.find(client_id) : undefined
      if (!found || !client) return null
      const { params, result, returnTo } = found
      const redirect = redirectOf(params)
      return {
        client: await infoOf(client, redirect),
        redirect,
        scopes: String(params.scope).split(' '),
        wantsConsent: String(params.prompt ?? '').includes('consent'),
        /** Where the browser goes when it has been answered. */
        returnTo,
        isAnswered: result !== undefined,
        /** False if it was answered before. Call it within the transaction that makes what it gives. */
        claim: ({ oauthStates }: Repositories) =>
          oauthStates.consume({ id_hash: stateHash('Interaction', uid), now: app.now() }),
        /** Notes the answer of the user. Returns where the browser goes. */
        answer: (result: InteractionResults) =>
          provider.interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: false })
      }
    },

    /** The name of the program that has made a pending request; undefined if there is none. */
    async nameOf(uid: string) {
      const found = await provider.Interaction.find(uid)
      const client = found && (await provider.Client.find(String(found.params.client_id)))
      return client && (await infoOf(client, undefined)).name
    },

    /** Where the browser is sent after a pending request; undefined if there is none. */
    async redirectOf(uid: string) {
      const found = await provider.Interaction.find(uid)
      return found && redirectOf(found.params)
    }
  }
}
