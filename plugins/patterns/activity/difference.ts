import { isContent } from '../../../schemas/activity.ts'
import { defaultOf, type Field } from '../../../schemas/area/field.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { patternFields } from '../../../schemas/area/patterns.ts'
import { exactTime } from '../pages/time.ts'

/** A piece of a text: in both texts, only in the first (`del`), or only in the second (`ins`). */
interface Piece {
  kind: 'same' | 'del' | 'ins'
  text: string
}

/** How many pairs of words a page compares: the work grows with the product of the lengths of both texts. */
const maxPairs = 2_000_000

/** Both one after the other. No text is null, an empty one is a piece. */
const whole = (before: string | null, after: string | null): Piece[] => [
  ...(before === null ? [] : [{ kind: 'del', text: before } as const]),
  ...(after === null ? [] : [{ kind: 'ins', text: after } as const])
]

export type Compare = (before: string, after: string) => Piece[]

/**
 * For the texts of one page: what differs between two texts, word by word. Texts without a word in common are shown one
 * after the other, and so are those for which the page has no comparisons left.
 */
export function comparisons(pairs = maxPairs): Compare {
  let left = pairs
  return (before, after) => {
    const [a, b] = [wordsOf(before), wordsOf(after)]
    if (a.length * b.length > left) return whole(before, after)
    left -= a.length * b.length
    const pieces = difference(a, b)
    const isSimilar = pieces.some(({ kind, text }) => kind === 'same' && /[\p{L}\p{N}]/u.test(text))
    return isSimilar ? pieces : whole(before, after)
  }
}

const wordsOf = (text: string): string[] =>
  text.match(/\s+|\p{RGI_Emoji}|[\p{L}\p{M}\p{N}_\u200C\u200D]+|[^\s]/gv) ?? []

function difference(a: readonly string[], b: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  function add(kind: Piece['kind'], text = '') {
    const last = pieces.at(-1)
    if (text === '') return
    if (last?.kind === kind) last.text += text
    else pieces.push({ kind, text })
  }
  // The length of the longest common subsequence of what follows each pair of words.
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      add('same', a[i++])
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) add('del', a[i++])
    else add('ins', b[j++])
  }
  return pieces
}

type Row = Readonly<Record<string, unknown>> | null

/** The fields that are content of a row, before or after a change. */
export const contentOf = (kind: string, before: Row, after: Row) =>
  Object.keys({ ...before, ...after }).filter((name) => name !== 'id' && isContent(kind, name))

/** Whether two values are the same, kept in the same way: the members of an object have an order. */
export const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one) === JSON.stringify(other)

function fieldOf(kind: string, name: string): Field | undefined {
  const area = areaOfKind(kind)
  return area && { ...area.fields, ...patternFields(area) }[name]
}

const quotedName = (name: string) =>
  /^"|[,;]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
/** Login names as people write them: with commas between them, and one that has a comma itself in quotes. */
export const listOfNames = (names: unknown) =>
  Array.isArray(names) ? names.map((name) => quotedName(String(name))).join(', ') : ''

/** A value of a field, for people: two values of a field that differ never read the same. Null if there is none. */
export function textOf(kind: string, name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null
  const type = fieldOf(kind, name)?.type
  // A text also of a ref: the label of its row.
  if (typeof value === 'string') return type === 'time' ? exactTime(value) : value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return type === 'users' ? listOfNames(value) : JSON.stringify(value)
}

/**
 * The fields of a row that a change has made, changed or deleted, with what differs in each. A row that is made or deleted
 * has those that are not as a create without them leaves them, and its name.
 */
export function fieldsOf(
  { kind, before, after }: { kind: string; before: Row; after: Row },
  compare: Compare,
  named?: string
) {
  /** A row that is not there, or was recorded before it had a field, says nothing of it. */
  function known(row: Row, name: string) {
    const value = row?.[name]
    if (value !== undefined) return value
    const field = name === named ? undefined : fieldOf(kind, name)
    return (field && defaultOf(field)) ?? null
  }
  return contentOf(kind, before, after)
    .filter((name) => !isSame(known(before, name), known(after, name)))
    .map((name) => {
      const was = textOf(kind, name, before?.[name])
      const is = textOf(kind, name, after?.[name])
      const pieces = was === null || is === null ? whole(was, is) : compare(was, is)
      return { field: name, name: name.replaceAll('_', ' '), pieces }
    })
}
