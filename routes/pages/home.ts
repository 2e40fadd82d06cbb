import type { FastifyPluginAsync } from 'fastify'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import type { Identity } from '../../plugins/identity/identity.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { linksFor } from '../../plugins/patterns/pages/page.ts'
import { discoveryLink } from '../../plugins/reporting/discovery.ts'

/** The page `/`: what this service is, what waits for its visitor, and the first steps. */
const home: FastifyPluginAsync<PageOptions> = async (app, { SVC_ENV }) => {
  const { repos } = app

  /** What the signed-in visitor finds. */
  async function forUser({ user }: Identity) {
    const { id: user_id } = user
    const webhooks = app.deliveries.isOn
      ? await repos.subscriptions.list({ user_id, now: app.now() })
      : []
    const one = { user_id, limit: 1, before: Number.MAX_SAFE_INTEGER }
    const rows = await Promise.all([repos.todos.list(one), repos.memos.list(one)])
    return {
      user,
      open: (await repos.todos.countOpen({ user_id }))?.open ?? 0,
      waiting: app.activity.isOn ? await app.plans.pending(user_id) : 0,
      failing: webhooks.filter(({ failing_since }) => failing_since !== null).length,
      isNew: rows.flat().length === 0,
      mcpUrl: app.oauth ? `${app.baseUrl}/mcp` : undefined
    }
  }

  /** What a visitor needs to know before the first sign-in. */
  const forVisitor = async () =>
    SVC_ENV === 'production'
      ? {
          hasAccounts:
            (await repos.users.findById({ id: 1 })) !== undefined ||
            (await repos.users.count({})) > 0
        }
      : { isDevelopment: SVC_ENV === 'development', hasAccounts: true }

  app.route({
    method: remainingMethods(app, '/'),
    url: '/',
    config: { allow: ['session', 'anyone'], html: true, body: 'none' },
    handler: async (request, reply) => {
      const { identity } = request
      const found = identity
        ? { ...(await forUser(identity)), links: await linksFor(request) }
        : await forVisitor()
      const data = { title: 'Gatehouse', path: '/', ...found }
      return reply.header('link', discoveryLink).view('routes/pages/home', data)
    }
  })
}

export default home
