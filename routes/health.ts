import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { newestMigration } from '../db/migrate.ts'
import { fail } from '../plugins/http/errors/index.ts'
import { discoveryLink } from '../plugins/reporting/discovery.ts'
import { ok, oneOf, ref, success } from '../schemas/common.ts'

// Not `Type.Record`, which is written as `patternProperties`: few generators know that.
const Circuits = Type.Unsafe<Record<string, 'closed' | 'open' | 'half-open'>>({
  $id: 'Circuits',
  type: 'object',
  additionalProperties: { type: 'string', enum: ['closed', 'open', 'half-open'] },
  description: 'Circuit breakers, by name.',
  examples: [{ mail: 'closed' }]
})

/** The fields that are known even if the database does not answer. */
const state = {
  schema: Type.String({
    description: 'Newest migration of the database.',
    examples: [newestMigration]
  }),
  environment: Type.String({ description: '`SVC_ENV`.', examples: ['development'] }),
  databaseType: Type.String({ description: '`sqlite` or `postgres`.', examples: ['sqlite'] }),
  circuits: ref(Circuits)
}

const Health = {
  healthStatus: oneOf(['ok', 'degraded'], {
    description:
      '`degraded` if the database takes no writes or was sealed with another `SVC_URL_SECRET`, a circuit is not closed or the service is overloaded.'
  }),
  cause: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it is degraded; null if it is not.',
    examples: [null]
  }),
  api: Type.Literal('ok', { description: 'This service answers.' }),
  database: Type.Literal('ok', { description: 'Its database answers.' }),
  ...state
}

const Down = {
  healthStatus: Type.Literal('degraded', { description: 'The service is not fully working.' }),
  cause: Type.String({
    description: 'Why it is degraded.',
    examples: ['The database does not answer.']
  }),
  api: Type.Literal('ok', { description: 'This service answers.' }),
  database: Type.Literal('down', { description: 'The database does not answer.' }),
  ...state
}

/** Whether the service and its database answer. */
const health: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('health', 'Health of the service.')

  app.get(
    '/health/index',
    {
      config: {
        allow: ['anyone'],
        always: true,
        fails: ['SERVICE-OVERLOADED'],
        failureFields: { 'SERVICE-OVERLOADED': Down }
      },
      schema: {
        operationId: 'getHealth',
        summary: 'Health of the service',
        description: 'Needs no credential. 503 if the database does not answer.',
        response: {
          200: success(Health, {
            headers: {
              Link: {
                type: 'string',
                description: 'Where the service is described.',
                example: discoveryLink
              }
            }
          })
        }
      }
    },
    async (_request, reply) => {
      const health = await app.health()
      if ('error' in health) {
        fail('SERVICE-OVERLOADED', { cause: health.error, data: { ...health.state } })
      }
      reply.header('link', discoveryLink)
      return ok(health.state)
    }
  )
}

export default health
