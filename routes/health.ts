import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../plugins/errors.ts'
import { ok, success } from '../schemas/common.ts'
import type { Config } from '../schemas/config.ts'

const Health = {
  healthStatus: Type.Union([Type.Literal('ok'), Type.Literal('degraded')], {
    description: '`degraded` where a circuit is not closed, or under overload.'
  }),
  api: Type.Literal('ok'),
  database: Type.Literal('ok'),
  schema: Type.String({
    description: 'Newest migration of the database.',
    examples: ['2026-11-21-3-todos']
  }),
  environment: Type.String({ examples: ['development'] }),
  databaseType: Type.String({ examples: ['sqlite'] }),
  circuits: Type.Record(
    Type.String(),
    Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('half-open')]),
    { description: 'Circuit breakers, by name.', examples: [{ mail: 'closed' }] }
  )
}

/** Whether the service and what it stands on answer. */
const health: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_ENV'>> = async (app, options) => {
  app.get(
    '/health/index',
    {
      config: { allow: ['anyone'], always: true, fails: ['SERVICE-OVERLOADED'] },
      schema: {
        operationId: 'getHealth',
        tags: ['health'],
        summary: 'Health of the service',
        response: { 200: success(Health) }
      }
    },
    async () => {
      const state = {
        schema: app.db.schema,
        environment: options.SVC_ENV,
        databaseType: app.db.type,
        circuits: app.circuitStates()
      }
      try {
        await app.db.ping()
      } catch (cause) {
        fail('SERVICE-OVERLOADED', {
          cause,
          data: { healthStatus: 'degraded', api: 'ok', database: 'down', ...state }
        })
      }
      const circuits = Object.values(state.circuits)
      const isWhole = circuits.every((it) => it === 'closed') && !app.isOverloaded()
      return ok({
        healthStatus: isWhole ? ('ok' as const) : ('degraded' as const),
        api: 'ok' as const,
        database: 'ok' as const,
        ...state
      })
    }
  )
}

export default health
