import type { FastifyRequest } from 'fastify'
import { comparisons } from './difference.ts'
import { labeller } from './labels.ts'
import { type listChanges, shownChange, whoOf } from './own-activity.ts'
import { sentenceOf } from './sentence.ts'

type Change = Awaited<ReturnType<typeof listChanges>>['changes'][number]

/** Changes of the caller as a page shows them: who made each, and a sentence. */
export async function shownChanges(request: FastifyRequest, changes: Change[]) {
  const { server: app, viewer } = request
  const ids = JSON.stringify([...new Set(changes.map(({ token_id }) => token_id ?? 0))])
  const tokens = await app.repos.accessTokens.names({ user_id: viewer.user.id, ids })
  const tokenOf = new Map(tokens.map((token) => [token.id, token]))
  const { user_id: login } = viewer.user
  const { named } = app.activity
  const words = { named, isDone: true, compare: comparisons() }
  const label = await labeller(request, changes)
  return changes.map((change) => {
    const { by = login, before, after } = change
    const isOwn = by === login
    return {
      ...change,
      who: isOwn ? whoOf(change.via, tokenOf.get(change.token_id ?? 0)) : by,
      /** Who made it undoes it, and the owner of the row. */
      canUndo: !change.undone && (isOwn || Object(after ?? before).owner === login),
      sentence: sentenceOf(label(change), words)
    }
  })
}

/** Changes of the caller by their ids, in sentences without fields: of what was done, or of what it was to do. */
export async function sentencesOf(
  request: FastifyRequest,
  ids: readonly number[],
  isDone: boolean
) {
  const { server: app, viewer } = request
  const own = { user_id: viewer.user.id, ids: JSON.stringify(ids) }
  const rows = ids.length > 0 ? await app.repos.feed.those(own) : []
  const changes = rows.map(shownChange)
  const label = await labeller(request, changes)
  const words = { named: app.activity.named, isDone, compare: comparisons(0) }
  return new Map(changes.map((change) => [change.id, sentenceOf(label(change), words)]))
}
