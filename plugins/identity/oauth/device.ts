import type { FastifyRequest } from 'fastify'
import type { Client, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { ClientInfo } from './clients.ts'
import { cookieNames, sessionSeconds } from './settings.ts'

/** What is wrong with the code of a device, for people. */
function problemOf(error: Error | undefined) {
  if (!error) return undefined
  if (error.name === 'InvalidRequest') return 'This form has expired. Enter the code again.'
  return error.name === 'ExpiredError'
    ? 'This code has expired. Begin again in the program.'
    : 'This code is wrong or was already used.'
}

interface Options {
  /** How the cookie of the form is set. */
  cookie: NonNullable<NonNullable<Configuration['cookies']>['long']>
  requestOf(ctx: KoaContextWithOIDC): FastifyRequest
  /** Shows a page in place of the library's. */
  show(
    ctx: KoaContextWithOIDC,
    view: string,
    data: { title: string } & Record<string, unknown>
  ): Promise<void>
  infoOf(client: Client): Promise<ClientInfo>
}

/** Programs without a browser (RFC 8628): a person types the code that they show. */
export const deviceFlow = ({ cookie, requestOf, show, infoOf }: Options) =>
  ({
    enabled: true,
    async userCodeInputSource(ctx, _form, _out, error) {
      if (error?.name === 'AbortedError') {
        return show(ctx, 'plugins/identity/oauth/device-done', { title: 'Done', isRefused: true })
      }
      const { session, cookies } = ctx.oidc
      // After a failure the library keeps the token of the new form only if there was a form before.
      if (session && error && session.exp === undefined) {
        await session.save(sessionSeconds)
        cookies.set(cookieNames.session, session.jti, cookie)
      }
      // What was typed stays, to be corrected.
      const asked = requestOf(ctx).query as { user_code?: string }
      const { user_code: code = '' }: { user_code?: unknown } = { ...asked, ...ctx.oidc.body }
      return show(ctx, 'plugins/identity/oauth/device', {
        title: 'Enter a code',
        code,
        problem: problemOf(error)
      })
    },
    userCodeConfirmSource: async (ctx, _form, client, device, code) =>
      show(ctx, 'plugins/identity/oauth/device-confirm', {
        title: 'Is this your program?',
        client: await infoOf(client),
        device,
        code
      }),
    successSource: (ctx) =>
      show(ctx, 'plugins/identity/oauth/device-done', { title: 'Done', isRefused: false })
  }) satisfies NonNullable<Configuration['features']>['deviceFlow']
