import t from 'tap'
import { comparisons, fieldsOf, textOf } from '../../../plugins/patterns/activity/difference.ts'
import { areaOf } from '../../../schemas/area/index.ts'
import type { Kind } from '../../../schemas/kinds.ts'
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
  t.same(told('', 'new'), ['del: ', 'ins: new'], 'an empty text is one')
  t.same(told('old', ''), ['del: old', 'ins: '])
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

t.test('a text differs by whole emoji and words', async (t) => {
  const [one, other] = ['\u{1f469}\u200d\u{1f467}', '\u{1f469}\u200d\u{1f466}']
  t.same(told(`Buy ${one}`, `Buy ${other}`), ['same: Buy ', `del: ${one}`, `ins: ${other}`])
  const [want, wants] = ['می\u200cخواهم', 'می\u200cخواهد']
  t.same(told(`a ${want}`, `a ${wants}`), ['same: a ', `del: ${want}`, `ins: ${wants}`])
})

const fields = {
  words: { type: 'text', optional: true, trim: false },
  at: { type: 'time', optional: true },
  open: { type: 'boolean', default: true },
  size: { type: 'integer', default: 3 },
  who: { type: 'users', optional: true },
  data: { type: 'json', optional: true }
} as const
areaOf({ name: 'sample' as Kind, fields, states: { draft: ['sent'], sent: [] } })

t.test('two values of a field that differ never read the same', async (t) => {
  const read = (name: string, values: unknown[]) => {
    const texts = values.map((value) => textOf('sample', name, value))
    t.equal(new Set(texts).size, values.length, `${name}: ${texts.join(' | ')}`)
  }
  read('words', ['', null, 'null', 'yes', '2026-12-24T08:00:00.000Z', '2026-12-24 08:00 UTC'])
  read(
    'at',
    ['08:00:00.000', '08:00:01.000', '08:00:00.001', '09:00:00.000'].map(
      (it) => `2026-12-24T${it}Z`
    )
  )
  read('who', [['a', 'b'], ['a, b'], ['a,b'], ['"a, b"'], ['a,', 'b'], [], null])
  read('data', [[1], ['1'], [[1]], ['a', 'b'], ['a, b'], [null], ['null'], [], {}, null])
  read('data', [
    { a: 1, b: 2 },
    { b: 2, a: 1 }
  ])
  t.equal(textOf('sample', 'at', '2026-12-24T08:00:00.000Z'), '2026-12-24 08:00 UTC')
  t.equal(textOf('sample', 'who', ['anna', 'bob']), 'anna, bob')
})

t.test('a row that is made or deleted shows what a create without it would not give', async (t) => {
  const usual = {
    words: null,
    at: null,
    open: true,
    size: 3,
    who: null,
    data: null,
    state: 'draft'
  }
  const shown = (before: object | null, after: object | null) =>
    fieldsOf(
      {
        kind: 'sample',
        before: before && { ...usual, ...before },
        after: after && { ...usual, ...after }
      },
      comparisons()
    ).map(({ name, pieces }) => [name, ...pieces.map(({ kind, text }) => `${kind}: ${text}`)])
  t.same(shown(null, {}), [])
  t.same(shown(null, { open: false, size: 0, state: 'sent', who: [], words: '' }), [
    ['words', 'ins: '],
    ['open', 'ins: no'],
    ['size', 'ins: 0'],
    ['who', 'ins: '],
    ['state', 'ins: sent']
  ])
  t.same(shown({ open: false, state: 'sent' }, null), [
    ['open', 'del: no'],
    ['state', 'del: sent']
  ])
  t.same(shown({ data: { a: 1, b: 2 } }, { data: { b: 2, a: 1 } }).length, 1, 'in another order')
  t.same(shown({ open: undefined }, { size: 4 }), [['size', 'del: 3', 'ins: 4']], 'an older record')
})

t.test('what follows from other fields is not shown, in the kind in which it does', async (t) => {
  const row = (version: unknown) => ({ id: 1, version, sha256: version, updated_at: version })
  const shown = (kind: string) =>
    fieldsOf({ kind, before: row('1'), after: row('2') }, comparisons()).map(({ name }) => name)
  t.same(shown('memo'), ['sha256'])
  t.same(shown('attachment'), ['version'])
  t.same(shown('release'), ['version', 'sha256'])
})
