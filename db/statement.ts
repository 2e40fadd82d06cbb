import type { TBoolean, TObject, TSchema } from '@sinclair/typebox'
import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { atFirstUse } from '../schemas/first-use.ts'
import type { Connection, Key, Runner, Value } from './connection.ts'
import type { Tables } from './types.ts'

/** Text with U+0000, which PostgreSQL cannot store. Both databases refuse it. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText'
  readonly field: string

  constructor(field: string) {
    super(`U+0000 in ${field}`)
    this.field = field
  }
}

function storable(value: Value, field: string): Value {
  if (typeof value === 'string' && value.includes('\0')) throw new UnstorableText(field)
  return value
}

/** Stands for a value that is given when the statement runs, or for whether it is given. */
class Placeholder {
  readonly name: string
  readonly asks: 'value' | 'presence'
  constructor(name: string, asks: Placeholder['asks'] = 'value') {
    this.name = name
    this.asks = asks
  }
}

/** The fields of a schema as arguments. Each must be named, so that none is forgotten; an absent one is undefined. */
export type Fields<Input> = { [Name in keyof Required<Input>]: Input[Name] }

/** An argument as the database gets it. */
type Bound<T> = undefined extends T ? Exclude<T, undefined> | null : T
/** A value for a column. */
type Given<T> = RawBuilder<Exclude<T, undefined>>

/** A schema with these fields. */
type Named<Name extends string> = { properties: { [Field in Name]: TSchema } }

/** Names a value that is given when the statement runs; undefined becomes null. */
export interface Param<Args> {
  <Name extends keyof Args & string>(name: Name): RawBuilder<Bound<Args[Name]>>
  /** Several of them, as columns of the same names. */
  pick<Name extends keyof Args & string>(
    ...names: Name[]
  ): { [Column in Name]: RawBuilder<Bound<Args[Column]>> }
  /** Every field of a schema, as columns of a new row. An absent one is null, or false if it is a boolean. */
  fields<Name extends keyof Args & string>(
    schema: Named<Name>
  ): { [Field in Name]: Given<Args[Field]> }
  /** Every field of a schema, as columns to change: an absent one leaves its column, null clears it. */
  changes<Name extends keyof Args & string>(
    schema: Named<Name>
  ): { [Field in Name]: Given<Args[Field]> }
}

/** Whether a value is given when the statement runs. */
export const isGiven = (name: string) => sql<boolean>`${new Placeholder(name, 'presence')}`

/** Makes placeholders. */
export const param = Object.assign((name: string) => sql<never>`${new Placeholder(name)}`, {
  pick: (...names: string[]) => Object.fromEntries(names.map((name) => [name, param(name)])),
  fields: (schema: Named<string>) =>
    columns(schema, (name, { type }) =>
      type === 'boolean' ? sql<never>`coalesce(${param(name)}, false)` : param(name)
    ),
  changes: (schema: Named<string>) =>
    columns(
      schema,
      (name) => sql<never>`case when ${isGiven(name)} then ${param(name)} else ${sql.ref(name)} end`
    )
})

const columns = (
  schema: Named<string>,
  column: (name: string, field: TSchema) => RawBuilder<never>
) =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, column(name, field)])
  )

/** Every field of a schema, absent: to name those that a value leaves out, `{ ...absent(NewTodo), ...body }`. */
export const absent = <Input extends TObject>({ properties }: Input) =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, undefined])) as {
    [Name in keyof Input['properties']]: undefined
  }

/** The same, cleared: false for a boolean, else null. `{ ...cleared(NewTodo), ...body }` replaces a whole row. */
export const cleared = <Input extends TObject>({ properties }: Input) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, type === 'boolean' ? false : null])
  ) as {
    [Name in keyof Input['properties']]: Input['properties'][Name] extends TBoolean ? false : null
  }

/** The columns that a schema shows of a row. */
export const columnsOf = <Row extends TObject>(schema: Row) =>
  Object.keys(schema.properties) as (keyof Row['properties'] & string)[]

/** Builds queries that only read. `getExecutor` tells which database it is for. */
export type Reader = Pick<Kysely<Tables>, 'selectFrom' | 'getExecutor'>

/** The arguments of a statement that has none. */
type None = Record<never, never>
export type Arguments<Args> = Partial<Record<keyof Args, Value | undefined>>
export type Build<Builder, Args, Row> = (db: Builder, param: Param<Args>) => Compilable<Row>

/** A query that takes another condition. */
interface Filtered {
  where(condition: RawBuilder<boolean>): Compilable
}

/** Whether PostgreSQL keeps a statement for the next time; else it plans it each time. */
type Naming = Parameters<Connection['prepare']>[2]

/** The kinds of statement there are. Each takes the function that builds its query. */
export interface Statements<Builder> {
  /**
   * Every row. `long` names the columns of a list, newest first, that can hold more than a line. It ends
   * with the row that fills the page (`pageBytes`): those behind it are not read.
   */
  all<Args extends Arguments<Args> = None, Row = unknown>(
    build: Build<Builder, Args, Row>,
    long?: readonly string[],
    how?: Naming
  ): (args: Args) => Promise<Row[]>
  /** The first row; undefined if there is none. */
  first<Args extends Arguments<Args>, Row>(
    build: Build<Builder, Args, Row>
  ): (args: Args) => Promise<Row | undefined>
  /**
   * As `first`, for rows that every request reads by a key: a column of them, with its type on PostgreSQL. `build` says
   * which rows can be found. SQLite remembers them until something changes (db/sqlite/memory.ts), and returns them
   * without a promise. All callers share the row, so it is frozen.
   */
  remembered<Column extends string, Row extends { [Name in Column]: Value }>(
    column: Column,
    type: Key['type'],
    build: (db: Builder) => Compilable<Row> & Filtered
  ): (
    key: {
      [Name in Column]: NonNullable<Row[Name]>
    }
  ) => Readonly<Row> | undefined | Promise<Readonly<Row> | undefined>
  /** The row of a statement that always gives one, such as INSERT ... RETURNING. */
  one<Args extends Arguments<Args> = None, Row = unknown>(
    build: Build<Builder, Args, Row>
  ): (args: Args) => Promise<Row>
  /** The number that a statement gives as `count`. */
  count<Args extends Arguments<Args> = None>(
    build: Build<Builder, Args, { count: number }>,
    how?: Naming
  ): (args: Args) => Promise<number>
  /**
   * Whether a row was found, or changed. `only` names the argument whose remembered rows become
   * invalid; without it, all do.
   */
  done<Args extends Arguments<Args> = None>(
    build: Build<Builder, Args, unknown>,
    options?: { only: keyof Args & string }
  ): (args: Args) => Promise<boolean>
}

/** Orders the arguments as the query's placeholders need them, with the constants between them. */
export function binding<Args extends Arguments<Args>>(query: CompiledQuery) {
  const slots = query.parameters.map((value) =>
    value instanceof Placeholder
      ? { name: value.name as keyof Args, asks: value.asks }
      : { constant: value as Value }
  )
  return (args: Args): Value[] =>
    slots.map((slot) => {
      if (!('name' in slot)) return slot.constant
      const value = args[slot.name]
      return slot.asks === 'presence'
        ? value !== undefined
        : storable(value ?? null, String(slot.name))
    })
}

/**
 * Makes statements on a connection. Kysely builds and types each query once, at its first use; from then
 * on it runs as a prepared statement.
 *
 * ```ts
 * const { first } = statements(connection)
 * const find = first((db, p: Param<{ id: number }>) =>
 *   db.selectFrom('todos').selectAll().where('id', '=', p('id')))
 * await find({ id: 1 })
 * ```
 */
export function statements(connection: Connection): Statements<Kysely<Tables>> {
  const prepare = <Args extends Arguments<Args>, Row>(
    build: Build<Kysely<Tables>, Args, Row>,
    use: (query: CompiledQuery) => Runner = (query) => connection.prepare(query)
  ) =>
    atFirstUse(connection.isEager, () => {
      const query = build(connection.builder, param as Param<Args>).compile()
      // Kysely typed the query; both drivers return its columns in their declared types.
      const run = use(query) as Runner<Row>
      const bind = binding<Args>(query)
      return (args: Args) => run(bind(args))
    })

  return {
    // `await` costs a turn of the microtask queue, even if the outcome is there already.
    all(build, long, how) {
      const run = prepare(build, (query) =>
        long?.length
          ? connection.prepareList(query, long)
          : connection.prepare(query, undefined, how)
      )
      return async (args) => {
        const outcome = run(args)
        return (outcome instanceof Promise ? await outcome : outcome).rows
      }
    },
    first(build) {
      const run = prepare(build)
      return async (args) => {
        const outcome = run(args)
        return (outcome instanceof Promise ? await outcome : outcome).rows[0]
      }
    },
    remembered<Column extends string, Row extends { [Name in Column]: Value }>(
      column: Column,
      type: Key['type'],
      build: (db: Kysely<Tables>) => Compilable<Row> & Filtered
    ) {
      const compile = (key: RawBuilder<unknown> = param(column)) =>
        build(connection.builder)
          .where(sql<boolean>`${sql.ref(column)} = ${key}`)
          .compile()
      // Kysely typed the query. Not at its first use: writes must know from the start what is remembered.
      const run = connection.remember({ column, type }, compile) as Runner<Row>
      return (key: { [Name in Column]: NonNullable<Row[Name]> }) => {
        const outcome = run([storable(key[column], column)])
        return outcome instanceof Promise ? outcome.then(({ rows }) => rows[0]) : outcome.rows[0]
      }
    },
    one<Args extends Arguments<Args>, Row>(build: Build<Kysely<Tables>, Args, Row>) {
      const run = prepare(build)
      return async (args: Args) => (await run(args)).rows[0] as Row
    },
    count(build, how) {
      const run = prepare(build, (query) => connection.prepare(query, undefined, how))
      return async (args) => (await run(args)).rows[0]?.count ?? 0
    },
    done(build, options) {
      const run = prepare(build, (query) => {
        if (!options) return connection.prepare(query)
        const slot = query.parameters.findIndex(
          (value) => value instanceof Placeholder && value.name === options.only
        )
        return connection.prepare(query, (values) => values[slot] ?? null)
      })
      return async (args) => (await run(args)).changes > 0
    }
  }
}

/**
 * A repository, with its reads and its writes declared apart. `tsc` refuses a query that writes among
 * the reads. So code that gets only the reads cannot write.
 */
export const repository = <Reads, Writes>(parts: {
  reads(statements: Statements<Reader>): Reads
  writes(statements: Statements<Kysely<Tables>>): Writes
}) => parts
