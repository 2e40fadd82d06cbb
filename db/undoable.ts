import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '../schemas/kinds.ts'
import type { Actor } from './recorded.ts'
import { isGiven, param } from './statement.ts'

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

/** The columns that users write, as a schema. */
interface Content<Name extends string> {
  properties: Record<Name, unknown>
}

/** The content that a row must have, as arguments. */
export type Expected<Row> = { [Name in keyof Row & string as `expected_${Name}`]: Row[Name] }

/** Whether a row has the expected content. Two nulls count as equal; what is not expected is not compared. */
export const isAsExpected = (content: Content<string>): RawBuilder<boolean> =>
  sql`${sql.join(
    Object.keys(content.properties).map((name) => {
      const expected = `expected_${name}`
      return sql`(not ${isGiven(expected)} or ${sql.ref(name)} is not distinct from ${param(expected)})`
    }),
    sql` and `
  )}`

/** What a statement gets from a step, besides the content of the row. */
type Common = Omit<Step, 'before' | 'after'>

/**
 * Undoes changes of rows that are written whole. The statements take the content to restore under
 * the names of its columns, and the content that the row must have as `expected_*`.
 */
export function undoRows<Row extends object, Column extends keyof Row & string>(
  kind: Kind,
  content: Content<Column>,
  statements: {
    update: Write<Common & Row & Expected<Row>>
    remove: Write<Common & Expected<Row>>
    /** Inserts these columns of the content; the others get their default. */
    insert(columns: Column[]): Write<Common & Row>
  }
): Undoable {
  const all = Object.keys(content.properties) as Column[]
  const rowOf = (json: string): Row => JSON.parse(json)
  const expectedOf = (json: string) =>
    Object.fromEntries(
      Object.entries(rowOf(json)).map(([name, value]) => [`expected_${name}`, value])
    ) as Expected<Row>

  const insertAll = statements.insert(all)
  /** By the columns that older records have. */
  const insertSome = new Map<string, typeof insertAll>()
  function insertOf(row: Row) {
    const columns = all.filter((name) => name in row)
    if (columns.length === all.length) return insertAll
    const known = insertSome.get(columns.join()) ?? statements.insert(columns)
    insertSome.set(columns.join(), known)
    return known
  }

  return {
    kind,
    update: ({ before, after, ...step }) =>
      statements.update({ ...rowOf(before), ...expectedOf(after), ...step }),
    remove: ({ before, after, ...step }) => statements.remove({ ...expectedOf(after), ...step }),
    insert({ before, after, ...step }) {
      const row = rowOf(before)
      return insertOf(row)({ ...row, ...step })
    }
  }
}
