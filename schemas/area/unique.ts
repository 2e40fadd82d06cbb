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

/** @throws Refusal if `unique` of an area names no fields that can be */
export function checkUnique(unique: Unique | undefined, fields: Fields): void {
  for (const name of (unique ?? []).flat()) {
    const field = Object.hasOwn(fields, name) && fields[name]
    if (!field) refuse(`unique: there is no field ${name}`)
    checkIndexable(field)
  }
}
