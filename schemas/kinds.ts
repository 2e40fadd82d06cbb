/**
 * The kinds of rows whose changes are recorded, and what people call several of them. A kind is also the
 * first word of its paths and scopes, and of the codes of a missing and an unknown key.
 */
const plurals = {
  todo: 'todos',
  memo: 'memos',
  attachment: 'files'
} as const
export type Kind = keyof typeof plurals
export const kinds = Object.keys(plurals) as Kind[]

/** What people call several rows of a kind: `todos`. */
export const pluralOf = (kind: Kind) => plurals[kind]

/** What people call what the first word of a scope stands for, of the user: `your todos`. */
export const ownPlural = (area: string) =>
  `your ${(plurals as Readonly<Record<string, string>>)[area] ?? `${area}s`}`
