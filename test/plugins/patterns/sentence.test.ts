import t from 'tap'
import { comparisons } from '../../../plugins/patterns/activity/difference.ts'
import {
  namedIn,
  sentenceOf,
  skimmed,
  undoneIn
} from '../../../plugins/patterns/activity/sentence.ts'
import type { Kind } from '../../../schemas/kinds.ts'
import '../../../schemas/memo.ts'

type Row = Record<string, unknown> | null

const say = (kind: string, before: Row, after: Row, isDone = false, key: number | null = 1) => {
  const action = before === null ? 'create' : after === null ? 'delete' : 'update'
  return sentenceOf(
    { kind: kind as Kind, key, action, before, after },
    {
      named: (kind) => ({ todo: 'title', memo: 'body', attachment: 'name' })[kind as 'todo'],
      isDone,
      compare: comparisons()
    }
  )
}
const milk = { id: 1, title: 'Buy milk', is_completed: false }
const soup = { id: 1, title: 'Soup', course: 'main', minutes: 20, cook_on: null, tried: false }
const memo = { id: 1, body: 'Notes\nfor the trip', state: 'draft', version: 1 }
const named = (kind: string, before: Row, after: Row, isDone = false) =>
  sentenceOf(
    { kind: kind as Kind, key: 1, action: 'update', before, after },
    { named: () => 'title', isDone, compare: comparisons() }
  )

t.test('a change is a sentence with the name of its row', async (t) => {
  const sentences: [string, string][] = [
    [say('todo', null, milk).text, 'Add Buy milk'],
    [say('todo', milk, null, true).text, 'Deleted Buy milk'],
    [say('todo', milk, { ...milk, is_completed: true }).text, 'Complete Buy milk'],
    [say('todo', { ...milk, is_completed: true }, milk, true).text, 'Reopened Buy milk'],
    [say('todo', milk, { ...milk, title: 'Buy tea' }).text, 'Rename Buy milk to Buy tea'],
    [say('todo', milk, { ...milk, title: 'x', is_completed: true }).text, 'Change Buy milk'],
    [say('memo', memo, { ...memo, state: 'published' }).text, 'Move Notes from draft to published'],
    [say('memo', memo, { ...memo, body: 'Notes' }).text, 'Change Notes'],
    [say('memo', { ...memo, body: 'Old' }, { ...memo, body: 'New' }).text, 'Change Old to New'],
    [say('attachment', { id: 1, name: 'a.txt' }, null).text, 'Delete a.txt'],
    [
      named('recipe', soup, { ...soup, cook_on: '2026-12-24' }).text,
      'Set the cook date of Soup to 2026-12-24'
    ],
    [
      named('recipe', soup, { ...soup, minutes: 30 }).text,
      'Change the minutes of Soup from 20 to 30'
    ],
    [named('recipe', soup, { ...soup, minutes: null }).text, 'Clear the minutes of Soup (20)'],
    [named('recipe', soup, { ...soup, tried: true }, true).text, 'Marked Soup as tried'],
    [named('recipe', soup, { ...soup, note: 'x'.repeat(99) }).text, 'Change the note of Soup'],
    [say('reading', null, { id: 7, value: 3 }, false, null).text, 'Add the new reading'],
    [say('reading', { id: 7, value: 3 }, null).text, 'Delete reading 1'],
    [say('todo', null, { ...milk, title: '' }).text, 'Add todo 1']
  ]
  for (const [said, expected] of sentences) t.equal(said, expected)
})

t.test('fields stand below only where the sentence does not say all', async (t) => {
  const fieldsOf = ({ fields }: ReturnType<typeof say>) => fields.map(({ name }) => name)
  t.same(fieldsOf(say('todo', null, milk)), [])
  t.same(fieldsOf(say('todo', milk, { ...milk, title: 'Buy tea' })), [])
  t.same(fieldsOf(say('todo', milk, { ...milk, title: 'x', is_completed: true })), [
    'title',
    'is completed'
  ])
  t.same(fieldsOf(say('memo', null, memo)), ['body'], 'more than its first line')
  t.same(fieldsOf(say('memo', null, { ...memo, body: 'One line' })), [])
  t.same(fieldsOf(named('recipe', soup, { ...soup, note: 'x'.repeat(99) })), ['note'])
  const [field] = say('todo', milk, { ...milk, title: 'x', is_completed: true }).fields.slice(1)
  t.same(field?.pieces, [
    { kind: 'del', text: 'no' },
    { kind: 'ins', text: 'yes' }
  ])
})

t.test('names are long, empty, of several lines, right to left', async (t) => {
  const long = say('todo', null, { ...milk, title: '😀'.repeat(200) })
  t.equal([...(long.rest[0]?.text ?? '')].length, 80)
  t.match(long.text, /…$/)
  t.same(
    long.fields.map(({ name }) => name),
    ['title'],
    'the whole of it stands below'
  )
  t.same(say('todo', null, { ...milk, title: 'שלום' }).rest, [{ text: 'שלום', isName: true }])
  const moved = named('recipe', { ...soup, note: 'אחת 1' }, { ...soup, note: 'שתיים 2' })
  t.same(moved.rest.slice(-4), [
    { text: ' from ' },
    { text: 'אחת 1', isValue: true },
    { text: ' to ' },
    { text: 'שתיים 2', isValue: true }
  ])
  t.equal(say('memo', { ...memo, body: '\n\n  First\nsecond' }, null).text, 'Delete First')
})

t.test('what an undo did: the one change with its name, or how many; and what stays', async (t) => {
  const done = say('todo', milk, { ...milk, is_completed: true })
  const said = (parts: ReturnType<typeof undoneIn>) => parts.map(({ text }) => text).join('')
  t.equal(said(undoneIn(1, done)), 'Undone: Complete Buy milk')
  t.same(undoneIn(1, done).at(-1), { text: 'Buy milk', isName: true }, 'apart, for its direction')
  t.equal(said(undoneIn(1, undefined)), '1 change undone')
  t.equal(said(undoneIn(1200, undefined)), '1,200 changes undone')
  const kept = [
    { sentence: done, reason: 'changed' },
    { sentence: undefined, reason: 'unknown' }
  ] as const
  t.equal(
    said(namedIn('Not undone', 2, kept)),
    'Not undone: Complete Buy milk (it has been changed since); a change (it is no longer recorded)'
  )
  t.match(said(namedIn('Not undone', 5, kept)), /; and 3 more$/)
})

t.test('a plan is skimmed: what deletes first, the same verb together', async (t) => {
  const changes = [
    ...[1, 2, 3].map(() => say('todo', null, milk)),
    say('todo', milk, { ...milk, is_completed: true }),
    say('todo', milk, null),
    say('todo', milk, null)
  ].map((sentence) => ({ kind: 'todo' as const, sentence }))
  t.same(
    skimmed(changes).map(({ title, isDangerous }) => [title, isDangerous]),
    [
      ['Delete 2 todos', true],
      ['Add 3 todos', false],
      ['Complete 1 todos', false]
    ]
  )
})
