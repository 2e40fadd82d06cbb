import type { FastifyRequest } from 'fastify'
import type { PlannedChange } from '../../../schemas/plan.ts'
import { comparisons } from '../activity/difference.ts'
import { labeller, nameOf } from '../activity/labels.ts'
import { whoOf } from '../activity/own-activity.ts'
import { sentenceOf, skimmed } from '../activity/sentence.ts'
import { time } from '../pages/time.ts'
import type { Seen } from './index.ts'

/** What is lost stands first, and what becomes of a new row after it is made. */
const byDanger = { delete: 0, update: 1, create: 2 }
const dangerOf = ({ key, action }: PlannedChange) => byDanger[key === null ? 'create' : action]

/** Plans that wait, as a page shows them: who proposes them, and at most so many of the changes of each, in sentences. */
export async function shownPlans(request: FastifyRequest, seen: readonly Seen[], most: number) {
  const { server: app, viewer } = request
  const tokens = await app.repos.plans.tokens({
    user_id: viewer.user.id,
    ids: JSON.stringify(seen.map(({ plan }) => plan.id))
  })
  const tokenOf = new Map(tokens.map((token) => [token.id, token]))
  const { named } = app.activity
  const words = { named, isDone: false, time, compare: comparisons() }
  const firstOf = ({ changes }: Seen['plan']) =>
    changes.toSorted((one, other) => dangerOf(one) - dangerOf(other)).slice(0, most)
  const all = seen.map((one) => ({ ...one, changes: firstOf(one.plan) }))
  const label = await labeller(
    request,
    all.flatMap(({ changes }) => changes)
  )
  /** A file that a plan would add, to be looked at first: nobody else sees it yet. */
  function fileOf({ kind, key, action, after }: PlannedChange) {
    if (kind !== 'attachment' || action !== 'create' || key === null) return undefined
    const url = app.signedUrl.href(`/attachment/download/id_${key}`, { kept: '1' })
    return { name: Object(after).name, url }
  }
  return all.map(({ plan, version, isOrphan, changes }) => {
    /** Names the rows that the plan makes, too, where a change refers to them. */
    function withNames(change: PlannedChange) {
      const toNew = Object.entries(change.refers_to ?? {}).map(([field, place]) => {
        const { kind, after } = plan.changes[place] ?? change
        return [field, `${nameOf(app, kind, after ?? {})} (new)`]
      })
      const { after, ...told } = label(change)
      return { ...told, after: after && { ...after, ...Object.fromEntries(toNew) } }
    }
    return {
      ...plan,
      version,
      isOrphan,
      who: whoOf(plan.via, tokenOf.get(plan.id)),
      groups: skimmed(
        changes.map((change) => ({
          ...change,
          sentence: sentenceOf(withNames(change), words),
          file: fileOf(change)
        }))
      ),
      more: plan.changes.length - changes.length
    }
  })
}
