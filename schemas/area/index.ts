import {
  type TInteger,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type
} from '@sinclair/typebox'
import { Created, Id, Key, OnlyId, PageQuery, SearchText, Since, Updated } from '../common.ts'
import { codesOf } from '../errors.ts'
import type { Kind } from '../kinds.ts'
import { declaredAreas, tableOf } from './declared.ts'
import { defaultOf, type Field, type Fields, isOptional } from './field.ts'
import { listsOf } from './lists.ts'
import { type Names, namesOf } from './names.ts'
import { type Unique, uniqueOf } from './unique.ts'
import { charactersOf, fieldOf, isFilter, isSearched, type Sent, type Shown } from './values.ts'

/** A field whose value is the id of a row of this kind. */
export interface Reference {
  readonly field: string
  readonly to: Kind
}

/** What differs between areas whose rows belong to users. */
interface Description<Row, New, Change, Filter> {
  kind: Kind
  /** What the area is about, in a sentence. */
  description: string
  row: Row
  /** What callers send to make a row, to replace and to change one. */
  created: New
  replaced?: TObject
  changed: Change
  /** The fields by whose value a list can be filtered, with what they take. */
  filters: Record<Filter & string, TSchema>
  /** The fields in which a text is looked for. */
  texts: readonly string[]
  /** Its table, if that has not the name of its rows. */
  table?: string
}

/** All that the routes and the repository of an area follow from. */
export interface Area<
  Row extends TObject = TObject,
  New extends TObject = TObject,
  Change extends TObject = TObject,
  Filter extends string = string
> extends Names {
  kind: Kind
  table: string
  description: string
  row: Row
  created: New
  /** What replaces a row; what it leaves out is cleared, unless `created` lacks it. */
  replaced: TObject
  changed: Change
  key: TObject<{ id: TInteger }>
  query: TObject
  filters: readonly (Filter | 'id')[]
  texts: readonly string[]
  /** Lists of columns that together differ in any two rows of a user. */
  unique?: Unique
  /** The fields that refer to rows. */
  refs?: readonly Reference[]
  /** What its list takes beyond plain filters. */
  lists?: ReturnType<typeof listsOf>
  time: 'updated_at'
}

/** Completes the description of an area. */
export function describeArea<
  Row extends TObject,
  New extends TObject,
  Change extends TObject,
  Filter extends string
>({ filters, ...area }: Description<Row, New, Change, Filter>): Area<Row, New, Change, Filter> {
  const { kind, texts, created } = area
  const names = namesOf(kind)
  const isWanted = Object.entries<TSchema>(filters).map(([name, schema]) => [
    name,
    Type.Optional(schema)
  ])
  return {
    table: names.many,
    replaced: created,
    ...area,
    ...names,
    key: Type.Object({ id: Id(codesOf(kind)) }),
    query: Type.Object({
      ...PageQuery.properties,
      id: OnlyId,
      ...Object.fromEntries(isWanted),
      ...(texts.length > 0 && { q: Type.Optional(SearchText) }),
      updated_since: Type.Optional(Since('Only those changed at this time or later.'))
    }),
    filters: ['id', ...(Object.keys(filters) as Filter[])],
    time: 'updated_at'
  }
}

type Ends = {
  id: typeof Key
  created_at: typeof Created
  updated_at: typeof Updated
}
type Row<F extends Fields> = TObject<
  Pick<Ends, 'id'> & { [Name in keyof F]: Shown<F[Name]> } & Omit<Ends, 'id'>
>
type New<F extends Fields> = TObject<{ [Name in keyof F]: Sent<F[Name]> }>
type Change<F extends Fields> = TObject<{
  [Name in keyof F]: TOptional<Sent<F[Name]>>
}>
type FiltersOf<F extends Fields> = {
  [Name in keyof F]: F[Name]['type'] extends 'boolean' | 'one-of' ? Name : never
}[keyof F] &
  string

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
}

/** An area whose operations follow from its fields. */
export type FieldArea<F extends Fields = Fields> = Area<Row<F>, New<F>, Change<F>, FiltersOf<F>> & {
  fields: F
  max: number
  unique: Unique
  refs: readonly Reference[]
}

/** The areas that were made from fields. */
const fieldAreas: FieldArea[] = []

/** The fields of these areas that refer to rows of a kind. */
export const referrersOf = (kind: string) =>
  fieldAreas.flatMap((area) =>
    Object.entries(area.fields)
      .filter(([, { type, to }]) => type === 'ref' && to === kind)
      .map(([field, { on_delete = 'refuse' }]) => ({ area, field, on_delete }))
  )
export type Referrer = ReturnType<typeof referrersOf>[number]

/** The area of a kind, if it was made from fields. */
export const areaOfKind = (kind: Kind) => fieldAreas.find((area) => area.kind === kind)

/** The table of the rows of a kind. */
export const tableOfKind = (kind: Kind) => areaOfKind(kind)?.table ?? namesOf(kind).many

/** Whether rows of a kind refer to others, or are referred to. */
export const isLinked = (kind: Kind) =>
  referrersOf(kind).length > 0 || (areaOfKind(kind)?.refs.length ?? 0) > 0

/** An area from its fields: what callers send and get, with limits, descriptions and examples. */
export function areaOf<const F extends Fields>({
  name: kind,
  fields,
  ...own
}: Described<F>): FieldArea<F> {
  const { One, Many, aOne } = namesOf(kind)
  const all = Object.entries<Field>(fields).map(([name, field]) => ({
    ...{ name, field },
    ...fieldOf(name, field)
  }))
  type One = (typeof all)[number]
  const each = (of: typeof all, value: (one: One) => unknown) =>
    Object.fromEntries(of.map((one) => [one.name, value(one)]))
  const properties = (value: (one: One) => TSchema) => each(all, value) as TProperties
  const at = '2026-11-21T09:30:00.000Z'
  const shown = each(all, ({ field, examples }) => {
    const usual = defaultOf(field)
    return usual === undefined ? examples[0] : usual
  })
  const row = Type.Object(
    { id: Key, ...properties(({ shown }) => shown), created_at: Created, updated_at: Updated },
    {
      $id: One,
      description: own.description ?? `${aOne.replace(/^a/, 'A')} of a user.`,
      examples: [{ id: 1, ...shown, created_at: at, updated_at: at }]
    }
  )
  const needed = all.filter(({ field }) => !isOptional(field))
  const created = Type.Object(
    properties(({ sent }) => sent),
    {
      $id: `New${One}`,
      description: `The fields of ${aOne}.`,
      examples: [each(needed, ({ examples }) => examples[0])]
    }
  )
  const changed = Type.Partial(Type.Object(properties(({ changed }) => changed)), {
    $id: `${One}Change`,
    anyOf: all.map(({ name }) => ({ required: [name] })),
    description: `Fields of ${aOne} to change, at least one.`,
    examples: [each(all.slice(0, 1), ({ examples }) => examples[1])]
  })
  const filters = each(
    all.filter(({ name, field }) => isFilter(name, field)),
    ({ name, field }) => ({
      ...fieldOf(name, { ...field, optional: false }).changed,
      description: 'Only those with this value.'
    })
  )
  const lists = listsOf(fields)
  const area = describeArea({
    ...(own.table !== undefined && { table: own.table }),
    ...{ kind, row, created, changed },
    description: `${Many} of the signed-in user.`,
    filters: filters as Record<string, TSchema>,
    texts: all.filter(({ field }) => isSearched(field)).map(({ name }) => name)
  })
  const max = own.max ?? mostOf(Object.values(fields))
  const query = Type.Object({ ...area.query.properties, ...lists.query })
  const unique = uniqueOf({ fields, ...own })
  const refs = Object.entries<Field>(fields).flatMap(([field, { type, to }]) =>
    type === 'ref' && to ? [{ field, to: to as Kind }] : []
  )
  // `FieldArea` says of the type what was made of the fields here.
  const made = { ...area, query, lists, fields, max, unique, refs } as unknown as FieldArea<F>
  fieldAreas.push(made as unknown as FieldArea)
  return made
}

/** The declared areas of this process. Their kinds are among `kinds`, though no code names them. */
export const ofDeclarations = declaredAreas().map(({ name, ...declaration }) =>
  areaOf({ ...declaration, name: name as Kind, table: tableOf(name) })
)
