import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditEvent, AuditQuery } from '../../schemas/audit.ts'
import { NextCursor, newestFirst, ok, pageOf, paginate, success } from '../../schemas/common.ts'

const keepMs = 365 * 86_400_000

/** The audit trail, for administrators. */
const audit: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('audit', 'Who did what, when and from where. For administrators.')
  app.sweep.add('audit trail', (now, { audit }) => {
    const before = new Date(now - keepMs).toISOString()
    return app.sweep.inSteps((limit) => audit.removeOld({ before, limit }))
  })

  app.get(
    '/admin/audit/index',
    {
      config: { allow: ['session', 'agent', 'jwt'], role: 'admin', scope: 'admin:read' },
      schema: {
        operationId: 'listAuditEvents',
        summary: 'List audit events',
        description: 'Newest first.',
        querystring: AuditQuery,
        response: {
          200: success({
            events: newestFirst(AuditEvent),
            next_cursor: NextCursor
          })
        }
      }
    },
    async ({ query }) => {
      const { user_id, event } = query
      const rows = await app.repos.audit.list({ ...pageOf(query), user_id, event })
      const { items, next_cursor } = paginate(rows, query)
      return ok({ events: items, next_cursor })
    }
  )
}

export default audit
