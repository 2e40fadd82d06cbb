import { type Static, type TObject, Type } from '@sinclair/typebox'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { decides, isShared, ownerAlone, type Right, rules } from '../../schemas/area/access.ts'
import type { Reference } from '../../schemas/area/index.ts'
import type { Patterns } from '../../schemas/area/patterns.ts'
import type { Unique } from '../../schemas/area/unique.ts'
import type { Kind } from '../../schemas/kinds.ts'
import { foldedColumn, foldedOf } from '../folded.ts'
import { type Db, ifRoom, isOwn, type OwnKey } from '../query.ts'
import { columnsOf, type Fields, isGiven, param } from '../statement.ts'
import type { Tables } from '../types.ts'
import { type Guarded, mayDo, mayMake, rowOf as rowAt, shownOf } from './access.ts'
import type { Actor, OnReleased, Recording } from './record.ts'
import { isThere } from './references.ts'
import { stored } from './stored.ts'
import { isTaken } from './unique.ts'

/** One change of one row that is to be undone. */
export interface Step {
  /** Key of the row. */
  id: number
  user_id: number
  by: Actor
  /**
   * The row before and after the change, as JSON; empty if there was none. A record made before a column
   * existed says nothing of that column.
   */
  before: string
  after: string
  /** The most that the user may have of this kind; the area says what is counted. */
  max: number
}

type Write<Args> = (args: Args) => Promise<object | undefined>

/** How a repository undoes its changes. Each returns undefined if the row is not in the expected state. */
export interface Undoable {
  readonly kind: Kind
  /** Undoes an update: gives the row the content of `before`, if it has the content of `after`. */
  update: Write<Step>
  /** Undoes an insert: deletes the row, if it has the content of `after`. */
  remove: Write<Step>
  /** Undoes a deletion: inserts the row again with its old key, if the key is free and there is room. */
  insert: Write<Step>
}

type Values = Record<string, RawBuilder<unknown>>

/** How the rows of a table are written. */
export interface OwnWrites<Row extends TObject, New extends TObject, Change extends TObject>
  extends Patterns,
    Guarded {
  kind: Kind
  /** Also the column of `user_usage` that counts its rows. */
  table: string
  row: Row
  /** The columns in which a text is looked for. */
  texts: readonly string[]
  /** What its user sends to make a row, and to change one. */
  created: New
  changed: Change
  /** Lists of columns that together differ in any two rows of a user. */
  unique?: Unique
  /** The columns that refer to rows, and those that name users. */
  refs?: readonly Reference[]
  users?: readonly string[]
}

/** A row that is written; of a row with versions, the one that it must have: null stands for any. */
type Target = OwnKey & { ifVersion?: number | null }

const isVersion = sql<boolean>`version = coalesce(${param('ifVersion')}, version)`
/** What each change sets. */
const moved = { version: sql<number>`version + 1` }
/** Of a row that comes back: a record made before there were versions has none. */
const returned = { version: sql`coalesce(cast(${param('version')} as integer), 0) + 1` }

/** A write as its callers see it. */
type Written<Args, Row extends TObject> = (
  args: Args & { by: Actor }
) => Promise<Static<Row> | undefined>

/**
 * Writes the rows of one user, each in one conditional statement that leaves a record. Undefined if there is no
 * such row, no room for a new one, or who writes may not do it.
 */
export function ownWrites<Row extends TObject, New extends TObject, Change extends TObject>(
  record: Recording,
  own: OwnWrites<Row, New, Change>
) {
  type Shown = Static<Row> & { id: number }
  const { kind, table, row, texts, unique = [], refs = [], users = [], ...patterns } = own
  const { versions = false, states, access = ownerAlone } = patterns
  const holds = versions ? isVersion : sql<boolean>`true`
  const [first] = Object.keys(states ?? {})
  const of = {
    made: { ...(first && { state: sql.val(first) }), ...(versions && { version: sql.lit(1) }) },
    moved: versions ? moved : {},
    returned: versions ? returned : {}
  }
  const shown: TObject = row
  const columns = columnsOf(shown)
  /** The columns that the user writes: undo compares and restores these. */
  const content = Type.Omit(shown, [
    ...['id', 'created_at', 'updated_at', ...Object.keys(of.moved)],
    ...(isShared(access) ? ['owner'] : [])
  ])
  const names = columnsOf(content)
  const { create, update, remove } = record({ kind, table, access, columns })

  /** The folded columns that go with these columns. */
  const foldedWith = (
    values: Values,
    column: (folded: string, text: string) => RawBuilder<unknown>
  ) =>
    Object.fromEntries(
      texts
        .filter((name) => Object.hasOwn(values, name))
        .map((name) => [foldedColumn(name), column(foldedColumn(name), name)])
    )
  /** Objects and lists are kept as text. */
  const jsonNames: readonly string[] = names.filter(
    (name) => users.includes(name) || shown.properties[name]?.['x-json']
  )
  const jsonOf = (args: object) =>
    Object.fromEntries(
      Object.entries(args)
        .filter(([name, value]) => jsonNames.includes(name) && value instanceof Object)
        .map(([name, value]) => [name, JSON.stringify(value)])
    )
  const folding =
    <Args extends object, Result>(write: (args: Args) => Result) =>
    (args: Args) =>
      write({ ...args, ...foldedOf(texts, args), ...(jsonNames.length > 0 && jsonOf(args)) })

  const list = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))
  const statement = (db: Kysely<Tables>, text: RawBuilder<unknown>) => ({
    compile: () =>
      sql<Shown>`${text} returning ${sql.join(shownOf(own, columns, table))}`.compile(db)
  })
  /** `right`: what the caller must be allowed to do with rows that are referred to. */
  const insertion = (db: Kysely<Tables>, values: Values, right: Right | null = 'read') => {
    const row: Values = { ...values, ...foldedWith(values, param), updated_at: param('now') }
    const where = sql<boolean>`${areThere(db, row, { self: row.id, right })} and ${mayMake(db, own, param('callerId'))}`
    const room = ifRoom(db, param, { of: table, where }, Object.values(row))
    return sql`insert into ${sql.table(table)} (user_id, ${list(Object.keys(row))}) ${room}`
  }
  /** What these fields refer to is there; of a row that comes back, it can be itself. Of a row that `isKept`, it may stay. */
  const areThere = (
    db: Db,
    fields: Values,
    how: { self: RawBuilder<unknown> | undefined; right: Right | null; isKept?: boolean }
  ) =>
    sql<boolean>`${sql.join(
      [
        sql`true`,
        ...refs
          .filter(({ field }) => field in fields)
          .map((one) =>
            isThere(one, {
              self: one.to === kind ? how.self : undefined,
              current: how.isKept ? sql.ref(one.field) : undefined,
              keptBy: db,
              // Who may do something with the row that decides may do it with this one: nobody gets there by a reference.
              right: decides(access, one.field)
                ? 'write'
                : rules(access, one.field)
                  ? 'read'
                  : how.right
            })
          )
      ],
      sql` and `
    )}`
  /** No other row of the user has what this one would have. */
  const isAlone = (fields: Values) =>
    sql.join(
      [
        sql`true`,
        ...unique
          .filter((names) => names.some((name) => name in fields))
          .map((names) => sql`not ${isTaken(own, names, (name) => sql.ref(`${table}.${name}`))}`)
      ],
      sql` and `
    )
  const may = (right: Right) =>
    isShared(access)
      ? mayDo(right, own, rowAt(table, table), param('callerId'))
      : sql<boolean>`true`
  const ruling = [
    ...users.map((name) => ({ name, value: sql`cast(${param(name)} as text)` })),
    ...refs
      .filter(({ field }) => rules(access, field))
      .map(({ field: name }) => ({
        name,
        value: sql`cast(cast(${param(name)} as bigint) as text)`
      }))
  ]
  /** Only who manages a row changes whom it names, and what says who may do something with it: moved elsewhere, it is theirs. */
  const mayRule = (fields: Values) =>
    sql.join(
      [
        sql`true`,
        ...ruling
          .filter(({ name }) => name in fields)
          .map(
            ({ name, value }) =>
              sql`(not ${isGiven(name)} or cast(${sql.ref(name)} as text) is not distinct from ${value} or ${may('manage')})`
          )
      ],
      sql` and `
    )
  function updateIf(where: RawBuilder<unknown>, fields: Values, right: Right | null = 'read') {
    const refolded = foldedWith(
      fields,
      (name, text) => sql`case when ${isGiven(text)} then ${param(name)} else ${sql.ref(name)} end`
    )
    const set = { ...fields, ...refolded, ...of.moved, updated_at: param('now') }
    const assignments = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
    const write = update<OwnKey, Shown>((db) =>
      statement(
        db,
        sql`update ${sql.table(table)} set ${sql.join(assignments)} where ${isOwn(param)} and ${may('write')} and ${mayRule(fields)} and ${where} and ${isAlone(fields)} and ${areThere(db, fields, { self: sql.ref('id'), right, isKept: true })}`
      )
    )
    return folding(write)
  }
  const removeIf = (where: RawBuilder<unknown>, how?: { onlyIfFree: boolean }) =>
    remove<OwnKey, Shown>(
      (db) =>
        statement(
          db,
          sql`delete from ${sql.table(table)} where ${isOwn(param)} and ${may('manage')} and ${where}`
        ),
      how
    )
  /** Two nulls count as equal; what an older record does not have is not compared. */
  const isAsExpected = sql.join(
    names.map((name) => {
      const expected = `expected_${name}`
      // As text: a column of JSON is not compared.
      const column = jsonNames.includes(name) ? sql`cast(${sql.ref(name)} as text)` : sql.ref(name)
      return sql`(not ${isGiven(expected)} or ${column} is not distinct from ${param(expected)})`
    }),
    sql` and `
  )
  // What an undo brings back was there before, so the caller need not see what it refers to.
  const changeBack = updateIf(isAsExpected, param.changes(content), null)
  const removeAgain = removeIf(isAsExpected, { onlyIfFree: true })
  /** Inserts these columns of the content; the others get their default. */
  const insertOf = (names: string[]) => {
    const write = create<OwnKey, Shown>((db) => {
      const row = { ...param.pick('id', ...names, 'created_at'), ...of.returned }
      return statement(db, sql`${insertion(db, row, null)} on conflict do nothing`)
    })
    return folding(write)
  }
  /** By the columns that a record has: older ones lack some. */
  const inserts = new Map([[names.join(), insertOf(names)]])

  const insert = create<{ user_id: number }, Shown>((db) => {
    const row = { ...param.fields(own.created), ...of.made, created_at: param('now') }
    const unlessTaken = unique.length > 0 ? sql` on conflict do nothing` : sql``
    return statement(db, sql`${insertion(db, row)}${unlessTaken}`)
  })

  return {
    // The statements were made from these schemas, so they take exactly what the schemas name.
    insert: folding(insert) as Written<Fields<Static<New>> & { user_id: number; max: number }, Row>,
    /** An absent field stays as it is. */
    update: updateIf(holds, param.changes(own.changed)) as Written<
      Fields<Static<Change>> & Target,
      Row
    >,
    remove: removeIf(holds) as (
      ...args: [...Parameters<Written<Target, Row>>, onReleased?: OnReleased]
    ) => ReturnType<Written<Target, Row>>,
    /** From one state to another; undefined if the row is not in the first. */
    transition:
      states &&
      (updateIf(sql`${holds} and state = ${param('from')}`, { state: param('to') }) as Written<
        Target & { from: string; to: string },
        Row
      >),

    undo: {
      kind,
      update: ({ before, after, ...step }: Step) =>
        changeBack({ ...rowOf(before), ...expectedOf(after), ...step }),
      remove: ({ before, after, ...step }: Step) => removeAgain({ ...expectedOf(after), ...step }),
      insert({ before, after, ...step }: Step) {
        const row = rowOf(before)
        const known = names.filter((name) => name in row)
        const write = inserts.get(known.join()) ?? insertOf(known)
        inserts.set(known.join(), write)
        return write({ ...row, ...step })
      }
    }
  }
}

/** The values of a recorded row. */
const rowOf = (json: string) => stored(JSON.parse(json))
const expectedOf = (json: string) =>
  Object.fromEntries(
    Object.entries(rowOf(json)).map(([name, value]) => [`expected_${name}`, value])
  )
