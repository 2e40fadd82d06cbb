import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { remainingMethods } from '../../../plugins/http/dispatch.ts'
import type { PageOptions } from '../../../plugins/patterns/pages/options.ts'
import { addPage } from '../../../plugins/patterns/pages/page.ts'
import { audit } from './audit.ts'
import { flags } from './flags.ts'
import { hour } from './hour.ts'
import { programs } from './programs.ts'
import { rows } from './rows.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

const url = '/admin/desk'

/** The administrators' pages, each with its template beside it. */
const desk: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const first = hour(app)
  const pages = [
    first,
    users(app),
    flags(app),
    ...(app.oauth ? [programs(app)] : []),
    ...(app.deliveries.isOn ? [webhooks(app)] : []),
    rows(app),
    audit(app)
  ]
  for (const page of pages) {
    const tabs = pages.map(({ url, title }) => ({ url, text: title, isHere: url === page.url }))
    addPage(app, options, {
      ...page,
      role: 'admin',
      ...(page === first && {
        link: 'Desk'
      }),
      load: async (request, query) => ({
        tabs,
        isDesk: true,
        ...(await page.load(request, query))
      })
    })
  }
  app.route({
    method: remainingMethods(app, url),
    url,
    config: { html: true, role: 'admin', body: 'none' },
    handler: (_request, reply) => reply.redirect(first.url, 303)
  })
}

export default desk
