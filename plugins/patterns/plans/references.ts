import type { PlanStep } from '../../../schemas/plan.ts'

/** The row that a named step made or changed; undefined if there is not exactly one. */
export type NamedRows = ReadonlyMap<string, Readonly<Record<string, unknown>> | undefined>

/** The same in the middle of a text, where it is none. */
const inText = /\$([A-Za-z][A-Za-z0-9_]{0,31})\.[a-z]/g

const reference = /^\$([A-Za-z][A-Za-z0-9_]{0,31})\.([a-z][a-z0-9_]*)$/

/**
 * The arguments of a step, with values of earlier rows where it refers to them. `refuse` takes the argument of a
 * reference that names nothing.
 */
export function resolve(
  given: PlanStep['arguments'],
  rows: NamedRows,
  refuse: (field: string, message: string) => void
) {
  function referred(text: string, field: string) {
    if (!text.startsWith('$') || text.startsWith('$$') || !reference.test(text)) {
      const [, named] = [...text.matchAll(inText)].find(([, name = '']) => rows.has(name)) ?? []
      if (named !== undefined) {
        const message = `has $${named} inside a text: only a whole value refers to a step`
        refuse(field, message)
        return null
      }
    }
    if (text.startsWith('$$')) return text.slice(1)
    if (!text.startsWith('$')) return text
    const [, name = '', member = ''] = reference.exec(text) ?? []
    const row = rows.get(name)
    if (row && Object.hasOwn(row, member)) return row[member]
    refuse(field, problemOf(name, member))
    return null
  }

  function problemOf(name: string, member: string) {
    if (name === '') return 'must be `$step.field`; write `$$` for a text that begins with `$`'
    if (!rows.has(name)) return `refers to ${name}, which is no earlier step`
    return rows.get(name)
      ? `refers to ${member}, which the row of ${name} does not have`
      : `refers to ${name}, which makes or changes no single row`
  }

  function walk(value: unknown, field: string): unknown {
    if (typeof value === 'string') return referred(value, field)
    if (Array.isArray(value)) return value.map((one, index) => walk(one, `${field}.${index}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, walk(one, `${field}.${name}`)])
    )
  }

  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, walk(value, name)]))
}

/** Arguments in which no text refers to a step. */
export function literal(given: PlanStep['arguments']): PlanStep['arguments'] {
  return JSON.parse(JSON.stringify(given), (_name, value) =>
    typeof value === 'string' && value.startsWith('$') ? `$${value}` : value
  )
}
