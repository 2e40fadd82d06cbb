import type { TObject } from '@sinclair/typebox'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Kind } from '../schemas/kinds.ts'
import type { Value } from './connection.ts'
import { isOwn } from './query.ts'
import type { Actor, Recording } from './recorded.ts'
import { isGiven, param } from './statement.ts'
import type { Tables } from './types.ts'
import { type Counted, ifRoom } from './user-usage.ts'

/** One change of one row that is to be undone. */
export interface Step {
  /** Key of the row. */
  id: number
  user_id: number
  now: string
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

/** What a statement gets from a step, besides the content of the row. */
type Args = Omit<Step, 'before' | 'after' | 'by'>
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

interface Undone {
  kind: Kind
  table: keyof Tables & Counted
  columns: readonly string[]
  /** The columns that users write, as a schema: undo compares and restores these. */
  content: TObject
  /** Other columns to change, and those of a row that is inserted again. */
  changed?: Values
  returned?: Values
}

/** Undoes changes of rows that users write, each in one conditional statement. */
export function undoRows(record: Recording, what: Undone): Undoable {
  const { kind, table, columns, content, changed = {}, returned = {} } = what
  const { create, update, remove } = record({ kind, table, columns })
  const names = Object.keys(content.properties)
  const list = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))
  const statement = (db: Kysely<Tables>, text: RawBuilder<unknown>) => ({
    compile: () => sql<{ id: number }>`${text} returning ${list(columns)}`.compile(db)
  })
  /** Two nulls count as equal; what an older record does not have is not compared. */
  const isAsExpected = sql.join(
    names.map((name) => {
      const expected = `expected_${name}`
      return sql`(not ${isGiven(expected)} or ${sql.ref(name)} is not distinct from ${param(expected)})`
    }),
    sql` and `
  )
  const condition = sql`where ${isOwn(param)} and ${isAsExpected}`
  const set = { ...param.changes(content), updated_at: param('now'), ...changed }
  const assignments = Object.entries<RawBuilder<unknown>>(set).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`
  )
  const updateOwn = update<Args, { id: number }>((db) =>
    statement(db, sql`update ${sql.table(table)} set ${sql.join(assignments)} ${condition}`)
  )
  const removeOwn = remove<Args, { id: number }>((db) =>
    statement(db, sql`delete from ${sql.table(table)} ${condition}`)
  )
  /** Inserts these columns of the content; the others get their default. */
  const insertOwn = (names: string[]) =>
    create<Args, { id: number }>((db) => {
      const row: Values = {
        ...param.pick('id', ...names, 'created_at'),
        updated_at: param('now'),
        ...returned
      }
      const room = ifRoom(db, param, { of: table }, Object.values(row))
      return statement(
        db,
        sql`insert into ${sql.table(table)} (user_id, ${list(Object.keys(row))}) ${room}
          on conflict do nothing`
      )
    })
  /** By the columns that a record has: older ones lack some. */
  const inserts = new Map([[names.join(), insertOwn(names)]])

  return {
    kind,
    update: ({ before, after, ...step }) =>
      updateOwn({ ...rowOf(before), ...expectedOf(after), ...step }),
    remove: ({ before, after, ...step }) => removeOwn({ ...expectedOf(after), ...step }),
    insert({ before, after, ...step }) {
      const row = rowOf(before)
      const known = names.filter((name) => name in row)
      const write = inserts.get(known.join()) ?? insertOwn(known)
      inserts.set(known.join(), write)
      return write({ ...row, ...step })
    }
  }
}

const rowOf = (json: string): Record<string, Value> => JSON.parse(json)
const expectedOf = (json: string) =>
  Object.fromEntries(
    Object.entries(rowOf(json)).map(([name, value]) => [`expected_${name}`, value])
  )
