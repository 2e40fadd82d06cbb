import type { FastifyReply, FastifyRequest } from 'fastify'
import { ok } from '../../../schemas/common.ts'
import { conflict } from '../../http/errors/index.ts'
import { confirm, prefers } from '../../http/prefer.ts'
import { oneAtATime, undoneBy, type undoOwn } from './own-activity.ts'

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
      const undone_by = await undoneBy(request, rest.conflicts)
      if (undone_by === null) conflict('changed', { data: all })
      conflict('undone', { data: { ...all, undone_by } })
    }
    const Data = { ...all, ...(isDry && { dry_run: true as const }) }
    if (isWhole) return ok(Data)
    reply.code(207)
    return { Result: true as const, Data: { status: 'partial' as const, ...Data } }
  }
  // A dry run needs a transaction of its own, which it rolls back.
  return oneAtATime(request, () => (isDry ? undo() : request.complete(undo)))
}
