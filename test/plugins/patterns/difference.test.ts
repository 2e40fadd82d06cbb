import t from 'tap'
import { comparisons, fieldsOf } from '../../../plugins/patterns/activity/difference.ts'
import '../../../schemas/memo.ts'

const told = (before: string, after: string, compare = comparisons()) =>
  compare(before, after).map(({ kind, text }) => `${kind}: ${text}`)

t.test('words that differ are marked, those that both texts have are not', async (t) => {
  t.same(told('Buy two apples', 'Buy three apples'), [
    'same: Buy ',
    'del: two',
    'ins: three',
    'same:  apples'
  ])
})

t.test('texts without a word in common are shown one after the other', async (t) => {
  const hebrew = 'שלום עולם, קנה חלב'
  t.same(told(hebrew, 'Buy milk, bread'), [`del: ${hebrew}`, 'ins: Buy milk, bread'])
  t.same(told('draft', 'published'), ['del: draft', 'ins: published'])
  t.same(told('', 'new'), ['ins: new'])
  t.same(told('old', ''), ['del: old'])
})

t.test('a page compares so much, then texts are shown whole', async (t) => {
  const compare = comparisons(30)
  const marked = ['same: Buy ', 'del: two', 'ins: three']
  const whole = ['del: Buy two', 'ins: Buy three']
  // Three words and three words, with the space between.
  for (const expected of [marked, marked, marked, whole]) {
    t.same(told('Buy two', 'Buy three', compare), expected)
  }
  t.same(told('a', 'a b', compare), ['same: a', 'ins:  b'], 'what is left is enough for this')
})

t.test('values that differ never read the same', async (t) => {
  const shown = (before: unknown, after: unknown, say?: (value: unknown) => string) => {
    const row = (value: unknown) => ({ id: 1, value })
    const change = { kind: 'thing', before: row(before), after: row(after) }
    let texts: string[] | undefined
    const compare = (...both: string[]) => {
      texts = both
      return []
    }
    fieldsOf(change, compare, say)
    return texts
  }
  t.same(shown(['a', 'b'], ['a, b']), ['["a","b"]', '["a, b"]'])
  t.same(shown([], null), ['[]', ''])
  const day = (value: unknown) => String(value).slice(0, 10)
  const [eight, nine] = ['2026-12-24T08:00:00.000Z', '2026-12-24T09:00:00.000Z']
  t.same(shown(eight, nine, day), [`"${eight}"`, `"${nine}"`])
  t.equal(shown(null, undefined), undefined, 'an older record')
  t.equal(shown(undefined, []), undefined, 'a new row')
  t.equal(shown({ a: 1, b: 2 }, { b: 2, a: 1 }), undefined)
})

t.test('what follows from other fields is not shown, in the kind in which it does', async (t) => {
  const row = (version: unknown) => ({ id: 1, version, sha256: version, updated_at: version })
  const shown = (kind: string) =>
    fieldsOf({ kind, before: row('1'), after: row('2') }, comparisons()).map(({ name }) => name)
  t.same(shown('memo'), ['sha256'])
  t.same(shown('attachment'), ['version'])
  t.same(shown('release'), ['version', 'sha256'])
})
