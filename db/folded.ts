import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from './query.ts'
import type { Reader } from './statement.ts'

/** What a search does not see: accents and points of any script, and characters that nobody sees. */
const unseen = /[\p{Cf}[\p{M}&&[\p{Diacritic}\p{Script=Inherited}]]]/gv

/** Letters that have an accent by their looks, but are one character in every form. */
const letters: Readonly<Record<string, string>> = {
  ...{ Æ: 'AE', Œ: 'OE', Ĳ: 'IJ' },
  ...{ Đ: 'D', Ð: 'D', Ħ: 'H', Ł: 'L', Ŀ: 'L', Ø: 'O', Ŧ: 'T' }
}
const isLetter = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/**
 * A text as a search compares it: without case and accents, in one form (NFC). Of ASCII it is what `upper` of both
 * databases gives.
 */
export const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(unseen, '')
    // Small letters first: a capital ẞ has no other capital. Capital ones last: σ and ς have the same.
    .toLowerCase()
    .toUpperCase()
    .replace(isLetter, (letter) => letters[letter] ?? letter)
    .normalize('NFC')

/**
 * The column that stands beside a column of texts: its text, folded. Null for ASCII, so that most rows have nothing in it.
 * No field has such a name.
 */
export const foldedColumn = (text: string) => `${text}__folded`

const beyondAscii = /[^\0-\x7f]/

/** What the folded columns of these texts get with some values: those that are not named get null. */
export function foldedOf(texts: readonly string[], values: object) {
  const given = new Map<string, unknown>(Object.entries(values))
  const of: Record<string, string> = {}
  for (const name of texts) {
    const text = given.get(name)
    if (typeof text === 'string' && beyondAscii.test(text)) of[foldedColumn(name)] = folded(text)
  }
  return of
}

/** Whether a column contains a text, which is `folded`. No character of it is special. Every column contains the empty text. */
export function contains(db: Reader, column: string, text: RawBuilder<string | null>) {
  const kept = sql.ref(foldedColumn(column))
  // In SQLite, `upper` changes ASCII letters only; in PostgreSQL it does so with the collation "C".
  return isPostgres(db)
    ? sql<boolean>`strpos(coalesce(${kept}, upper(${sql.ref(column)} collate "C")), cast(${text} as text)) > 0`
    : sql<boolean>`instr(coalesce(${kept}, upper(${sql.ref(column)})), ${text}) > 0`
}
