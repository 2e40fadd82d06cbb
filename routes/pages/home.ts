import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Told } from '../../db/repositories/changes-after.ts'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { rememberedSince, shownChange } from '../../plugins/patterns/activity/own-activity.ts'
import { shownChanges } from '../../plugins/patterns/activity/shown.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { linksFor } from '../../plugins/patterns/pages/page.ts'
import { time } from '../../plugins/patterns/pages/time.ts'
import { shownPlans } from '../../plugins/patterns/plans/shown.ts'
import { discoveryLink } from '../../plugins/reporting/discovery.ts'
import { ofDeclarations } from '../../schemas/area/index.ts'
import { pageBytes } from '../../schemas/common.ts'
import { kinds } from '../../schemas/kinds.ts'
import { sinceVisit } from './visit.ts'

/** How much of each the page shows. */
const limits = { plans: 3, changes: 10, ofPlan: 8, todos: 5 }

/** The page `/`: what waits for its visitor, what others have changed, what is open, and the first steps. */
const home: FastifyPluginAsync<PageOptions> = async (app, options) => {
  const { repos } = app

  /** The newest changes since the last visit that programs and administrators made, in sentences. */
  async function byOthers(request: FastifyRequest, reply: FastifyReply) {
    const user_id = request.viewer.user.id
    // Read first: what is committed meanwhile is new at the next visit too.
    const newest = await repos.feed.newest({ user_id })
    const since = sinceVisit(request, reply, newest, options)
    const after = since ?? 0
    const wanted = { user_id, remembered: rememberedSince(app), limit: limits.changes + 1 }
    const shared = await repos.feed.before?.({
      ...{ ...wanted, before: Number.MAX_SAFE_INTEGER, bytes: pageBytes },
      isWanted: ({ id, via, made_by, user_id: owner }) =>
        id > after && (via !== 'session' || (made_by ?? owner) !== user_id)
    })
    const rows: Told[] = shared?.rows ?? (await repos.changes.byOthers({ ...wanted, after }))
    const changes = rows.slice(0, limits.changes).map(shownChange)
    return {
      after: newest,
      live: kinds.join(' '),
      isSinceVisit: since !== undefined,
      more: rows.length > limits.changes,
      changes: await shownChanges(request, changes)
    }
  }

  /** What somebody does first, without what is done already. Whoever has rows and a program needs none. */
  async function firstSteps({ user }: { user: { id: number; role: string } }) {
    const { id: user_id } = user
    const one = { user_id, limit: 1, before: Number.MAX_SAFE_INTEGER }
    const rows = await Promise.all([repos.todos.list(one), repos.memos.list(one)])
    const programs = await Promise.all([
      repos.accessTokens.list({ user_id, now: app.now() }),
      repos.oauthGrants.list({ user_id, now: app.now() })
    ])
    const steps = {
      row: rows.flat().length === 0,
      program: programs.flat().length === 0,
      kind: user.role === 'admin' && ofDeclarations.length === 0
    }
    return steps.row || steps.program ? steps : undefined
  }

  /** What the signed-in visitor finds. */
  async function forUser(request: FastifyRequest, reply: FastifyReply) {
    const { user } = request.viewer
    const { id: user_id } = user
    const webhooks = app.deliveries.isOn
      ? await repos.subscriptions.list({ user_id, now: app.now() })
      : []
    const isOn = app.activity.isOn
    const waiting = isOn ? await app.plans.waiting(request, limits.plans) : []
    const open = { user_id, is_completed: false, before: Number.MAX_SAFE_INTEGER }
    const [found, count] = await Promise.all([
      repos.todos.search({ ...open, limit: limits.todos }),
      repos.todos.countOpen({ user_id })
    ])
    return {
      user,
      csrfToken: request.csrfToken,
      time,
      plans: await shownPlans(request, waiting, limits.ofPlan),
      waiting: isOn ? await app.plans.pending(user_id) : 0,
      others: isOn ? await byOthers(request, reply) : undefined,
      todos: found.rows,
      open: count?.open ?? 0,
      failing: webhooks.filter(({ failing_since }) => failing_since !== null).length,
      steps: await firstSteps(request.viewer),
      mcpUrl: app.oauth ? `${app.baseUrl}/mcp` : undefined
    }
  }

  /** What a visitor needs to know before the first sign-in. */
  const forVisitor = async () =>
    options.SVC_ENV === 'production'
      ? {
          hasAccounts:
            (await repos.users.findById({ id: 1 })) !== undefined ||
            (await repos.users.count({})) > 0
        }
      : { isDevelopment: options.SVC_ENV === 'development', hasAccounts: true }

  app.route({
    method: remainingMethods(app, '/'),
    url: '/',
    config: { allow: ['session', 'anyone'], html: true, body: 'none' },
    handler: async (request, reply) => {
      const { identity } = request
      const found = identity
        ? { ...(await forUser(request, reply)), links: await linksFor(request) }
        : await forVisitor()
      const data = { title: 'Gatehouse', path: '/', ...found }
      return reply.header('link', discoveryLink).view('routes/pages/home', data)
    }
  })
}

export default home
