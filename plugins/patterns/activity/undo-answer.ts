import type { FastifyReply, FastifyRequest } from 'fastify'
import { kindOf } from '../../../schemas/activity.ts'
import { ok } from '../../../schemas/common.ts'
import type { Conflict } from '../../../schemas/undo.ts'
import { conflict, fail } from '../../http/errors/index.ts'
import { confirm, prefers } from '../../http/prefer.ts'
import type { Identity } from '../../identity/identity.ts'
import { oneAtATime, undoneBy, type undoOwn } from './own-activity.ts'

/** The `config` of an operation that undoes. */
export const undoing = {
  minimal: true,
  undoes: true,
  offeredTo: ({ token }: Identity) => !token || token.scopes.some((scope) => kindOf(scope))
} as const

/** Answers an undo: 200 if all was undone, 207 if some, CONFLICT if nothing. Call it outside any transaction. */
export function answerUndo(
  request: FastifyRequest,
  reply: FastifyReply,
  isDry: boolean,
  work: () => ReturnType<typeof undoOwn>
) {
  const isMinimal = prefers(request, 'return=minimal')
  async function undo() {
    const { undone, ...rest } = await work()
    if (isMinimal) confirm(reply, 'return=minimal')
    const all = { undone: isMinimal ? undone.map(({ id }) => ({ id })) : undone, ...rest }
    const isWhole = rest.conflicts.length === 0 && !rest.more
    if (undone.length === 0 && !isWhole) {
      if (rest.conflicts.every(({ reason }) => reason === 'of_another')) {
        fail('FORBIDDEN', { data: { message: ofAnother } })
      }
      const undone_by = await undoneBy(request, rest.conflicts)
      const data = { message: messageOf(rest.conflicts, undone_by), ...all }
      if (undone_by === null) conflict('changed', { data })
      conflict('undone', { data: { ...data, undone_by } })
    }
    const Data = { ...all, ...(isDry && { dry_run: true as const }) }
    if (isWhole) return ok(Data)
    reply.code(207)
    return { Result: true as const, Data: { status: 'partial' as const, ...Data } }
  }
  // A dry run needs a transaction of its own, which it rolls back.
  const run = () => (isDry ? undo() : request.complete(undo))
  // As a step of a plan it is in the plan's transaction, in which nothing may wait for its turn.
  return request.openTransaction ? run() : oneAtATime(request, run)
}

const ofAnother =
  'Another made this change, in a row of another: who made it undoes it, or the owner of the row.'

/** Why nothing was undone. */
function messageOf(conflicts: readonly Conflict[], undone_by: string | null) {
  if (undone_by !== null) return `It was already undone by ${undone_by}.`
  if (conflicts.every(({ reason }) => reason === 'unknown')) {
    return 'No recorded change has such an id.'
  }
  if (conflicts.every(({ reason }) => reason === 'changed')) {
    return 'Nothing was undone: what it would put back has changed since.'
  }
  return 'Nothing was undone: `conflicts` says why of each change.'
}
