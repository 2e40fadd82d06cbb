import { shownSubscription } from '../../../plugins/patterns/webhooks/own-subscriptions.ts'
import { pageOf, paginate } from '../../../schemas/common.ts'
import type { Desk, Section } from './section.ts'

/** How many a page shows of those that fail, and of the others. */
const page = { limit: 50 }

/** Everybody's outgoing webhooks: first those that fail, then the newest. Without path and query, which may be secret. */
export function webhooks({ app }: Desk): Section {
  const { subscriptions } = app.repos
  const shown = (row: Awaited<ReturnType<typeof subscriptions.failing>>[number]) => ({
    ...shownSubscription(row),
    url: new URL(row.url).origin
  })
  return {
    name: 'webhooks',
    title: 'Webhooks',
    fields: ['webhooks_cursor'],
    labels: { webhooks_cursor: 'Page' },
    async load({ webhooks_cursor: cursor }) {
      const query = { ...page, cursor }
      const { items, next_cursor } = paginate(await subscriptions.others(pageOf(query)), query)
      const failing = cursor === undefined ? await subscriptions.failing(page) : []
      return { subscriptions: [...failing, ...items].map(shown), next_cursor }
    }
  }
}
