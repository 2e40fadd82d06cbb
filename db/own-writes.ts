import { type TObject, Type } from '@sinclair/typebox'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Kind } from '../schemas/kinds.ts'
import type { Value } from './connection.ts'
import { isOwn, type OwnKey } from './query.ts'
import type { Actor, Owned, Recording } from './recorded.ts'
import { columnsOf, type Fields, isGiven, param } from './statement.ts'
import type { Tables } from './types.ts'
import { type Counted, ifRoom } from './user-usage.ts'

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

interface Own {
  kind: Kind
  table: keyof Tables & Counted
  row: TObject
  /** What its user sends to make a row, and to change one. */
  created: TObject
  changed: TObject
  /** Further columns of a new row, of every change, and of a row that is inserted again. */
  made?: Values
  moved?: Values
  returned?: Values
  /** A row for which this does not hold is not found. Undo compares the content instead. */
  condition?: RawBuilder<boolean>
}

/** The arguments with which a row is made: it is refused if the user has `max` rows already. */
export type Making<New> = Fields<New> & { user_id: number; max: number }
/** Those with which it is changed. An absent field stays as it is. */
export type Changing<Change, Key = OwnKey> = Fields<Change> & Key

type Row = { id: number }

/**
 * Writes the rows of one user, each in one conditional statement that leaves a record. Undefined if there is no
 * such row, or no room for a new one. Rows of other users are not found.
 */
export function ownWrites<
  Shown extends Row,
  New extends Owned<New>,
  Change extends Owned<Change> & Row,
  Key extends Owned<Key> = OwnKey
>(record: Recording, own: Own) {
  const { kind, table, row, condition = sql`true` } = own
  const { made = {}, moved = {}, returned = {} } = own
  const columns = columnsOf(row)
  /** The columns that the user writes: undo compares and restores these. */
  const content = Type.Omit(row, ['id', 'created_at', 'updated_at', ...Object.keys(moved)])
  const names = columnsOf(content)
  const { create, update, remove } = record({ kind, table, columns })

  const list = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))
  const statement = (db: Kysely<Tables>, text: RawBuilder<unknown>) => ({
    compile: () => sql<Shown>`${text} returning ${list(columns)}`.compile(db)
  })
  const insertion = (db: Kysely<Tables>, values: Values) => {
    const row: Values = { ...values, updated_at: param('now') }
    const room = ifRoom(db, param, { of: table }, Object.values(row))
    return sql`insert into ${sql.table(table)} (user_id, ${list(Object.keys(row))}) ${room}`
  }
  function updateIf<Args extends Owned<Args> & Row>(where: RawBuilder<unknown>, fields: Values) {
    const set = { ...fields, ...moved, updated_at: param('now') }
    const assignments = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
    return update<Args, Shown>((db) =>
      statement(
        db,
        sql`update ${sql.table(table)} set ${sql.join(assignments)} where ${isOwn(param)} and ${where}`
      )
    )
  }
  const removeIf = <Args extends Owned<Args>>(where: RawBuilder<unknown>) =>
    remove<Args, Shown>((db) =>
      statement(db, sql`delete from ${sql.table(table)} where ${isOwn(param)} and ${where}`)
    )
  /** Two nulls count as equal; what an older record does not have is not compared. */
  const isAsExpected = sql.join(
    names.map((name) => {
      const expected = `expected_${name}`
      return sql`(not ${isGiven(expected)} or ${sql.ref(name)} is not distinct from ${param(expected)})`
    }),
    sql` and `
  )
  const changeBack = updateIf<OwnKey>(isAsExpected, param.changes(content))
  const removeAgain = removeIf<OwnKey>(isAsExpected)
  /** Inserts these columns of the content; the others get their default. */
  const insertOf = (names: string[]) =>
    create<OwnKey & { max: number }, Shown>((db) => {
      const row = { ...param.pick('id', ...names, 'created_at'), ...returned }
      return statement(db, sql`${insertion(db, row)} on conflict do nothing`)
    })
  /** By the columns that a record has: older ones lack some. */
  const inserts = new Map([[names.join(), insertOf(names)]])

  return {
    insert: create<New, Shown>((db) => {
      const row = { ...param.fields(own.created), ...made, created_at: param('now') }
      return statement(db, insertion(db, row))
    }),
    update: updateIf<Change>(condition, param.changes(own.changed)),

    remove: removeIf<Key>(condition),
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

const rowOf = (json: string): Record<string, Value> => JSON.parse(json)
const expectedOf = (json: string) =>
  Object.fromEntries(
    Object.entries(rowOf(json)).map(([name, value]) => [`expected_${name}`, value])
  )
