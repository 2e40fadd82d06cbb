import { createHmac } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import { fail } from '../http/errors/index.ts'
import { sameSecret, urlSecretOf } from '../runtime/secrets.ts'

interface SignedUrl {
  /** Absolute, on `app.baseUrl`. */
  url: string
  /** When it expires, in seconds since the epoch, as in the link. */
  expires: number
  /** The same as a time. */
  expires_at: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parameters of a signed link, with their values, that anybody may add to it once: they are not signed. */
    unsigned?: readonly string[]
  }
  interface FastifyInstance {
    signedUrl: {
      /**
       * Makes a link that needs no credential and is valid for `SVC_URL_TTL_SECONDS`. `path` has the
       * published form, such as `/attachment/download/id_5`. `query` has further parameters, also signed.
       */
      sign(path: string, query?: Record<string, string>): SignedUrl
      /** The same without the origin, for pages of the service: their policy for pictures names no other. */
      href(path: string, query?: Record<string, string>): string
      /**
       * An `onRequest` hook. Fails with SIGNED-URL-INVALID or SIGNED-URL-EXPIRED unless `sign` made the
       * URL of the request. It does not matter who is calling, nor which page shows what the link leads to.
       */
      verify(request: FastifyRequest, reply: FastifyReply): Promise<void>
    }
  }
}

type Options = Pick<Config, 'SVC_DATA_DIR' | 'SVC_URL_SECRET' | 'SVC_URL_TTL_SECONDS'>

/**
 * Signed links: HMAC-SHA256 over the path and the sorted query without `signature`, exactly as they are
 * written. A parameter that is added, left out, repeated or encoded differently makes the signature
 * invalid, unless the route lets it be added. The order of the parameters is free (docs/patterns/signed-url.md).
 */
export default fp<Options>(
  async (app, options) => {
    app.readsConfig('unsigned')
    const secret = urlSecretOf(options)

    const hmac = (path: string, parameters: string[]) =>
      createHmac('sha256', secret).update(`${path}?${parameters.toSorted().join('&')}`)

    function sign(path: string, query: Record<string, string> = {}) {
      const expires = Math.floor(app.now() / 1000) + options.SVC_URL_TTL_SECONDS
      const text = new URLSearchParams({ ...query, expires: String(expires) }).toString()
      const signature = hmac(path, text.split('&')).digest('hex')
      const url = `${app.baseUrl}${path}?${text}&signature=${signature}`
      return { url, expires, expires_at: new Date(expires * 1000).toISOString() }
    }

    app.decorate('signedUrl', {
      sign,
      href(path, query) {
        const { pathname, search } = new URL(sign(path, query).url)
        return pathname + search
      },

      async verify({ url, config: { unsigned = [] } }, reply) {
        // The canonical URL (plugins/http/dispatch.ts): path parameters are in their published order.
        const [path = '', ...rest] = url.split('?')
        const parameters = rest.join('?').split('&')
        for (const added of unsigned) {
          const index = parameters.indexOf(added)
          if (index !== -1) parameters.splice(index, 1)
        }
        const of = (name: string) => parameters.filter((text) => text.startsWith(`${name}=`))
        const [signature, ...otherSignatures] = of('signature')
        const [expires] = of('expires')
        if (!signature || otherSignatures.length > 0 || !expires) fail('SIGNED-URL-INVALID')
        const signed = parameters.filter((text) => text !== signature)
        const expected = hmac(path, signed).digest('hex')
        if (!sameSecret(signature.slice('signature='.length), expected)) fail('SIGNED-URL-INVALID')
        // `expires` is in whole seconds: the link is valid until the end of that second (contract LINK-1).
        const lastSecond = Number(expires.slice('expires='.length))
        if (lastSecond < Math.floor(app.now() / 1000)) fail('SIGNED-URL-EXPIRED')
        reply.header('cross-origin-resource-policy', 'cross-origin')
      }
    })
  },
  {
    name: 'signed-url',
    fastify: '5.x',
    dependencies: ['base-url', 'clock', 'errors', 'route-config']
  }
)
