/** A piece of a text: in both texts, only in the first (`del`), or only in the second (`ins`). */
interface Piece {
  kind: 'same' | 'del' | 'ins'
  text: string
}

/** Longer texts, in words, are shown as one piece each: the work grows with the product of both. */
const maxWords = 400

const whole = (before: string, after: string): Piece[] => [
  ...(before ? [{ kind: 'del', text: before } as const] : []),
  ...(after ? [{ kind: 'ins', text: after } as const] : [])
]

/** What differs between two texts, word by word. Texts without a word in common are shown one after the other. */
export function difference(before: string, after: string): Piece[] {
  const [a, b] = [before, after].map(
    (text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  )
  if (!a || !b) return []
  const pieces: Piece[] = []
  function add(kind: Piece['kind'], text = '') {
    const last = pieces.at(-1)
    if (text === '') return
    if (last?.kind === kind) last.text += text
    else pieces.push({ kind, text })
  }
  if (a.length > maxWords || b.length > maxWords) return whole(before, after)
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
  const isSimilar = pieces.some(({ kind, text }) => kind === 'same' && /[\p{L}\p{N}]/u.test(text))
  return isSimilar ? pieces : whole(before, after)
}

type Row = Readonly<Record<string, unknown>> | null

/** Fields that say nothing to a person: they follow from others. */
const unshown = new Set(['id', 'version', 'created_at', 'updated_at', 'sha256'])

const textOf = (value: unknown) =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** The fields of a row that a change has made, changed or deleted, with what differs in each. */
export function fieldsOf({ before, after }: { before: Row; after: Row }) {
  const isWhole = before === null || after === null
  const names = Object.keys({ ...before, ...after }).filter((name) => !unshown.has(name))
  return names
    .map((name) => ({ name, old: textOf(before?.[name]), now: textOf(after?.[name]) }))
    .filter(({ old, now }) => old !== now && !(isWhole && old + now === 'false'))
    .map(({ name, old, now }) => ({
      name: name.replaceAll('_', ' '),
      pieces: difference(old, now)
    }))
}
