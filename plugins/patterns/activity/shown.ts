import type { FastifyRequest } from 'fastify'
import { time } from '../pages/page.ts'
import { comparisons } from './difference.ts'
import { type listChanges, whoOf } from './own-activity.ts'
import { sentenceOf } from './sentence.ts'

type Change = Awaited<ReturnType<typeof listChanges>>['changes'][number]

/** Changes of the caller as a page shows them: who made each, and a sentence. */
export async function shownChanges({ server: app, viewer }: FastifyRequest, changes: Change[]) {
  const ids = JSON.stringify([...new Set(changes.map(({ token_id }) => token_id ?? 0))])
  const tokens = await app.repos.accessTokens.names({ user_id: viewer.user.id, ids })
  const tokenOf = new Map(tokens.map((token) => [token.id, token]))
  const { named } = app.activity
  const words = { named, isDone: true, time, compare: comparisons() }
  return changes.map((change) => ({
    ...change,
    who: whoOf(change.via, tokenOf.get(change.token_id ?? 0)),
    sentence: sentenceOf(change, words)
  }))
}
