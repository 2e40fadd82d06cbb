import { fail } from '../http/errors/index.ts'

/** From each state, the states that may follow. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

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
export function workflow<State extends string>(transitions: Transitions<State>) {
  return {
    allowedNext: (from: State): readonly State[] => transitions[from],

    /** Returns the state `to`. Fails with INVALID-TRANSITION if it may not follow `from`, or is none; the answer says the state and those that may. */
    next: (from: State, to: string): State =>
      transitions[from].find((state) => state === to) ??
      fail('INVALID-TRANSITION', { data: { state: from, allowed_next: transitions[from] } })
  }
}
