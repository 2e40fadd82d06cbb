import { checkIndexable, type Fields } from './field.ts'
import { refuse } from './names.ts'

/** Lists of columns: two rows of a user never have the same values in all of one list. */
export type Unique = readonly (readonly string[])[]

interface Described {
  readonly fields: Fields
  readonly unique?: Unique
}

/** Those of fields alone, then those of several together. */
export const uniqueOf = ({ fields, unique = [] }: Described): Unique => [
  ...Object.entries(fields).flatMap(([name, field]) => (field.unique ? [[name]] : [])),
  ...unique
]

const most = 10

/** @throws Refusal if `unique` of an area names no fields that can be */
export function checkUnique(unique: unknown, fields: Fields): void {
  if (unique === undefined) return
  const lists: unknown[] = Array.isArray(unique) ? unique : [null]
  if (lists.length > most) refuse(`unique has at most ${most} lists`)
  for (const list of lists) {
    const names: unknown[] = Array.isArray(list) ? list : []
    if (names.length < 2 || names.length > 5 || new Set(names).size < names.length)
      refuse('unique is a list of lists of 2 to 5 fields: [["recipe", "day"]]')
    for (const name of names) {
      const field = typeof name === 'string' && Object.hasOwn(fields, name) && fields[name]
      if (!field) refuse(`unique: there is no field ${String(name)}`)
      checkIndexable(String(name), field)
    }
  }
}
