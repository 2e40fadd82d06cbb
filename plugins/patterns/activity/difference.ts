import { isDeepStrictEqual } from 'node:util'
import { isContent } from '../../../schemas/activity.ts'

/** A piece of a text: in both texts, only in the first (`del`), or only in the second (`ins`). */
interface Piece {
  kind: 'same' | 'del' | 'ins'
  text: string
}

/** How many pairs of words a page compares: the work grows with the product of the lengths of both texts. */
const maxPairs = 2_000_000

const whole = (before: string, after: string): Piece[] => [
  ...(before ? [{ kind: 'del', text: before } as const] : []),
  ...(after ? [{ kind: 'ins', text: after } as const] : [])
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
  text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

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

/** A value for people. */
export function textOf(value: unknown) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string')
  if (isNames) return value.join(', ')
  return value instanceof Object ? JSON.stringify(value) : String(value ?? '')
}

const exact = (value: unknown) => (value === null ? '' : JSON.stringify(value))

/** Two values that differ, for people: exactly, if they would read the same. */
export function bothOf(old: unknown, now: unknown, say: (value: unknown) => string) {
  const how = say(old) === say(now) ? exact : say
  return [how(old), how(now)] as const
}

/** The fields of a row that a change has made, changed or deleted, with what differs in each; `textOf` writes a value. */
export function fieldsOf(
  { kind, before, after }: { kind: string; before: Row; after: Row },
  compare: Compare,
  say: (value: unknown) => string = textOf
) {
  const isWhole = before === null || after === null
  const isSame = (old: unknown, now: unknown) =>
    // A row that is not there, or an older one, says nothing of a field.
    isDeepStrictEqual(old, now) || ([old, now].includes(undefined) && say(old) === say(now))
  return contentOf(kind, before, after)
    .filter((name) => !isSame(before?.[name], after?.[name]))
    .filter((name) => !(isWhole && (before ?? after)?.[name] === false))
    .map((name) => ({
      field: name,
      name: name.replaceAll('_', ' '),
      pieces: compare(...bothOf(before?.[name], after?.[name], say))
    }))
}
