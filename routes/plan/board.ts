import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { oneAtATime, whoOf } from '../../plugins/patterns/activity/own-activity.ts'
import { form } from '../../plugins/patterns/pages/form.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { addPage } from '../../plugins/patterns/pages/page.ts'
import { undid } from '../../plugins/patterns/pages/undo.ts'
import { shownPlans } from '../../plugins/patterns/plans/shown.ts'
import { Natural, PageQuery } from '../../schemas/common.ts'
import { PlanRefusal } from '../../schemas/plan.ts'

const url = '/plan/board'

/** `plan`: only this one, with all that it would change. */
const Query = Type.Object({
  cursor: PageQuery.properties.cursor,
  plan: Type.Optional(Natural())
})

/** `version`: what the person saw. */
const Application = Type.Object({ id: Natural(), version: Natural() })
const Chosen = Type.Object({ id: Natural() })
const Refusal = Type.Object({ id: Natural(), reason: PlanRefusal.properties.reason })

/** How many plans a page shows that wait, how many changes of each, and how many decided plans. */
const limits = { waiting: 10, changes: 50, decided: 50 }

/** The page on which people decide what their programs do. */
const planBoard: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  addPage(app, options, {
    url,
    title: 'Approvals',
    link: 'Approvals',
    waiting: ({ viewer }) => app.plans.pending(viewer.user.id),
    view: 'routes/plan/board',
    query: Query,
    forms: {
      apply: form(app, Application, {
        done: 'Done, as proposed.',
        isUndoable: true,
        async run({ id, version }, request) {
          await app.plans.apply(request, id, version)
          return { plan: id }
        },
        words: {
          CONFLICT:
            'Not applied: the rows have changed since this was shown, or it is no longer allowed. Here is the plan as it is now.',
          'PLAN-DECIDED': 'This has already been decided.'
        }
      }),
      undoplan: form(app, Chosen, {
        done: 'Undone.',
        async run({ id }, request) {
          return undid(await oneAtATime(request, () => app.plans.undo(request, id)))
        }
      }),
      refuse: form(app, Refusal, {
        done: 'Refused. Nothing was changed.',
        isEmptyAbsent: true,
        async run({ id, reason }, request) {
          await app.plans.refuse(request, id, reason)
          return undefined
        },
        words: { 'PLAN-DECIDED': 'This has already been decided.' }
      })
    },
    async load(request, { cursor, plan: id }) {
      const one = id === undefined ? undefined : await app.plans.find(request, id)
      const waiting = one ? [one] : await app.plans.waiting(request, limits.waiting)
      const others = one
        ? { plans: [], undoable: new Set(one.canUndo ? [one.plan.id] : []), next_cursor: null }
        : await app.plans.list(request, {
            limit: limits.decided,
            ...(cursor !== undefined && { cursor })
          })
      const decided = [...(one ? [one.plan] : []), ...others.plans].filter(
        ({ state }) => state !== 'pending'
      )
      const tokens = await app.repos.plans.tokens({
        user_id: request.viewer.user.id,
        ids: JSON.stringify(decided.map(({ id }) => id))
      })
      const tokenOf = new Map(tokens.map((token) => [token.id, token]))
      const pending = waiting.filter(({ plan }) => plan.state === 'pending')
      return {
        plans: await shownPlans(request, pending, one ? Number.POSITIVE_INFINITY : limits.changes),
        decided: decided.map((plan) => ({
          ...plan,
          canUndo: others.undoable.has(plan.id),
          who: whoOf(plan.via, tokenOf.get(plan.id))
        })),
        isOne: one !== undefined,
        next_cursor: others.next_cursor
      }
    }
  })
}

export default planBoard
