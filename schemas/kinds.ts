import { declaredAreas } from './area/declared.ts'
import { namesOf, refuse } from './area/names.ts'

/**
 * The kinds of rows whose changes are recorded, and what people call several of them. A kind is also the
 * first word of its paths and scopes, and of the codes of a missing and an unknown key.
 */
const plurals = {
  todo: 'todos',
  memo: 'memos',
  attachment: 'files'
} as const
/** The kinds that code knows. Those of declared areas are added here, once, and code treats them all alike. */
export type Kind = keyof typeof plurals

const declared = declaredAreas().map(({ name }) => {
  if (Object.hasOwn(plurals, name)) refuse(`${name}.json: an area of this name is in the code`)
  return [name, namesOf(name).many]
})
const all: Readonly<Record<string, string>> = { ...plurals, ...Object.fromEntries(declared) }
export const kinds = Object.keys(all) as Kind[]

/** What people call several rows of a kind: `todos`. */
export const pluralOf = (kind: string) => all[kind] ?? `${kind}s`

/** What people call what the first word of a scope stands for, of the user: `your todos`. */
export const ownPlural = (area: string) => `your ${pluralOf(area)}`
