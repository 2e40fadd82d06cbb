import type { FastifyPluginAsync } from 'fastify'
import { remainingMethods } from '../../plugins/http/dispatch/index.ts'
import { discoveryLink } from '../../plugins/reporting/discovery.ts'

/** The page `/`: what this service is, and links to its parts. */
const home: FastifyPluginAsync = async (app) => {
  app.route({
    method: remainingMethods(app, '/'),
    url: '/',
    config: { allow: ['session', 'anyone'], html: true, body: 'none' },
    handler: (request, reply) =>
      reply
        .header('link', discoveryLink)
        .view('routes/pages/home', { title: 'Gatehouse', user: request.identity?.user })
  })
}

export default home
