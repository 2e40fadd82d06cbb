import { createHmac } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Config } from '../schemas/config.ts'
import { sameSecret } from './auth.ts'
import { fail } from './errors.ts'
import { secretOf } from './secrets.ts'

export interface SignedUrl {
  /** Absolute, on `SVC_BASE_URL`. */
  url: string
  /** When it ends: seconds since the epoch, as in the link. */
  expires: number
}

declare module 'fastify' {
  interface FastifyInstance {
    signedUrl: {
      /**
       * A link that lets whoever has it in, for `SVC_URL_TTL_SECONDS`. `path` in the published shape,
       * such as `/attachment/download/id_5`; `query` holds further parameters, which are signed too.
       */
      sign(path: string, query?: Record<string, string>): SignedUrl
      /**
       * An `onRequest` hook: ends with SIGNED-URL-INVALID or SIGNED-URL-EXPIRED unless the request's
       * URL is one that `sign` made. Who is calling does not matter.
       */
      verify(request: FastifyRequest): Promise<void>
    }
  }
}

type Options = Pick<
  Config,
  'SVC_ENV' | 'SVC_DATA_DIR' | 'SVC_BASE_URL' | 'SVC_URL_SECRET' | 'SVC_URL_TTL_SECONDS'
>

/**
 * Signed links: HMAC-SHA256 over the path and the sorted query without `signature`, all of it as it
 * is written. Whatever is added, left out, repeated or encoded another way is another text, which
 * nobody signed; only the order of the parameters is free (docs/patterns/signed-url.md).
 */
export default fp<Options>(
  async (app, options) => {
    const secret = secretOf(options, 'SVC_URL_SECRET')

    const hmac = (path: string, parameters: string[]) =>
      createHmac('sha256', secret).update(`${path}?${parameters.toSorted().join('&')}`)

    app.decorate('signedUrl', {
      sign(path, query = {}) {
        const expires = Math.floor(app.now() / 1000) + options.SVC_URL_TTL_SECONDS
        const text = new URLSearchParams({ ...query, expires: String(expires) }).toString()
        const signature = hmac(path, text.split('&')).digest('hex')
        return { url: `${options.SVC_BASE_URL}${path}?${text}&signature=${signature}`, expires }
      },

      async verify({ url }) {
        // The URL as the dispatcher wrote it: parameters of the path in their published order.
        const [path = '', ...rest] = url.split('?')
        const parameters = rest.join('?').split('&')
        const of = (name: string) => parameters.filter((text) => text.startsWith(`${name}=`))
        const [signature, ...otherSignatures] = of('signature')
        const [expires] = of('expires')
        if (!signature || otherSignatures.length > 0 || !expires) fail('SIGNED-URL-INVALID')
        const signed = parameters.filter((text) => text !== signature)
        const expected = hmac(path, signed).digest('hex')
        if (!sameSecret(signature.slice('signature='.length), expected)) fail('SIGNED-URL-INVALID')
        if (Number(expires.slice('expires='.length)) * 1000 <= app.now()) fail('SIGNED-URL-EXPIRED')
      }
    })
  },
  { name: 'signed-url', fastify: '5.x', dependencies: ['clock', 'errors'] }
)
