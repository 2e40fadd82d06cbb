import t from 'tap'
import { difference } from '../../../plugins/patterns/activity/difference.ts'

const told = (before: string, after: string) =>
  difference(before, after).map(({ kind, text }) => `${kind}: ${text}`)

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
