import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import { bracketed } from '../../schemas/host.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The origin that links begin with. Until the service listens, its port is the configured one. */
    readonly baseUrl: string
  }
}

/** `SVC_BASE_URL`, or else the address that the service listens on; never the Host header of a request. */
export default fp<Pick<Config, 'SVC_BASE_URL' | 'SVC_HOST' | 'SVC_PORT'>>(
  async (app, { SVC_BASE_URL, SVC_HOST, SVC_PORT }) => {
    app.decorate('baseUrl', {
      getter() {
        if (SVC_BASE_URL) return SVC_BASE_URL
        // Port 0 stands for any free port; the real one is known when the service listens.
        const address = app.server.address()
        const port = address !== null && typeof address === 'object' ? address.port : SVC_PORT
        return `http://${bracketed(SVC_HOST)}:${port}`
      }
    })
  },
  { name: 'base-url', fastify: '5.x' }
)
