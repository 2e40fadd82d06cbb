import {
  type TInteger,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type
} from '@sinclair/typebox'
import { Created, Id, Key, OnlyId, PageQuery, SearchText, Since, Updated } from '../common.ts'
import { codesOf } from '../errors.ts'
import type { Kind } from '../kinds.ts'
import { type Access, accessInWords, accessOf, isPublic, isShared, ownerAlone } from './access.ts'
import type { Declaration } from './declaration.ts'
import { declaredAreas, tableOf } from './declared.ts'
import { defaultOf, type Field, type Fields, isOptional, type OnDelete } from './field.ts'
import { listsOf } from './lists.ts'
import { type Names, namesOf } from './names.ts'
import { type Patterns, patternFields, type States } from './patterns.ts'
import { type Unique, uniqueOf } from './unique.ts'
import {
  charactersOf,
  fieldOf,
  filterWords,
  isFilter,
  isSearched,
  type Sent,
  type Shown
} from './values.ts'

/** A field whose value is the id of a row of this kind. */
export interface Reference {
  readonly field: string
  readonly to: Kind
}

/** All that the routes and the repository of an area follow from. */
export interface Area<
  Row extends TObject = TObject,
  New extends TObject = TObject,
  Change extends TObject = TObject,
  Filter extends string = string
> extends Names,
    Patterns {
  kind: Kind
  table: string
  description: string
  /** Who can do what with its rows, in sentences; undefined if each is its owner's alone. */
  rule: string | undefined
  row: Row
  /** What callers send to make a row. */
  created: New
  /** What replaces a row; what it leaves out is cleared, unless `created` lacks it. */
  replaced: TObject
  changed: Change
  key: TObject<{ id: TInteger }>
  query: TObject
  /** The fields by whose value alone a list can be filtered. */
  filters: readonly (Filter | 'id')[]
  /** The fields in which a text is looked for. */
  texts: readonly string[]
  /** Lists of columns that together differ in any two rows of a user. */
  unique: Unique
  /** The fields that refer to rows, and those that name users. */
  refs: readonly Reference[]
  users: readonly string[]
  /** Who may do what with a row. */
  access: Access
  /** Whether search engines may show what visitors read. */
  listed?: boolean | undefined
  /** What its list takes beyond plain filters. */
  lists: ReturnType<typeof listsOf>
  time: 'updated_at'
}

const Owner = Type.String({ description: 'Login name of its user.' })

type Ends = {
  id: typeof Key
  created_at: typeof Created
  updated_at: typeof Updated
}
type Kept<P extends Patterns> = (P extends { states: infer S }
  ? { state: TUnsafe<keyof S & string> }
  : unknown) &
  (P extends { versions: true } ? { version: TInteger } : unknown)
type Row<F extends Fields, P extends Patterns> = TObject<
  Pick<Ends, 'id'> & { [Name in keyof F]: Shown<F[Name]> } & Kept<P> & Omit<Ends, 'id'>
>
type New<F extends Fields> = TObject<{
  [Name in keyof F as F[Name] extends { later: true } ? never : Name]: Sent<F[Name]>
}>
type Change<F extends Fields> = TObject<{
  [Name in keyof F]: TOptional<Sent<F[Name]>>
}>
type FiltersOf<F extends Fields, P extends Patterns> =
  | ({
      [Name in keyof F]: F[Name]['type'] extends 'boolean' | 'one-of' ? Name : never
    }[keyof F] &
      string)
  | (P extends { states: States } ? 'state' : never)

/** So many rows of a user that a search can look at all of them: at most 40 MB of text. */
function mostOf(fields: readonly Field[]) {
  const bytes = fields.reduce((sum, field) => sum + 4 * charactersOf(field), 0)
  const [digit = '1', ...rest] = String(Math.floor(40_000_000 / Math.max(bytes, 4000)))
  return Number(digit + '0'.repeat(rest.length))
}

interface Described<F extends Fields> {
  name: Kind
  /** What a row is, in a sentence. */
  description?: string
  fields: F
  /** How many rows a user may have; by default so many that a search can look at all of them. */
  max?: number
  /** Fields that together differ in any two rows of a user. */
  unique?: Unique
  table?: string
  /** Who reads and changes a row: its owner, if they do not say. */
  read?: string[] | undefined
  write?: string[] | undefined
  listed?: boolean | undefined
}

/** An area whose operations follow from its fields and patterns. */
export type FieldArea<F extends Fields = Fields, P extends Patterns = Patterns> = Area<
  Row<F, P>,
  New<F>,
  Change<F>,
  FiltersOf<F, P>
> &
  P & {
    fields: F
    max: number
  }

/** The areas that were made from fields. */
const fieldAreas: FieldArea[] = []

/** A field of an area that refers to rows of a kind. */
export interface Referrer {
  area: FieldArea
  field: string
  on_delete: OnDelete
}
const referrers = new Map<string, Referrer[]>()

/** The fields that refer to rows of a kind. */
export const referrersOf = (kind: string): readonly Referrer[] => referrers.get(kind) ?? []

/** The area of a kind, if it was made from fields. */
export const areaOfKind = (kind: string) => fieldAreas.find((area) => area.kind === kind)

/** Whether others than its owner may read a row of a kind. */
export const isSharedKind = (kind: string) => isShared(areaOfKind(kind)?.access ?? ownerAlone)

/** Whether rows of a kind are read without a credential. */
export const isPublicKind = (kind: string) => isPublic(areaOfKind(kind)?.access ?? ownerAlone)

/** The table of the rows of a kind. */
export const tableOfKind = (kind: string) => areaOfKind(kind)?.table ?? namesOf(kind).many

/** Whether rows of a kind refer to others, or are referred to. */
export const isLinked = (kind: string) =>
  referrersOf(kind).length > 0 || (areaOfKind(kind)?.refs.length ?? 0) > 0

/** An area from its fields: what callers send and get, with limits, descriptions and examples. */
export function areaOf<const F extends Fields, const P extends Patterns = Record<never, never>>({
  name: kind,
  fields,
  ...own
}: Described<F> & P): FieldArea<F, P> {
  const names = namesOf(kind)
  const { One, Many, aOne, many } = names
  const described = (fields: Fields) =>
    Object.entries(fields).map(([name, field]) => ({ name, field, ...fieldOf(name, field) }))
  const written = described(fields)
  const all = [...written, ...described(patternFields(own))]
  type One = (typeof all)[number]
  const each = (of: typeof all, value: (one: One) => unknown) =>
    Object.fromEntries(of.map((one) => [one.name, value(one)]))
  const properties = (of: typeof all, value: (one: One) => TSchema) =>
    each(of, value) as TProperties
  const at = '2026-11-21T09:30:00.000Z'
  const shown = each(all, ({ field, examples }) => {
    const usual = defaultOf(field)
    return usual === undefined ? examples[0] : usual
  })
  const access = accessOf({ ...own, fields })
  const isForOthers = isShared(access)
  const row = Type.Object(
    {
      id: Key,
      ...(isForOthers && { owner: Owner }),
      ...properties(all, ({ shown }) => shown),
      ...{ created_at: Created, updated_at: Updated }
    },
    {
      $id: One,
      description: own.description ?? `${aOne.replace(/^a/, 'A')} of a user.`,
      examples: [
        { id: 1, ...(isForOthers && { owner: 'anna' }), ...shown, created_at: at, updated_at: at }
      ]
    }
  )
  const first = written.filter(({ field }) => !field.later)
  const needed = each(
    written.filter(({ field }) => !isOptional(field)),
    ({ examples }) => examples[0]
  )
  const created = Type.Object(
    properties(first, ({ sent }) => sent),
    { $id: `New${One}`, description: `The fields of ${aOne}.`, examples: [needed] }
  )
  const replaced =
    first.length === written.length
      ? created
      : Type.Object(
          properties(written, ({ sent, changed, field }) =>
            field.later ? Type.Optional(changed) : sent
          ),
          {
            $id: `${One}Replacement`,
            description: `The new fields of ${aOne}.`,
            examples: [each(written, ({ examples }) => examples[0])]
          }
        )
  const changed = Type.Partial(Type.Object(properties(written, ({ changed }) => changed)), {
    $id: `${One}Change`,
    anyOf: written.map(({ name }) => ({ required: [name] })),
    description: `Fields of ${aOne} to change, at least one.`,
    examples: [each(written.slice(0, 1), ({ examples }) => examples[1])]
  })
  const filters = all.filter(({ name, field }) => isFilter(name, field))
  const isWanted = each(filters, ({ name, field }) =>
    Type.Optional({
      ...fieldOf(name, { ...field, optional: false }).changed,
      description: filterWords
    })
  )
  const lists = listsOf(
    { ...fields, ...patternFields({ states: own.states }) },
    { ofOwner: isForOthers }
  )
  const texts = all.filter(({ field }) => isSearched(field)).map(({ name }) => name)
  const rule = isForOthers ? accessInWords({ ...own, name: kind, fields }).join(' ') : undefined
  const area = {
    ...own,
    ...names,
    ...{ kind, fields, row, created, replaced, changed, texts, lists, access },
    table: own.table ?? many,
    rule,
    description: rule ?? `${Many} of the signed-in user.`,
    key: Type.Object({ id: Id(codesOf(kind)) }),
    query: Type.Object({
      ...PageQuery.properties,
      id: OnlyId,
      ...isWanted,
      ...(texts.length > 0 && { q: Type.Optional(SearchText) }),
      updated_since: Type.Optional(Since('Only those changed at this time or later.')),
      ...lists.query
    }),
    filters: ['id', ...filters.map(({ name }) => name)],
    max: own.max ?? mostOf(Object.values(fields)),
    unique: uniqueOf({ fields, unique: own.unique ?? [] }),
    refs: Object.entries<Field>(fields).flatMap(([field, { type, to }]) =>
      type === 'ref' && to ? [{ field, to: to as Kind }] : []
    ),
    users: Object.entries<Field>(fields).flatMap(([field, { type }]) =>
      type === 'users' ? [field] : []
    ),
    time: 'updated_at'
  }
  // `FieldArea` says of the type what was made of the fields here.
  const made = area as unknown as FieldArea<F, P>
  const known = made as unknown as FieldArea
  fieldAreas.push(known)
  for (const [field, { type, to = '', on_delete = 'refuse' }] of Object.entries<Field>(fields)) {
    if (type === 'ref') referrers.set(to, [...referrersOf(to), { area: known, field, on_delete }])
  }
  return made
}

/** The area that was made of a declaration. @throws Error if it is none of this process */
export function declaredArea<const D extends Pick<Declaration, 'name' | 'fields'> & Patterns>({
  name
}: D): FieldArea<D['fields'], Pick<D, keyof Patterns & keyof D>> {
  const found = ofDeclarations.find(({ one }) => one === name)
  if (!found) throw new Error(`there is no declared area ${name}`)
  // It was made of these fields.
  return found as unknown as FieldArea<D['fields'], Pick<D, keyof Patterns & keyof D>>
}

/** The declared areas of this process. Their kinds are among `kinds`, though no code names them. */
export const ofDeclarations = declaredAreas().map(({ name, ...declaration }) =>
  areaOf({ ...declaration, name: name as Kind, table: tableOf(name) })
)
