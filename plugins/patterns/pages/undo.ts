import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RunId } from '../../../schemas/activity.ts'
import { Natural } from '../../../schemas/common.ts'
import { conflict } from '../../http/errors/index.ts'
import { oneAtATime, undoOwn } from '../activity/own-activity.ts'
import type {} from '../plans/index.ts'
import { form } from './form.ts'

/** What a form of a page has changed: single changes, those of a plan, or all of a run. */
export const undoing = {
  ids: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), { maxItems: 20 })),
  plan: Type.Optional(Natural()),
  run: Type.Optional(Type.String({ pattern: RunId.pattern ?? '' }))
}

/** Undoes a run to its beginning, however long it is. */
async function undoWhole(request: FastifyRequest, run: string) {
  const undone = []
  for (let cursor: number | null = Number.MAX_SAFE_INTEGER; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof undoOwn>> = await undoOwn(request, { run, cursor })
    undone.push(...page.undone)
    cursor = page.next_cursor
  }
  return { undone }
}

/** Undoes what a form of the page has just done. */
export const undoForm = (app: FastifyInstance) =>
  form(app, Type.Object(undoing), {
    done: 'Undone.',
    async run({ ids = [], plan, run }, request) {
      const { undone } = await oneAtATime(request, async () => {
        if (run !== undefined) return undoWhole(request, run)
        if (plan !== undefined) return app.plans.undo(request, plan)
        return undoOwn(request, { ids: ids.map(Number) })
      })
      if (undone.length === 0) conflict('changed')
      return undefined
    },
    words: { CONFLICT: 'This cannot be undone any more: it was changed meanwhile.' }
  })
