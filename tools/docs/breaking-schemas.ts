import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../../plugins/reporting/openapi/document.ts'
import { commonForm } from '../../plugins/reporting/openapi/shape.ts'

/** Requests may become less restricted, and answers may have more: neither breaks callers. */
export type Direction = 'request' | 'answer'

type Resolve = (schema: Schema) => Schema

const upperLimits = ['maxLength', 'maximum', 'maxItems'] as const
const lowerLimits = ['minLength', 'minimum', 'minItems'] as const

/**
 * Reports how a schema of a document breaks callers who know that of an earlier one. Each document has a function
 * that follows its references.
 */
export function schemaComparison(
  resolveOld: Resolve,
  resolveNew: Resolve,
  report: (change: string) => void
) {
  /** The schemas that are being compared, to notice circles. */
  const open = new Set<Schema>()

  function compare(
    place: string,
    old: Schema | undefined,
    now: Schema | undefined,
    direction: Direction
  ) {
    if (!old || !now) return
    const before = resolveOld(old)
    // A schema can refer to itself.
    if (open.has(before)) return
    open.add(before)
    // A change of form alone breaks nobody: values stay the same, and so do the types that generators read from them.
    compareParts(place, commonForm(before), commonForm(resolveNew(now)), direction)
    open.delete(before)
  }

  function compareParts(place: string, before: Schema, after: Schema, direction: Direction) {
    if (
      !isOfType(before, after, direction) ||
      !before.anyOf !== !after.anyOf ||
      !before.oneOf !== !after.oneOf
    ) {
      report(`${place}: has another type`)
      return
    }
    if (losesValues(before, after, direction)) report(`${place}: takes other values`)
    if (direction === 'request') compareLimits(place, before, after)

    const { properties = {} } = after
    for (const [name, property] of Object.entries(before.properties ?? {})) {
      if (!properties[name]) report(`${place}: ${name} is gone`)
      else compare(`${place} ${name}`, property, properties[name], direction)
    }
    const [must, may] = direction === 'request' ? [after, before] : [before, after]
    for (const name of must.required ?? []) {
      const isGone = direction === 'answer' && !properties[name]
      if (may.required?.includes(name) || isGone) continue
      const change = direction === 'request' ? 'is required' : 'does not always come'
      report(`${place}: ${name} ${change}`)
    }
    compare(`${place}[]`, before.items, after.items, direction)
    for (const kind of ['anyOf', 'oneOf'] as const) {
      for (const [index, choice] of (before[kind] ?? []).entries()) {
        const now = after[kind]?.[index]
        if (!now) report(`${place}: has fewer choices`)
        else compare(place, choice, now, direction)
      }
    }
  }

  function compareLimits(place: string, before: Schema, after: Schema) {
    // Where texts are new, no pattern is.
    const isText = [before.type ?? 'string'].flat().includes('string')
    const changed = [
      ...upperLimits.filter((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)),
      ...lowerLimits.filter((name) => (after[name] ?? -Infinity) > (before[name] ?? -Infinity)),
      ...(['pattern', 'format'] as const).filter(
        (name) =>
          after[name] !== undefined &&
          after[name] !== before[name] &&
          (isText || name !== 'pattern')
      )
    ]
    for (const name of changed) report(`${place}: ${name} is ${after[name]}`)
  }

  return compare
}

/** Whether callers can go on: a request may take other types too, an answer has those that it had. */
function isOfType(before: Schema, after: Schema, direction: Direction) {
  const types = [before, after].map(({ type = [] }) => new Set([type].flat()))
  const [old = new Set(), now = new Set()] = types
  if (direction === 'answer' || old.size === 0) return isDeepStrictEqual(old, now)
  return [...old].every((type) => now.has(type))
}

/** New values in an answer break nobody: callers are told to expect them. */
function losesValues(before: Schema, after: Schema, direction: Direction) {
  const [old, now] = [before.enum ?? [], after.enum ?? []]
  const isLost = old.some((value) => !now.includes(value))
  if (direction === 'answer') return isLost && old.length === 1
  // Without a list, any value will do.
  return now.length > 0 && (isLost || old.length === 0)
}
