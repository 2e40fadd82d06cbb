import type { FastifyPluginAsync } from 'fastify'
import { remainingMethods } from '../../plugins/html.ts'

/** `/`: what this is, and the ways in. */
const home: FastifyPluginAsync = async (app) => {
  app.route({
    method: remainingMethods(app, '/'),
    url: '/',
    config: { allow: ['session', 'anyone'], html: true, body: 'form' },
    schema: { hide: true },
    handler: (request, reply) =>
      reply.view('home', { title: 'Gatehouse', user: request.identity?.user })
  })
}

export default home
