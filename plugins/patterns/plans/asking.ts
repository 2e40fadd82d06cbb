import type { FastifyRequest } from 'fastify'
import { invalid } from '../../http/errors/index.ts'

/**
 * Refuses to make a credential that asks where nothing is recorded: without plans, nobody could approve its changes. One
 * from before, whose caller asks too, may have helpers.
 */
export function checkAsks({ server, viewer }: FastifyRequest, asks = false) {
  if (!asks || viewer.token?.asks || server.activity.isOn) return
  const message = 'must be false: changes are not recorded here, so there are no plans to approve'
  throw invalid({ in: 'body', field: 'asks', message })
}
