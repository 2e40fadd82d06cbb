import { areaOfKind } from '../../../schemas/area/index.ts'
import { type Kind, pluralOf } from '../../../schemas/kinds.ts'
import type { Reason } from '../../../schemas/undo.ts'
import { type Compare, contentOf, fieldsOf, isSame, textOf } from './difference.ts'

type Row = Readonly<Record<string, unknown>> | null

/** What a sentence needs of a change, recorded or planned. */
interface Changed {
  kind: Kind
  /** Null if the row does not exist yet. Then `place` tells it from others that its plan makes, if it must. */
  key: number | null
  place?: number | undefined
  action: 'create' | 'update' | 'delete' | 'hidden'
  before: Row
  after: Row
}

/** A part of a sentence; names stand out. The direction of a value does not reach the words around it. */
export interface Part {
  text: string
  isName?: boolean
  isValue?: boolean
}

/** The verbs of a sentence: of what would be done, and of what was. */
const verbs = {
  add: ['Add', 'Added'],
  delete: ['Delete', 'Deleted'],
  rename: ['Rename', 'Renamed'],
  move: ['Move', 'Moved'],
  mark: ['Mark', 'Marked'],
  set: ['Set', 'Set'],
  clear: ['Clear', 'Cleared'],
  change: ['Change', 'Changed'],
  complete: ['Complete', 'Completed'],
  reopen: ['Reopen', 'Reopened'],
  hide: ['Hide', 'No longer shared:']
} as const
type Verb = keyof typeof verbs

/** Booleans that have a word of their own, by kind and field: for true and for false. */
const ofBooleans: Readonly<Record<string, readonly [Verb, Verb]>> = {
  'todo.is_completed': ['complete', 'reopen']
}

/** Longer values stand below the sentence. */
const maxName = 80
const maxValue = 60

/** `is_pinned` is pinned, `due_on` the due date, `seen_at` the seen time. */
const words = (field: string) =>
  field.replace(/^is_/, '').replace(/_on$/, '_date').replace(/_at$/, '_time').replaceAll('_', ' ')

/** The first line of a text, as far as it fits. */
export function lineOf(text: string) {
  const [first = ''] = text.trim().split('\n', 1)
  const letters = [...first]
  return letters.length > maxName ? `${letters.slice(0, maxName - 1).join('')}…` : first
}

/** A value after a word that leads to it; nothing if there is none. */
const valueAfter = (lead: string, text: string | null): Part[] =>
  text === null ? [] : [{ text: lead }, { text, isValue: true }]

interface SentenceOptions {
  /** The field that names a row of a kind; undefined if it has none. */
  named(kind: Kind): string | undefined
  /** Whether it was done; else it would be. */
  isDone: boolean
  compare: Compare
}

/** A change in words, with the fields of which the sentence does not say all. */
export function sentenceOf(change: Changed, options: SentenceOptions) {
  const { kind, key, place = '', before, after } = change
  const named = options.named(kind)
  const textIn = (row: Row) => String(row?.[named ?? ''] ?? '')
  const [oldName, newName] = [lineOf(textIn(before)), lineOf(textIn(after))]
  const known = oldName || newName
  const thing = key === null ? `the new ${kind} ${place}`.trim() : `${kind} ${key}`
  const nameOr = (text: string): Part => (text ? { text, isName: true } : { text: thing })
  const name = nameOr(known)
  /** Whether a value stands in a sentence. */
  const fits = (value: unknown, text: string) =>
    !(value instanceof Object) && text.length <= maxValue && !text.includes('\n')
  /** Whether the words of a field, or their opposite, are not those of another one. */
  function isClear(field: string) {
    const own = (name: string) => words(name).replace(/^(not )+/, '')
    return !Object.keys({ ...before, ...after }).some(
      (name) => name !== field && own(name) === own(field)
    )
  }

  /** The verb, what follows it, and whether fields stand below. */
  function told(): [Verb, Part[], boolean] {
    if (change.action === 'create') return ['add', [name], true]
    if (change.action === 'delete') return ['delete', [name], true]
    if (change.action === 'hidden') return ['hide', [name], false]
    const changed = contentOf(kind, before, after).filter(
      (field) => !isSame(before?.[field], after?.[field])
    )
    const [field = ''] = changed
    if (changed.length !== 1 || !isClear(field)) return ['change', [name], true]
    const [old, now] = [before?.[field], after?.[field]]
    if (field === named && oldName && newName) {
      const isWhole = oldName === textIn(before) && newName === textIn(after)
      if (!isWhole) return ['change', [name], true]
      const verb = ['name', 'title'].includes(field) ? 'rename' : 'change'
      return [verb, [name, { text: ' to ' }, { text: newName, isName: true }], false]
    }
    if (typeof now === 'boolean') {
      const own = ofBooleans[`${kind}.${field}`]
      if (own) return [now ? own[0] : own[1], [name], false]
      return ['mark', [name, { text: ` as ${now ? '' : 'not '}${words(field)}` }], false]
    }
    const [was, is] = [textOf(kind, field, old), textOf(kind, field, now)]
    const of = { text: `${words(field)} of ` }
    if (!(fits(old, was ?? '') && fits(now, is ?? '')))
      return ['change', [{ text: 'the ' }, of, name], true]
    if (field === 'state' && areaOfKind(kind)?.states) {
      const [from, to] = [old, now].map((state) => String(state).replaceAll('_', ' '))
      return ['move', [name, { text: ` from ${from} to ${to}` }], false]
    }
    // Its name is what it had before, if that is what changes.
    const lead = [{ text: 'the ' }, of, field === named ? nameOr(oldName) : name]
    if (is === null) return ['clear', [...lead, ...valueAfter(' (', was), { text: ')' }], false]
    const verb = was === null ? 'set' : 'change'
    return [verb, [...lead, ...valueAfter(' from ', was), ...valueAfter(' to ', is)], false]
  }

  const [verb, rest, hasFields] = told()
  const lead = verbs[verb][options.isDone ? 1 : 0]
  const isNameWhole = known !== '' && textIn(after ?? before) === known
  const isWhole = change.action !== 'update'
  const isNamed = rest.some(({ isName }) => isName)
  const number = key ?? (place && `new ${place}`)
  return {
    verb: lead,
    rest,
    /** As text alone, for those who hear it. */
    text: [`${lead} `, ...rest.map(({ text }) => text)].join(''),
    isDangerous: verb === 'delete',
    /** What it is, and which one, unless the sentence says it. */
    kind: isNamed ? kind : '',
    key: isNamed ? number : '',
    fields: hasFields
      ? fieldsOf(change, options.compare, named).filter(
          ({ field }) => !(isWhole && field === named && isNameWhole)
        )
      : []
  }
}
export type Sentence = ReturnType<typeof sentenceOf>

/** What was undone: the change in words if it is the only one, else how many they are. */
export const undoneIn = (count: number, only: Sentence | undefined): Part[] =>
  only
    ? [{ text: `Undone: ${only.verb} ` }, ...only.rest]
    : [{ text: `${count.toLocaleString('en')} ${count === 1 ? 'change' : 'changes'} undone` }]

/** What stays of changes that were to be undone, and why. */
const staying: Readonly<Record<Reason, string>> = {
  changed: 'it has been changed since',
  cannot_return: 'it cannot come back',
  undone: 'it is already undone',
  not_allowed: 'you may not change it',
  of_another: 'another made this change',
  undeclared: 'this kind no longer exists',
  unknown: 'it is no longer recorded'
}

/** The first of so many changes, each with the reason why it stays, if it does. */
export const namedIn = (
  lead: string,
  count: number,
  named: readonly { sentence: Sentence | undefined; reason?: Reason | undefined }[]
): Part[] => [
  { text: `${lead}: ` },
  ...named.flatMap(({ sentence, reason }, at) => [
    ...(at > 0 ? [{ text: '; ' }] : []),
    ...(sentence ? [{ text: `${sentence.verb} ` }, ...sentence.rest] : [{ text: 'a change' }]),
    ...(reason ? [{ text: ` (${staying[reason]})` }] : [])
  ]),
  ...(count > named.length ? [{ text: `; and ${count - named.length} more` }] : [])
]

/** Changes of a plan as people skim them: what deletes first, those with the same verb together. */
export function skimmed<Change extends { kind: Kind; sentence: Sentence }>(
  changes: readonly Change[]
) {
  const groups = Map.groupBy(changes, ({ kind, sentence }) => `${sentence.verb} ${kind}`)
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      const { verb, isDangerous } = first.sentence
      return [
        { changes: group, title: `${verb} ${group.length} ${pluralOf(first.kind)}`, isDangerous }
      ]
    })
    .toSorted((one, other) => Number(other.isDangerous) - Number(one.isDangerous))
}
