import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './types.ts'

/** A value that a query can be given; databases see booleans and times in their own form. */
export type Value = string | number | boolean | null

/** What a connection gives back: rows (SELECT, RETURNING) and how many rows a write touched. */
export interface Outcome {
  rows: unknown[]
  changes: number
}

/**
 * Runs a query with the values of its placeholders. Synchronous where the database is (SQLite),
 * so that a read costs no turn of the event loop.
 */
export type Runner = (values: Value[]) => Outcome | Promise<Outcome>

/** What statements cost so far. */
export interface Usage {
  queries: number
  seconds: number
}

/** A database connection, as statements see it. */
export interface Connection {
  /** Builds queries; never executes them. */
  readonly builder: Kysely<Tables>
  prepare(query: CompiledQuery): Runner
}

/** Text with U+0000, which PostgreSQL does not keep; refused on both databases alike. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText'
}

function storable(value: Value): Value {
  if (typeof value === 'string' && value.includes('\0')) throw new UnstorableText('U+0000 in text')
  return value
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Names a value that is given when the statement runs. */
export type Param<Args> = <Name extends keyof Args & string>(name: Name) => RawBuilder<Args[Name]>

export interface Statement<Args, Row> {
  all(args: Args): Promise<Row[]>
  first(args: Args): Promise<Row | undefined>
  /** The row of a statement that always gives one, such as INSERT ... RETURNING. */
  one(args: Args): Promise<Row>
  /** How many rows the statement touched. */
  run(args: Args): Promise<number>
}

/**
 * Builds a query with kysely once, at start, and runs it as a prepared statement from then on
 * (docs/performance.md says what that saves).
 *
 * ```ts
 * const byId = statement(connection, (db, p: Param<{ id: number }>) =>
 *   db.selectFrom('todos').selectAll().where('id', '=', p('id')))
 * await byId.first({ id: 1 })
 * ```
 */
export function statement<Args extends Record<keyof Args, Value>, Row>(
  connection: Connection,
  build: (db: Kysely<Tables>, param: Param<Args>) => Compilable<Row>
): Statement<Args, Row> {
  const query = build(connection.builder, (name) => sql`${new Placeholder(name)}`).compile()
  const run = connection.prepare(query)
  const slots = query.parameters.map((value) =>
    value instanceof Placeholder ? { name: value.name as keyof Args } : { constant: value as Value }
  )
  const values = (args: Args) =>
    slots.map((slot) => ('name' in slot ? storable(args[slot.name]) : slot.constant))

  return {
    // Awaiting costs a turn of the microtask queue, also where the outcome is there already.
    async all(args) {
      const outcome = run(values(args))
      // Kysely typed the query; both drivers return its columns in their declared types.
      return (outcome instanceof Promise ? await outcome : outcome).rows as Row[]
    },
    async first(args) {
      const outcome = run(values(args))
      return (outcome instanceof Promise ? await outcome : outcome).rows[0] as Row | undefined
    },
    async one(args) {
      return (await run(values(args))).rows[0] as Row
    },
    async run(args) {
      return (await run(values(args))).changes
    }
  }
}

/**
 * A LIMIT that is given at run time. SQLite prepares a statement anew each time a bare `LIMIT ?`
 * is bound; an expression around it avoids that.
 */
export const limit = (count: RawBuilder<number>) => sql<number>`cast(${count} as integer)`
