import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { AuditEvent, AuditQuery } from '../schemas/audit.ts'
import { NextCursor, ok, pageOf, paginate, ref, success } from '../schemas/common.ts'

/** The audit trail, for administrators. */
const audit: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/admin/audit/index',
    {
      config: { allow: ['session', 'bearer'], role: 'admin' },
      schema: {
        operationId: 'listAuditEvents',
        tags: ['audit'],
        summary: 'List audit events',
        description: 'Newest first.',
        querystring: AuditQuery,
        response: {
          200: success({ events: Type.Array(ref(AuditEvent)), next_cursor: NextCursor })
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
