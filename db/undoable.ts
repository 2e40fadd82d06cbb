import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '../schemas/activity.ts'
import type { Actor } from './recorded.ts'
import { param } from './statement.ts'

/** One change of one row that is to be undone. */
export interface Step {
  /** Key of the row. */
  id: number
  user_id: number
  now: string
  by: Actor
  /** The row before and after the change, as JSON; empty if there was none. */
  before: string
  after: string
  /** The most that the user may have of this kind; the area says what is counted. */
  most: number
}

/** How a repository undoes its changes. Each returns undefined if the row is not in the expected state. */
export interface Undoable {
  readonly kind: Kind
  /** Undoes an update: gives the row the content of `before`, if it has the content of `after`. */
  putBack(step: Step): Promise<object | undefined>
  /** Undoes an insert: deletes the row, if it has the content of `after`. */
  takeAway(step: Step): Promise<object | undefined>
  /** Undoes a deletion: inserts the row again with its old key, if the key is free and there is room. */
  bringBack(step: Step): Promise<object | undefined>
}

/** The columns that users write, as a schema. */
interface Content<Name extends string> {
  properties: Record<Name, unknown>
}

/** The content that a change left, as arguments. */
export type Left<Row> = { [Name in keyof Row & string as `left_${Name}`]: Row[Name] }

/** Whether a row still has the content that a change left. Two nulls count as equal. */
export const isAsLeft = (content: Content<string>): RawBuilder<boolean> =>
  sql`${sql.join(
    Object.keys(content.properties).map(
      (name) => sql`${sql.ref(name)} is not distinct from ${param(`left_${name}`)}`
    ),
    sql` and `
  )}`

/** What a statement gets from a step, besides the content of the row. */
type Told = Omit<Step, 'before' | 'after'>

/**
 * Undoes changes of rows that are written whole. The statements take the content to restore under
 * the names of its columns, and the content that the change left as `left_*`.
 */
export function undoRows<Row extends object>(
  kind: Kind,
  statements: {
    putBack(args: Told & Row & Left<Row>): Promise<object | undefined>
    takeAway(args: Told & Left<Row>): Promise<object | undefined>
    bringBack(args: Told & Row): Promise<object | undefined>
  }
): Undoable {
  const rowOf = (json: string): Row => JSON.parse(json)
  const leftOf = (json: string) =>
    Object.fromEntries(
      Object.entries(rowOf(json)).map(([name, value]) => [`left_${name}`, value])
    ) as Left<Row>
  return {
    kind,
    putBack: ({ before, after, ...step }) =>
      statements.putBack({ ...rowOf(before), ...leftOf(after), ...step }),
    takeAway: ({ before, after, ...step }) => statements.takeAway({ ...leftOf(after), ...step }),
    bringBack: ({ before, after, ...step }) => statements.bringBack({ ...rowOf(before), ...step })
  }
}
