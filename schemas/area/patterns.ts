import type { Fields } from './field.ts'
import { refuse } from './names.ts'

/** From each state, the states that may follow. A new row has the first. */
export type States = Readonly<Record<string, readonly string[]>>

/** The patterns of conditional writes and of workflows (contract MEMO-1, MEMO-2), as an area names them. */
export interface Patterns {
  readonly versions?: boolean | undefined
  readonly states?: States | undefined
}

/** The fields that the service itself writes for these patterns. */
export const patternFields = ({ versions, states }: Patterns): Fields => ({
  ...(states && {
    state: {
      ...{ type: 'one-of', of: Object.keys(states), default: Object.keys(states)[0] ?? '' },
      description: 'Where it is in its workflow; `PUT /state` moves it'
    }
  }),
  ...(versions && {
    version: {
      ...{ type: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER, default: 1 },
      description: 'Grows by one with every change; the `ETag` names it'
    }
  })
})

/** @throws Refusal if these patterns cannot be, with these fields */
export function checkPatterns(patterns: Patterns, fields: Fields): void {
  for (const name of Object.keys(patternFields(patterns))) {
    if (Object.hasOwn(fields, name)) refuse(`${name} is a field already, so it is no pattern too`)
  }
  const { states } = patterns
  if (!states) return
  const names = Object.keys(states)
  if (names.length < 2 || names.length > 50) refuse('states are 2 to 50')
  const unknown = Object.values(states)
    .flat()
    .find((next) => !names.includes(next))
  if (unknown !== undefined) refuse(`states: there is no state ${unknown}`)
}
