import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RunId } from '../../../schemas/activity.ts'
import { Natural } from '../../../schemas/common.ts'
import { type Conflict, reasons, type Undone } from '../../../schemas/undo.ts'
import { conflict } from '../../http/errors/index.ts'
import { oneAtATime, undoOwn } from '../activity/own-activity.ts'
import { namedIn, type Part, undoneIn } from '../activity/sentence.ts'
import { sentencesOf } from '../activity/shown.ts'
import type {} from '../plans/index.ts'
import { form, type Undo } from './form.ts'

/** What a form of a page has changed: single changes, those of a plan, or all of a run. */
export const undoing = {
  ids: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), { maxItems: 20 })),
  plan: Type.Optional(Natural()),
  run: Type.Optional(Type.String({ pattern: RunId.pattern ?? '' }))
}

/** Undoes a run to its beginning, however long it is. */
async function undoWhole(request: FastifyRequest, run: string) {
  const undone: Undone[] = []
  const conflicts: Conflict[] = []
  for (let cursor: number | null = Number.MAX_SAFE_INTEGER; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof undoOwn>> = await undoOwn(request, { run, cursor })
    undone.push(...page.undone)
    conflicts.push(...page.conflicts)
    cursor = page.next_cursor
  }
  return { undone, conflicts }
}

/** The outcome of a form that undoes. Nothing was undone: the page names what stays. */
export function undid({ undone, conflicts }: Undo) {
  if (undone.length === 0) conflict('changed', { data: { conflicts: [...conflicts] } })
  return { undid: { undone, conflicts } }
}

/** How many of the changes are named. */
const maxNamed = 3

/** What an undo did, in the address of the page: how many changes went and which one if it is one, how many stay and the first of these. */
export const undoTold = {
  undone: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,15})?$' })),
  kept: Type.Optional(
    Type.String({
      pattern: `^[0-9]{1,9}(\\.[0-9]{1,15}-(${reasons.join('|')})){1,${maxNamed}}$`
    })
  )
}
type UndoTold = Static<TObject<typeof undoTold>>

/** The same as a query. */
export function queryOf({ undone, conflicts }: Undo): UndoTold {
  const named = conflicts.slice(0, maxNamed).map(({ id, reason }) => `.${id}-${reason}`)
  return {
    undone: [undone.length, ...(undone.length === 1 ? undone.map(({ id }) => id) : [])].join('.'),
    ...(named.length > 0 && { kept: `${conflicts.length}${named.join('')}` })
  }
}

interface Named {
  id: number
  /** Why it stays, if it does. */
  reason?: Conflict['reason']
}

/** The first of some changes, of so many, in words. */
export async function namedFor(
  request: FastifyRequest,
  lead: string,
  changes: readonly Named[],
  { count = changes.length, most = maxNamed } = {}
): Promise<Part[]> {
  const first = changes.slice(0, most)
  if (first.length === 0) return []
  const sentences = await sentencesOf(
    request,
    first.map(({ id }) => id),
    false
  )
  const named = first.map(({ id, reason }) => ({ reason, sentence: sentences.get(id) }))
  return namedIn(lead, count, named)
}

/** What an undo did, in words. */
export async function undoneFor(
  request: FastifyRequest,
  { undone = '', kept = '' }: UndoTold
): Promise<Part[]> {
  const [count = 0, only = 0] = undone.split('.').map(Number)
  const sentences = await sentencesOf(request, only > 0 ? [only] : [], false)
  const [all, ...others] = kept.split('.')
  const stay = others.map((other): Named => {
    const [id, reason] = other.split('-')
    return { id: Number(id), reason: reasons.find((one) => one === reason) ?? 'unknown' }
  })
  const left = await namedFor(request, '. Not undone', stay, { count: Number(all) })
  return [...undoneIn(count, sentences.get(only)), ...left]
}

/** Undoes what a form of the page has just done. */
export const undoForm = (app: FastifyInstance) =>
  form(app, Type.Object(undoing), {
    done: 'Undone.',
    async run({ ids = [], plan, run }, request) {
      const undo = await oneAtATime(request, async () => {
        if (run !== undefined) return undoWhole(request, run)
        if (plan !== undefined) return app.plans.undo(request, plan)
        return undoOwn(request, { ids: ids.map(Number) })
      })
      return undid(undo)
    }
  })
