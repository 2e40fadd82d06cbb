import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { listChanges, oneAtATime, undoOwn } from '../../plugins/patterns/activity/own-activity.ts'
import type { Part } from '../../plugins/patterns/activity/sentence.ts'
import { shownChanges } from '../../plugins/patterns/activity/shown.ts'
import { form } from '../../plugins/patterns/pages/form.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { addPage } from '../../plugins/patterns/pages/page.ts'
import { namedFor, undid } from '../../plugins/patterns/pages/undo.ts'
import { type Change, RunId } from '../../schemas/activity.ts'
import { Natural, PageQuery } from '../../schemas/common.ts'
import { kinds } from '../../schemas/kinds.ts'

const url = '/activity/board'
const Query = Type.Object({ cursor: PageQuery.properties.cursor, run: Type.Optional(RunId) })

/** What is undone: some changes, or all of a run. */
const Chosen = Type.Object({
  changes: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}(-[0-9]{1,15}){0,499}$' })),
  of: Type.Optional(RunId)
})
const ChosenPlan = Type.Object({ plan: Natural() })

/** How many changes a page shows, and how many plans a question names. */
const limit = 50
const maxNamed = 5

/** The page on which people see what they and their programs have changed, and undo it. */
const activityBoard: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const undo = (
    { changes, of }: Static<typeof Chosen>,
    request: FastifyRequest,
    { isDry }: { isDry: boolean }
  ) => {
    const asked = of === undefined ? { ids: (changes ?? '').split('-').map(Number) } : { run: of }
    return oneAtATime(request, () => undoOwn(request, { ...asked, dry_run: isDry }))
  }

  /** The caller's applied plans: as many decided ones as are kept. */
  async function appliedPlans(request: FastifyRequest) {
    const { plans, undoable } = await app.plans.list(request, { state: 'applied', limit: 100 })
    return plans.map((plan) => ({ ...plan, canUndo: undoable.has(plan.id) }))
  }

  /** What goes with a run beside the plan that one has in mind. */
  async function plansIn(request: FastifyRequest, of: string | undefined): Promise<Part[]> {
    const plans = (await appliedPlans(request)).filter(({ run, canUndo }) => run === of && canUndo)
    if (plans.length < 2) return []
    const names = plans
      .slice(0, maxNamed)
      .flatMap(({ purpose }, at) => [
        { text: at === 0 ? '“' : '”, “' },
        { text: purpose, isValue: true }
      ])
    const rest = plans.length > maxNamed ? ` and ${plans.length - maxNamed} more` : ''
    const lead = ` They belong to ${plans.length} plans, all of which are undone: `
    return [{ text: lead }, ...names, { text: `”${rest}.` }]
  }

  addPage(app, options, {
    url,
    title: 'Activity',
    link: 'Activity',
    view: 'routes/activity/board',
    query: Query,
    forms: {
      undoone: form(app, Chosen, {
        done: 'Undone.',
        async run(chosen, request) {
          return undid(await undo(chosen, request, { isDry: false }))
        }
      }),
      undoplan: form(app, ChosenPlan, {
        done: 'Undone.',
        async run({ plan }, request) {
          return undid(await oneAtATime(request, () => app.plans.undo(request, plan)))
        }
      }),
      undoall: form(app, Chosen, {
        done: 'Undone.',
        async ask(chosen, request) {
          const { undone, conflicts, more } = await undo(chosen, request, { isDry: true })
          if (undone.length === 0) {
            const stay = await namedFor(request, 'These changes stay', conflicts, { most: limit })
            const older = more && [
              { text: '. The run has older changes too: undo those one by one.' }
            ]
            const none = [{ text: 'Nothing of it is left to undo' }]
            return {
              title: 'Nothing can be undone',
              text: [...(stay.length > 0 ? stay : none), ...(older || [{ text: '.' }])]
            }
          }
          const older = ' The run has older changes too: undo it again to undo those.'
          return {
            title: undone.length === 1 ? 'Undo this change?' : `Undo ${undone.length} changes?`,
            text: [
              ...(await namedFor(request, 'These would be undone', undone)),
              { text: '.' },
              ...(await plansIn(request, chosen.of)),
              ...(more ? [{ text: older }] : []),
              ...(await namedFor(request, ' These would stay', conflicts))
            ],
            button: 'Undo'
          }
        },
        async run(chosen, request) {
          return undid(await undo(chosen, request, { isDry: false }))
        }
      })
    },
    async load(request, { run, cursor }) {
      const found = await listChanges(request, {
        limit,
        ...(cursor !== undefined && { cursor }),
        ...(run !== undefined && { run })
      })
      const grouped = groupsOf(await shownChanges(request, found.changes))
      const plans = grouped.some(({ run }) => run !== null) ? await appliedPlans(request) : []
      const groups = grouped.map(({ changes, ...group }) => ({
        ...group,
        who: group.first.who,
        plans: plans.filter(({ run }) => run === group.run),
        ids: changes.filter(({ canUndo }) => canUndo).map(({ id }) => id),
        changes
      }))
      return {
        groups,
        run,
        isOn: app.activity.isOn,
        days: options.SVC_ACTIVITY_DAYS,
        live: kinds.join(' '),
        after: app.activity.isOn ? found.next_after : null,
        next_cursor: found.next_cursor
      }
    }
  })
}

type Shown = Pick<Static<typeof Change>, 'id' | 'at' | 'via' | 'by' | 'token_id' | 'run'>

/** Changes that belong together: of one run, else of one program. They come newest first. */
function groupsOf<Row extends Shown>(changes: readonly Row[]) {
  const groups: { key: string; run: string | null; first: Row; changes: Row[] }[] = []
  for (const change of changes) {
    const key =
      change.run === null ? `by ${[change.by, change.via, change.token_id]}` : `run ${change.run}`
    const last = groups.at(-1)
    if (last?.key === key) last.changes.push(change)
    else groups.push({ key, run: change.run, first: change, changes: [change] })
  }
  return groups
}

export default activityBoard
