import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  listChanges,
  listRuns,
  oneAtATime,
  undoOwn
} from '../../../plugins/patterns/activity/own-activity.ts'
import type { Change } from '../../../schemas/activity.ts'
import { type Reason, UndoRequest } from '../../../schemas/undo.ts'
import { action, type Section } from './section.ts'

const { run, cursor } = UndoRequest.properties
/** Checkboxes send text, and validation does not convert the items of a list. */
const Chosen = Type.Object({
  ids: Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), { minItems: 1, maxItems: 500 }),
  cursor
})
const Run = Type.Object({ ...Type.Required(Type.Object({ run })).properties, cursor })

/** How many changes and runs the page shows; `GET /activity/index` has the rest. */
const page = { limit: 20 }

/** Recent changes and who made them, with forms to undo them, as `/activity/undo` does. */
export function activity(app: FastifyInstance): Section {
  const undo =
    (isDry: boolean) =>
    async (
      asked: ({ ids: number[] } | { run: string }) & { cursor?: number },
      request: FastifyRequest
    ) => {
      const outcome = await oneAtATime(request, () =>
        undoOwn(request, { ...asked, dry_run: isDry })
      )
      return { show: { ...outcome, isDry, asked } }
    }
  const undoChosen = (isDry: boolean) =>
    action(app, Chosen, (form, request) =>
      undo(isDry)({ ...form, ids: form.ids.map(Number) }, request)
    )
  const undoRun = (isDry: boolean) => action(app, Run, undo(isDry))
  return {
    name: 'activity',
    title: 'Activity',
    labels: { ids: 'The selection', run: 'The run' },
    actions: {
      tryundo: undoChosen(true),
      undo: undoChosen(false),
      tryundorun: undoRun(true),
      undorun: undoRun(false)
    },
    async load(request) {
      const { changes } = await listChanges(request, page)
      const { runs } = await listRuns(request, page)
      const tokens = await app.repos.accessTokens.names({ user_id: request.viewer.user.id })
      const names = new Map(tokens.map(({ id, name }) => [id, name]))
      return {
        reasons,
        done,
        changes: changes.map((change) => ({
          ...change,
          what: titleOf(change),
          who: whoOf(change.via, change.token_id === null ? null : names.get(change.token_id))
        })),
        runs: runs.map((one) => ({ ...one, who: whoOf(one.via, one.token_name) }))
      }
    }
  }
}

const done = { create: 'made', update: 'changed', delete: 'deleted' } as const

const reasons: Readonly<Record<Reason, string>> = {
  changed: 'it was changed since',
  cannot_return: 'it cannot come back',
  undone: 'it was undone already',
  not_allowed: 'you may not write it',
  unknown: 'there is no such change, or no more'
}

function whoOf(via: string, token: string | null | undefined) {
  if (via === 'token') return token ? `the token “${token}”` : 'a deleted token'
  if (via === 'agent') return 'the agent'
  return via === 'jwt' ? 'a program with a JWT' : 'you'
}

/** A title for a row that people recognise: the first line of its first text, shortened. */
function titleOf({ after, before }: Pick<Change, 'after' | 'before'>) {
  const text = Object.values({ ...(after ?? before) }).find((value) => typeof value === 'string')
  const [line = ''] = (text ?? '').trim().split('\n')
  return line.length > 60 ? `${[...line].slice(0, 60).join('')}…` : line
}
