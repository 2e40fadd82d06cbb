import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { shownSubscription } from '../../../plugins/patterns/webhooks/own-subscriptions.ts'
import { PageQuery, pageOf, paginate } from '../../../schemas/common.ts'

/** How many a page shows of those that fail, and of the others. */
const page = { limit: 50 }

const Query = Type.Object({ cursor: PageQuery.properties.cursor })

/** Everybody's outgoing webhooks: first those that fail, then the newest. Without path and query, which may be secret. */
export function webhooks(app: FastifyInstance): Page<typeof Query> {
  const { subscriptions } = app.repos
  const shown = (row: Awaited<ReturnType<typeof subscriptions.failing>>[number]) => ({
    ...shownSubscription(row),
    url: new URL(row.url).origin
  })
  return {
    url: '/admin/webhooks',
    title: 'All webhooks',
    view: 'routes/admin/pages/webhooks',
    query: Query,
    async load(_request, { cursor }) {
      const query = { ...page, ...(cursor !== undefined && { cursor }) }
      const { items, next_cursor } = paginate(await subscriptions.others(pageOf(query)), query)
      const failing = cursor === undefined ? await subscriptions.failing(page) : []
      return { subscriptions: [...failing, ...items].map(shown), next_cursor }
    }
  }
}
