import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { absent } from '../../db/statement.ts'
import { conflict, fail } from '../../plugins/http/errors/index.ts'
import { lineOf } from '../../plugins/patterns/activity/sentence.ts'
import { form } from '../../plugins/patterns/pages/form.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { addPage } from '../../plugins/patterns/pages/page.ts'
import { workflow } from '../../plugins/patterns/workflow.ts'
import { PageQuery, pageOf, paginate } from '../../schemas/common.ts'
import { memo as area, type Memo, MemoKey, NewMemo } from '../../schemas/memo.ts'

const url = '/memo/board'
const Query = Type.Object({
  cursor: PageQuery.properties.cursor,
  q: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' }))
})
const Version = Type.Integer({ minimum: 1 })
const Existing = Type.Object({ ...MemoKey.properties, version: Version })
const Edit = Type.Object({ ...Existing.properties, ...NewMemo.properties })
const Move = Type.Object({ ...MemoKey.properties, to_state: Type.String({ maxLength: 40 }) })

const words = { body: 'Write something, at most 10,000 characters.' }

/** What the button of a transition says. */
const verbs: Readonly<Record<string, string>> = {
  draft: 'Back to draft',
  published: 'Publish',
  archived: 'Archive'
}

const flow = workflow(area.states)

/** The page of the signed-in user's memos. Its forms do the same as the JSON operations of the memo area. */
const board: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const { memos } = app.repos
  const keyOf = (id: number, { viewer }: FastifyRequest) => ({ id, user_id: viewer.user.id })
  const find = async (id: number, request: FastifyRequest) =>
    (await memos.find(keyOf(id, request))) ?? fail('MEMO-NOT-FOUND')

  addPage(app, options, {
    url,
    title: 'Memos',
    link: 'Memos',
    view: 'routes/memo/board',
    query: Query,
    bodyLimit: 256 * 1024,
    forms: {
      write: form(app, NewMemo, {
        once: true,
        async run({ body }, request) {
          const by = request.actor
          const user_id = request.viewer.user.id
          const memo = {
            ...absent(NewMemo),
            body,
            user_id,
            by,
            max: options.SVC_USER_MEMOS_MAX
          }
          if (!(await request.repos.memos.insert(memo))) conflict('quota')
          return undefined
        },
        words
      }),
      change: form(app, Edit, {
        done: 'The memo was changed.',
        isUndoable: true,
        async run({ id, version: ifVersion, body }, request) {
          const key = keyOf(id, request)
          const by = request.actor
          const changed = await request.repos.memos.update({
            ...absent(NewMemo),
            ...{ ...key, by, ifVersion, body }
          })
          if (!changed) {
            await find(id, request)
            fail('PRECONDITION-FAILED')
          }
          return undefined
        },
        words: {
          ...words,
          'PRECONDITION-FAILED':
            'Somebody else has changed this memo in the meantime. Both texts are shown.'
        }
      }),
      move: form(app, Move, {
        done: 'The memo was moved.',
        isUndoable: true,
        async run({ id, to_state }, request) {
          const { state: from, version: ifVersion } = await find(id, request)
          const to = flow.next(from, to_state)
          const by = request.actor
          const moved = { ...keyOf(id, request), by, ifVersion, from, to }
          if (!(await request.repos.memos.transition?.(moved))) fail('PRECONDITION-FAILED')
          return undefined
        },
        words: {
          'INVALID-TRANSITION': 'The memo is in another state now, and cannot move there from it.'
        }
      }),
      delete: form(app, Existing, {
        done: 'The memo was deleted.',
        isUndoable: true,
        async ask({ id }, request) {
          const { body } = await find(id, request)
          const title = `Delete “${lineOf(body)}”?`
          return { title, text: 'It cannot be restored.', button: 'Delete' }
        },
        async run({ id, version: ifVersion }, request) {
          const key = { ...keyOf(id, request), by: request.actor, ifVersion }
          if (!(await request.repos.memos.remove(key))) {
            await find(id, request)
            fail('PRECONDITION-FAILED')
          }
          return undefined
        },
        words: {
          'PRECONDITION-FAILED':
            'Somebody else has changed this memo in the meantime. Look at it first.'
        }
      })
    },
    async load({ viewer }, { q, ...query }) {
      const user_id = viewer.user.id
      // Read first: what changes between the two is told once the page is open.
      const after = app.activity.isOn ? await app.repos.feed.newest({ user_id }) : null
      const page = { limit: 20, ...query }
      const { rows, rest } = await memos.search({ user_id, q: q || undefined, ...pageOf(page) })
      const { items, next_cursor } = paginate(rows, page, { rest })
      return { after, q, next_cursor, memos: items.map(shown) }
    }
  })
}

const shown = (memo: Memo) => ({
  ...memo,
  name: lineOf(memo.body) || `memo ${memo.id}`,
  moves: flow.allowedNext(memo.state).map((state) => ({ state, verb: verbs[state] }))
})

export default board
