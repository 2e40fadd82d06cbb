import type { FastifyRequest } from 'fastify'
import type { PlannedChange } from '../../../schemas/plan.ts'
import { comparisons } from '../activity/difference.ts'
import { labeller, nameOf } from '../activity/labels.ts'
import { whoOf } from '../activity/own-activity.ts'
import { sentenceOf, skimmed } from '../activity/sentence.ts'
import type { Seen } from './index.ts'

/** What is lost stands first, and what becomes of a new row after it is made. */
const byDanger = { delete: 0, update: 1, create: 2 }
const dangerOf = ({ key, action }: PlannedChange) => byDanger[key === null ? 'create' : action]

type Places = Readonly<Record<string, number>>

/** Of each change of a plan, where the plan makes its row and those that its row refers to, before and after it. */
function placesIn(changes: readonly PlannedChange[]) {
  const latest = new Map<string, Places>()
  return new Map(
    changes.map((change, index) => {
      const { kind, key, refers_to: { id = index, ...after } = {} } = change
      const row = key === null ? `new ${id}` : `${kind} ${key}`
      const before = latest.get(row) ?? {}
      latest.set(row, after)
      return [change, { id, before, after }] as const
    })
  )
}

/** Numbers for the rows that a plan makes, by their places, of each kind of which it makes several and goes on with some. */
function numbersIn(changes: readonly PlannedChange[]) {
  const used = new Set(changes.flatMap(({ refers_to = {} }) => Object.values(refers_to)))
  const made = changes.flatMap(({ kind, key, action }, place) =>
    key === null && action === 'create' ? [{ kind, place }] : []
  )
  const isUsed = ({ place }: { place: number }) => used.has(place)
  return new Map(
    [...Map.groupBy(made, ({ kind }) => kind).values()]
      .filter((rows) => rows.length > 1 && rows.some(isUsed))
      .flatMap((rows) => rows.map(({ place }, index) => [place, index + 1] as const))
  )
}

/** Plans that wait, as a page shows them: who proposes them, and at most so many of the changes of each, in sentences. */
export async function shownPlans(request: FastifyRequest, seen: readonly Seen[], most: number) {
  const { server: app, viewer } = request
  const tokens = await app.repos.plans.tokens({
    user_id: viewer.user.id,
    ids: JSON.stringify(seen.map(({ plan }) => plan.id))
  })
  const tokenOf = new Map(tokens.map((token) => [token.id, token]))
  const { named } = app.activity
  const words = { named, isDone: false, compare: comparisons() }
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
    const places = placesIn(plan.changes)
    const numbers = numbersIn(plan.changes)
    const labelAt = (place: number) => {
      const made = plan.changes[place]
      const name = made ? nameOf(app, made.kind, made.after ?? {}) : ''
      return `${name} (${['new', numbers.get(place)].join(' ').trim()})`
    }
    const labelsAt = (places: Places = {}) =>
      Object.fromEntries(Object.entries(places).map(([field, place]) => [field, labelAt(place)]))
    /** Names the rows that the plan makes, too, where a change refers to them. */
    function withNames(change: PlannedChange) {
      const { before, after, ...told } = label(change)
      const at = places.get(change)
      return {
        ...told,
        place: change.key === null && at ? numbers.get(at.id) : undefined,
        before: before && { ...before, ...labelsAt(at?.before) },
        after: after && { ...after, ...labelsAt(at?.after) }
      }
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
