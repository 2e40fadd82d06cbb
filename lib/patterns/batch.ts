import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Repositories } from '../../db/repositories/index.ts'
import { UnstorableText } from '../../db/statement.ts'
import { Failure, fail, toFailure } from '../../plugins/http/errors.ts'
import { confirm, prefers } from '../../plugins/http/prefer.ts'
import { catalog } from '../../schemas/errors.ts'
import type { BatchFailure } from '../../schemas/failures.ts'

/** The result of one item: its key, and the row to show. */
type Done<Row> = { id: number; row: Row }

/** The result of one item, as it is answered. */
type Result<Row> =
  | BatchFailure
  | ({ index: number; status: 'success' } & Row)
  | { index: number; status: 'success'; id: number }

/** The result of checking one item (`app.check`). */
type Checked<Item> = { failure: Failure; value: null } | { failure: null; value: Item }

interface Batch<Item, Row> {
  /** The items as they were sent, not yet validated. */
  items: unknown[]
  check(item: unknown): Checked<Item>
  /** Handles one valid item, or fails before it has changed anything. Called in the order of the request. */
  one(repos: Repositories, item: Item): Promise<Done<Row>>
}

/** The failure of one item alone. Text that cannot be stored is found before the statement is sent. */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure || error instanceof UnstorableText) return toFailure(error)
  throw error
}

/**
 * Handles many items in one transaction, and validates each by itself. Answers 200 if all succeed and
 * 207 if some do; fails with BATCH-ITEM-FAILED if none does. With `Prefer: return=minimal`, the answer
 * has only the keys.
 */
export async function runBatch<Item, Row extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, check, one }: Batch<Item, Row>
) {
  const isMinimal = prefers(request, 'return=minimal')
  const results = await request.transaction(async (repos) => {
    const done: Result<Row>[] = []
    for (const [index, item] of items.entries()) {
      const { failure, value } = check(item)
      const result = failure ?? (await one(repos, value).catch(failureOf))
      if (result instanceof Failure) {
        const { code, data } = result
        const errorMessage = catalog[code].message
        done.push({ index, status: 'failure', errorCode: code, errorMessage, ...data })
      } else {
        const shown = isMinimal ? { id: result.id } : result.row
        done.push({ index, status: 'success', ...shown })
      }
    }
    return done
  })
  if (isMinimal) confirm(reply, 'return=minimal')

  const failed = results.filter(({ status }) => status === 'failure').length
  const Data = { items: results, succeeded: results.length - failed, failed }
  if (failed === 0) return { Result: true as const, Data: { status: 'success' as const, ...Data } }
  if (failed === results.length) fail('BATCH-ITEM-FAILED', { data: Data })
  reply.code(207)
  return { Result: true as const, Data: { status: 'partial' as const, ...Data } }
}
