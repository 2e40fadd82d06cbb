import type { FastifyInstance } from 'fastify'
import { ok } from '../../../schemas/common.ts'
import type { Plan } from '../../../schemas/plan.ts'

/** A plan without what it is long by. Of what it has changed, what was done to which rows. */
export function short<Short extends Omit<Plan, 'steps' | 'changes'>>({
  steps: _steps,
  changes,
  ...plan
}: Short & Partial<Plan>) {
  if (plan.state !== 'applied' || !changes) return plan
  const done = Map.groupBy(changes, ({ action, kind }) => `${action} ${kind}`)
  const rows = [...done.values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const { kind, action } = first
    return [{ kind, action, keys: [...new Set(of.map(({ key }) => key))] }]
  })
  return { ...plan, rows }
}

/** The answer that tells of a plan, with how it stands in words. */
export function answerOf(
  { baseUrl }: FastifyInstance,
  plan: Plan,
  { isShort = false, isRepeated = false } = {}
) {
  const repeated = isRepeated && plan.state === 'pending' ? `${sameWaits} ` : ''
  const message = repeated + standing(plan.state, baseUrl)
  return ok({ plan: isShort ? short(plan) : plan, message })
}

const sameWaits =
  'This is the plan that you have proposed before, which still waits: another one takes a new `Idempotency-Key`.'

function standing(state: Plan['state'], baseUrl: string) {
  if (state === 'applied') return 'It was approved, and is done.'
  if (state !== 'pending') return `Nothing of it was done, and nothing will be: it is ${state}.`
  return `Nothing has happened yet. A person must approve it at ${baseUrl}/plan/board.`
}
