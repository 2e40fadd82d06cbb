import { fail } from './errors.ts'

/** From each state, the states that may follow. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/**
 * A workflow over a map of transitions.
 *
 * ```ts
 * const flow = workflow({ open: ['closed'], closed: [] })
 * flow.check('open', 'closed')
 * ```
 *
 * The check alone does not change anything: write with `WHERE state = from`, so that of two
 * transitions at once one finds no row, and end that one with `flow.refuse(from)`.
 */
export function workflow<State extends string>(transitions: Transitions<State>) {
  /** Ends with INVALID-TRANSITION; the answer says where the resource could go. */
  const refuse = (from: State): never =>
    fail('INVALID-TRANSITION', { data: { allowed_next: transitions[from] } })

  return {
    allowedNext: (state: State) => transitions[state],
    refuse,
    check(from: State, to: State) {
      if (!transitions[from].includes(to)) refuse(from)
    }
  }
}
