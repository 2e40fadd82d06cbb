import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { remainingMethods } from '../../../plugins/http/dispatch.ts'
import type { PageOptions } from '../../../plugins/patterns/pages/options.ts'
import { addPage } from '../../../plugins/patterns/pages/page.ts'
import { accessTokens } from './access-tokens.ts'
import address from './address.ts'
import { profile } from './profile.ts'
import { programs } from './programs.ts'
import { sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { webhooks } from './webhooks.ts'

const url = '/account/index'

/** The pages of the signed-in user's account. Their forms do the same as its JSON operations. */
const account: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const first = profile(app)
  const pages = [
    first,
    signIn(app),
    sessions(app),
    accessTokens(app),
    ...(app.oauth ? [programs(app)] : []),
    ...(app.deliveries.isOn ? [webhooks(app)] : [])
  ]
  for (const page of pages) {
    const tabs = pages.map(({ url, title }) => ({ url, text: title, isHere: url === page.url }))
    addPage(app, options, {
      ...page,
      ...(page === first && { link: 'Account' }),
      load: async (request, query) => ({ tabs, ...(await page.load(request, query)) })
    })
  }
  await app.register(address, options)
  app.route({
    method: remainingMethods(app, url),
    url,
    config: { html: true, body: 'none' },
    handler: (_request, reply) => reply.redirect(first.url, 303)
  })
}

export default account
