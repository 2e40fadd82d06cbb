import type { Value } from '../connection.ts'

/** Values of a row as they are kept: objects and lists as text. */
export const stored = (values: object): Record<string, Value> =>
  Object.fromEntries(
    Object.entries<Value | object>({ ...values }).map(([name, value]) => [
      name,
      value instanceof Object ? JSON.stringify(value) : value
    ])
  )
