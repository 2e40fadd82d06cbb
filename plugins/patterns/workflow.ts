import type { States } from '../../schemas/area/patterns.ts'
import { fail } from '../http/errors/index.ts'

/**
 * A workflow over a map of transitions.
 *
 * ```ts
 * const flow = workflow({ open: ['closed'], closed: [] })
 * flow.next('open', 'closed')
 * ```
 *
 * `next` changes nothing: write with `WHERE state = from`. If two transitions run at once, one of the
 * writes finds no row. It must read the new state and call `next` again.
 */
export const workflow = (states: States) => ({
  allowedNext: (from: string) => states[from] ?? [],

  /** Returns the state `to`. Fails with INVALID-TRANSITION if it may not follow `from`; the answer says the state and those that may. */
  next: (from: string, to: string): string =>
    states[from]?.find((state) => state === to) ??
    fail('INVALID-TRANSITION', { data: { state: from, allowed_next: states[from] ?? [] } })
})
