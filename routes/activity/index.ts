import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../../plugins/http/errors/index.ts'
import { confirm, prefers } from '../../plugins/http/prefer.ts'
import { failScope } from '../../plugins/identity/auth.ts'
import { listChanges, listRuns, undoOwn } from '../../plugins/patterns/activity/own-activity.ts'
import { answerUndo, undoing } from '../../plugins/patterns/activity/undo-answer.ts'
import { openTo } from '../../plugins/patterns/area/public.ts'
import { streamHeaders } from '../../plugins/patterns/change-streams/stream.ts'
import { pagesOf, rowsPart } from '../../plugins/patterns/data-export.ts'
import { IdempotencyKey, idempotentEffect } from '../../plugins/patterns/idempotency/index.ts'
import { Change, ChangeQuery, More, NextAfter, Run } from '../../schemas/activity.ts'
import { isPublicKind } from '../../schemas/area/index.ts'
import {
  NextCursor,
  newestFirst,
  ok,
  PageQuery,
  ref,
  success,
  successOfMany
} from '../../schemas/common.ts'
import { kinds } from '../../schemas/kinds.ts'
import { ChangeEvents, StreamHeaders, StreamQuery } from '../../schemas/stream.ts'
import { UndoRequest, undoAnswer, undoExamples, undoRefusal } from '../../schemas/undo.ts'

const config = { allow: ['session', 'agent', 'jwt'], scope: 'any' } as const

const toUndo =
  'Undoes a run or single changes, newest first: deletes what was created, restores what was deleted, puts old values back. A row that has changed since stays.'
const ofUndo = 'An undo can be undone.'

/** What a user and the user's programs have changed, and undo. */
const activity: FastifyPluginAsyncTypebox = async (app) => {
  const wanted = {
    listActivity: 'changes; poll with `after`',
    activityRuns: 'runs',
    undoActivity: 'undo a run'
  }
  const what = 'What you and your programs have changed, and how to undo it.'
  app.tag('activity', what, app.activity.isOn ? wanted : {})

  if (app.activity.isOn) {
    app.dataExport.add(
      rowsPart('activity.json', 'What you and your programs have changed.', (request) =>
        pagesOf(async (page) => {
          const { changes: rows, next_cursor } = await listChanges(request, page)
          return { rows, next_cursor }
        })
      )
    )
  }

  app.get(
    '/activity/index',
    {
      config: {
        ...config,
        minimal: true,
        fails: ['CHANGES-GONE'],
        mcp: {
          description:
            'Changes of all your programs, newest first; `return: minimal`: no rows, no authors.'
        }
      },
      schema: {
        operationId: 'listActivity',
        summary: 'List changes',
        description:
          'Newest first, of the kinds that your credential may read. With `Prefer: return=minimal`, without rows.',
        querystring: ChangeQuery,
        response: {
          200: success(
            {
              changes: newestFirst(Change),
              more: More,
              next_cursor: NextCursor,
              next_after: NextAfter
            },
            { example: { changes: Change.examples, more: false, next_cursor: null, next_after: 7 } }
          )
        }
      }
    },
    async (request, reply) => {
      const page = await listChanges(request, request.query)
      if (!prefers(request, 'return=minimal')) return ok(page)
      confirm(reply, 'return=minimal')
      const changes = page.changes.map(({ id, at, run, kind, key, action, undone }) => ({
        ...{ id, at, run, kind, key, action, undone }
      }))
      return ok({ ...page, changes })
    }
  )

  app.get(
    '/activity/stream',
    {
      ...openTo(kinds.some(isPublicKind), {
        ...config,
        fails: ['CHANGES-GONE', 'NOT-FOUND', 'SCOPE-INSUFFICIENT'],
        offeredTo: (identity) => app.activity.readable(identity).length > 0,
        isEndless: true,
        mcp: false
      }),
      schema: {
        operationId: 'streamActivity',
        summary: 'Follow changes',
        description:
          'Your own changes of the kinds that your credential may read, as they are committed: an event `change` for each, with `id` and, in `data`, the change as the list shows it; a comment every 15 s. It ends with the credential. Come back with the last `id`: nothing is left out. At most 10 at once. 404 if changes are not recorded.',
        querystring: StreamQuery,
        headers: StreamHeaders,
        response: { 200: ChangeEvents }
      }
    },
    async (request, reply) => {
      if (!app.activity.isOn) fail('NOT-FOUND')
      if (app.activity.readable(request.identity).length === 0) {
        failScope(app, request.viewer, 'todo:read')
      }
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send('')
      const last = request.headers['last-event-id']
      const after = last === undefined ? request.query.after : Number(last)
      await app.changeStreams.open(request, reply, after)
      return reply
    }
  )

  app.get(
    '/activity/runs',
    {
      config: {
        ...config,
        mcp: {
          name: 'list_runs',
          description: 'Runs of all your programs, the last change first.'
        }
      },
      schema: {
        operationId: 'activityRuns',
        summary: 'List runs',
        description:
          'Your runs with changes that your credential may read, the newest change first.',
        querystring: PageQuery,
        response: {
          200: success({
            runs: Type.Array(ref(Run), { description: 'The run with the newest change is first.' }),
            next_cursor: NextCursor
          })
        }
      }
    },
    async (request) => ok(await listRuns(request, request.query))
  )

  app.post(
    '/activity/undo',
    {
      config: {
        ...config,
        ...undoing,
        fails: ['RUN-NOT-FOUND', 'FORBIDDEN', 'CONFLICT', 'BUDGET-SPENT', 'SCOPE-INSUFFICIENT'],
        failureFields: { CONFLICT: undoRefusal },
        mcp: {
          destructive: true,
          description: `Undoes a run, or changes by their ids. A row that has changed since stays, and is among \`conflicts\`. ${ofUndo}`
        }
      },
      schema: {
        operationId: 'undoActivity',
        summary: 'Undo changes',
        description: `${toUndo} 200 if all were undone, 207 if some, 409 if none. ${ofUndo}`,
        headers: IdempotencyKey,
        body: ref(UndoRequest),
        response: successOfMany(undoAnswer, undoExamples)
      }
    },
    (request, reply) => {
      const { dry_run = false } = request.body
      return idempotentEffect(request, reply, () =>
        answerUndo(request, reply, dry_run, () => undoOwn(request, request.body))
      )
    }
  )
}

export default activity
