import type { FastifyReply, FastifyRequest } from 'fastify'
import { Referenced, type Released } from '../../db/own/references.ts'
import type { Repositories } from '../../db/repositories/index.ts'
import { UnstorableText } from '../../db/statement.ts'
import { catalog } from '../../schemas/errors.ts'
import type { BatchFailure } from '../../schemas/failures.ts'
import { Failure, fail, toFailure } from '../http/errors/index.ts'
import { confirm, prefers } from '../http/prefer.ts'
import type { Checked } from '../http/validation/checker.ts'
import { rolledBack } from './dry-run.ts'

/** The result of one item: what to show of its row, what if only keys are wanted, and what became of other rows. */
type Done<Row, Keys> = { row: Row; keys: Keys; released?: Released }

/** The result of one item, as it is answered. */
type Result<Shown> = BatchFailure | ({ index: number; status: 'success' } & Shown)

interface Batch<Item, Row, Keys> {
  /** The items as they were sent, not yet validated. */
  items: unknown[]
  check(item: unknown): Checked<Item>
  /** Handles one valid item, or fails before it has changed anything. Called in the order of the request. */
  one(repos: Repositories, item: Item): Promise<Done<Row, Keys>>
  /** Whether nothing is to be done: the answer then says what would happen, with keys only. */
  dry_run?: boolean | undefined
  /** What the answer says of what became of other rows. */
  others?(released: readonly Released[]): object
}

/** The failure of one item alone: those that are found before anything is written. */
function failureOf(error: unknown): Failure {
  const ofItem = [Failure, UnstorableText, Referenced].some((kind) => error instanceof kind)
  if (error instanceof Error && ofItem) return toFailure(error)
  throw error
}

/**
 * Handles many items in one transaction, and validates each by itself. Answers 200 if all succeed and
 * 207 if some do; fails with BATCH-ITEM-FAILED if none does. With `Prefer: return=minimal`, the answer
 * has only the keys.
 */
export async function runBatch<Item, Row extends object, Keys extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, check, one, dry_run = false, others = () => ({}) }: Batch<Item, Row, Keys>
) {
  const isMinimal = prefers(request, 'return=minimal')
  async function run(repos: Repositories) {
    const done: Result<Row | Keys>[] = []
    const released: Released[] = []
    for (const [index, item] of items.entries()) {
      const { failure, value } = check(item)
      const result = failure ?? (await one(repos, value).catch(failureOf))
      if (result instanceof Failure) {
        const { code, data } = result
        const errorMessage = catalog[code].message
        done.push({ index, status: 'failure', errorCode: code, errorMessage, ...data })
      } else {
        if (result.released) released.push(result.released)
        const shown = isMinimal || dry_run ? result.keys : result.row
        done.push({ index, status: 'success', ...shown })
      }
    }
    return { results: done, told: others(released) }
  }
  const { results, told } = dry_run
    ? await rolledBack(request, run)
    : await request.transaction(run)
  if (isMinimal) confirm(reply, 'return=minimal')

  const failed = results.filter(({ status }) => status === 'failure').length
  const all = { items: results, succeeded: results.length - failed, failed }
  if (failed > 0 && failed === results.length) fail('BATCH-ITEM-FAILED', { data: all })
  const Data = { ...all, ...told, ...(dry_run && { dry_run }) }
  if (failed === 0) return { Result: true as const, Data: { status: 'success' as const, ...Data } }
  reply.code(207)
  return { Result: true as const, Data: { status: 'partial' as const, ...Data } }
}
