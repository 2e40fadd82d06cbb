import type { FastifyContextConfig, FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import { changesState } from '../../http/dispatch.ts'
import { admits, needsApproval } from '../../identity/auth.ts'
import type { Identity } from '../../identity/identity.ts'
import { isRecorded } from '../activity/index.ts'

/** One documented operation: a route that has an `operationId`. */
export interface Operation {
  id: string
  method: string
  /** In the router's form: `/todo/item/id_:id`. */
  url: string
  /** In that of the document: `/todo/item/id_{id}`. */
  path: string
  schema: FastifySchema
  config: FastifyContextConfig
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a handler that refuses some callers whom `allow`, `scope` and `role` let in: false for those. */
    offeredTo?: (identity: Identity) => boolean
  }
  interface FastifyInstance {
    /** Every operation, in the order of registration; complete once the service is ready. */
    operations: readonly Operation[]
    /** The operations that this caller may call, or have as a step of a plan if the credential asks. */
    operationsOf(identity: Identity): readonly Operation[]
  }
}

/** Whether the whole effect of an operation is recorded changes, so that a plan can have it as a step. */
export const isPlannable = ({ method, config }: Pick<Operation, 'method' | 'config'>) =>
  changesState(method) && isRecorded(config) && (config.body ?? 'json') !== 'multipart'

/** Whether an operation is beyond a credential that asks: it needs approval, and no plan can have it. */
const isBeyond = ({ method, config }: Operation) =>
  needsApproval(config, method) && !isPlannable({ method, config })

/**
 * The list of operations, built once from the routes, with the same `schema` and `config` that validate
 * and guard them. Registered before any area, and after the plugins whose `onRoute` hooks change routes.
 */
export default fp(
  async (app) => {
    app.readsConfig('offeredTo')
    const operations: Operation[] = []
    app.decorate('operations', operations)
    app.addHook('onRoute', function learn({ method, url, schema, config = {} }) {
      const id = schema?.operationId
      if (!schema || !id || method === 'HEAD') return
      const path = url.replaceAll(/:(\w+)/g, '{$1}')
      operations.push({ id, method: String(method), url, path, schema, config })
    })

    app.decorate('operationsOf', (identity: Identity) =>
      operations.filter(
        (operation) =>
          admits(operation.config, identity) &&
          (operation.config.offeredTo?.(identity) ?? true) &&
          !(identity.token?.asks && isBeyond(operation))
      )
    )
  },
  { name: 'operations', fastify: '5.x', dependencies: ['auth', 'idempotency', 'route-config'] }
)
