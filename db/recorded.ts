import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Action, Kind } from '../schemas/activity.ts'
import type { Connection, Outcome, Value } from './connection.ts'
import {
  type Arguments,
  type Build,
  binding,
  type Param,
  param,
  type Reader,
  type Statements,
  statements
} from './statement.ts'
import type { Tables } from './types.ts'
import { ownBytes, recordBytes, removeOldest } from './user-usage.ts'

/** Who changes something, how and when: every recorded write needs it. */
export interface Actor {
  /** RFC 3339, UTC. */
  at: string
  via: string
  /** The access token, if one was used. */
  token_id: number | null
  run: string | null
  request_id: string
  /** How many bytes of records the user may have; beyond it, the oldest are removed. */
  most: number
  /** The change that this one undoes. */
  undoes?: number
  /** The caller writes many changes of a run, and counts them and their bytes itself, once. */
  isCounted?: boolean
}

/** A table whose changes are recorded: these columns of its rows, by `id` and `user_id`. */
interface Recordable {
  kind: Kind
  table: keyof Tables
  columns: readonly string[]
}

type Row = { id: number }
/** Writes one row of one user; `by` says who. Undefined if no row was written; then nothing is recorded. */
type Recorded<Args, Result> = (args: Args & { by: Actor }) => Promise<Result | undefined>
type Owned<Args> = Arguments<Args> & { user_id: number }
/** A query that can be told to wait for another part of its statement. */
type Waiting<Result> = Compilable<Result> & {
  where(condition: RawBuilder<boolean>): Compilable<Result>
}

/** The writes that leave a record. Each query returns the columns that are recorded. */
interface Recorder {
  /** An INSERT. */
  create<Args extends Owned<Args>, Result extends Row>(
    build: Build<Kysely<Tables>, Args, Result>
  ): Recorded<Args, Result>
  /** An UPDATE of the row `id` of `user_id`. */
  update<Args extends Owned<Args> & Row, Result extends Row>(
    build: (db: Kysely<Tables>, param: Param<Args>) => Waiting<Result>
  ): Recorded<Args, Result>
  /** A DELETE, or an UPDATE that acts as one: there is no row afterwards. */
  remove<Args extends Owned<Args>, Result extends Row>(
    build: (db: Kysely<Tables>, param: Param<Args>) => Waiting<Result>
  ): Recorded<Args, Result>
}

/** Makes the writes of a table that leave a record. */
export type Recording = (what: Recordable) => Recorder

/** As `repository`, for rows whose changes are recorded: `record` makes the writes. */
export const recordedRepository = <Reads, Writes>(parts: {
  reads(statements: Statements<Reader>): Reads
  writes(statements: Statements<Kysely<Tables>>, record: Recording): Writes
}) => parts

const values = {
  at: param('by_at'),
  user_id: param('user_id'),
  via: param('by_via'),
  token_id: param('by_token_id'),
  run: param('by_run'),
  request_id: param('by_request_id'),
  undone: sql<never>`false`,
  undoes: param('by_undoes')
}

/** Counts one change of a run; `from` says when. */
const countRun = (from: RawBuilder<unknown>) => sql`
  insert into runs (user_id, run, via, token_id, started_at, ended_at, recorded, undone)
  select ${param('user_id')}, ${param('by_run')}, ${param('by_via')}, ${param('by_token_id')},
    ${param('by_at')}, ${param('by_at')}, 1, 0 ${from}
  on conflict (user_id, run) do update
  set recorded = runs.recorded + 1, ended_at = excluded.ended_at`

/** Adds to the bytes of the user's records, and returns the sum. */
const countBytes = (bytes: RawBuilder<unknown>, from = sql``) => sql<{ activity_bytes: number }>`
  update user_usage set activity_bytes = activity_bytes + ${bytes} ${from}
  where user_usage.user_id = ${param('user_id')} returning activity_bytes`

/** Removes the oldest records of a user who has too many bytes of them. */
const makeRoom = (db: Kysely<Tables>) =>
  removeOldest(db, { user_id: param('user_id'), most: param('by_most') }).compile()

const actorArgs = ({ at, via, token_id, run, request_id, most, undoes }: Actor) => ({
  by_at: at,
  by_via: via,
  by_token_id: token_id,
  by_run: run,
  by_request_id: request_id,
  by_most: most,
  by_undoes: undoes ?? null
})

/**
 * Binds recorded writes to a connection. The record is part of the write: on PostgreSQL one
 * statement makes both, on SQLite several that run as one.
 */
export function recorder(connection: Connection): Recording {
  return (what) => {
    /** `join` makes the write of one statement wait for the other parts of it. */
    const make = <Args extends Owned<Args>, Result extends Row, Query extends Compilable<Result>>(
      action: Action,
      build: (db: Kysely<Tables>, param: Param<Args>) => Query,
      join: (write: Query) => Compilable<Result>
    ): Recorded<Args, Result> => {
      if (!connection.records) return statements(connection).first<Args, Result>(build)
      if (connection.unit) return inUnit(connection, what, action, build)
      return inStatement(connection, what, action, (db, p: Param<Args>) => join(build(db, p)))
    }
    return {
      create: (build) => make('create', build, (write) => write),
      // "before" reads and locks the row before the change.
      update: (build) =>
        make('update', build, (write) => write.where(sql`id in (select id from "before")`)),
      remove: (build) => make('delete', build, (write) => write.where(isOwners))
    }
  }
}

/**
 * Locks the counts of the user before the row, as an INSERT does (`insertIfRoom`). Two writes that lock
 * them in different orders could wait for each other forever.
 */
const owner = sql`"owner" as (
  select user_id from user_usage where user_id = ${param('user_id')} for no key update)`
const isOwners = sql<boolean>`user_id = (select user_id from "owner")`

const rowBefore = ({ table, columns }: Recordable) => sql<Row>`
  select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
  where id = ${param('id')} and user_id = ${param('user_id')}`

function inStatement<Args extends Owned<Args>, Result extends Row>(
  connection: Connection,
  what: Recordable,
  action: Action,
  build: Build<Kysely<Tables>, Args, Result>
): Recorded<Args, Result> {
  const write = build(connection.builder, param as Param<Args>)
  const json = (row: string) => {
    const members = what.columns.flatMap((name) => {
      const column = sql.ref(`${row}.${name}`)
      // Times are RFC 3339 in UTC, as in answers.
      const isTime = name.endsWith('_at')
      const text = sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      return [sql.lit(name), isTime ? text : column]
    })
    return sql`json_build_object(${sql.join(members)})::text`
  }
  const columns = { ...values, kind: sql.lit(what.kind), action: sql.lit(action) }
  const written = {
    ...columns,
    key: sql.ref('after.id'),
    before: action === 'create' ? sql`null` : json(action === 'update' ? 'before' : 'after'),
    after: action === 'delete' ? sql`null` : json('after')
  }
  const isUpdate = action === 'update'
  const prepare = (query: ReturnType<Compilable['compile']>) => {
    const bind = binding<Arguments<object>>(query)
    const run = connection.prepare(query)
    return (args: Arguments<object>) => run(bind(args))
  }
  const recording = (counted: RawBuilder<unknown>, shown: RawBuilder<unknown>) =>
    prepare(
      sql`with
    ${action === 'create' ? sql`` : sql`${owner},`}
    ${isUpdate ? sql`"before" as (${rowBefore(what)} and ${isOwners} for no key update),` : sql``}
    "after" as (${write as never}),
    "record" as (
      insert into changes (${sql.join(Object.keys(written).map((name) => sql.ref(name)))})
      select ${sql.join(Object.values(written))} from "after"
      ${isUpdate ? sql`join "before" on "before".id = "after".id` : sql``}
      returning ${ownBytes} as bytes
    )${counted}
    select ${shown} from "after"`.compile(connection.builder)
    )
  const used = sql`, "used" as (${countBytes(sql`bytes`, sql`from "record"`)})`
  const withUsed = sql`(select activity_bytes from "used"), "after".*`
  const uncounted = recording(sql``, sql`*`)
  const alone = recording(used, withUsed)
  const ofRun = recording(sql`${used}, "counted" as (${countRun(sql`from "after"`)})`, withUsed)
  // A separate statement: it has to see what other requests have removed while this one waited for them.
  const forget = prepare(makeRoom(connection.builder))
  return async ({ by, ...args }) => {
    const written = { ...args, ...actorArgs(by) }
    if (by.isCounted) return (await uncounted(written)).rows[0] as Result | undefined
    const { rows } = await (by.run === null ? alone : ofRun)(written)
    const [found] = rows as (Result & { activity_bytes: number })[]
    if (!found) return
    const { activity_bytes, ...row } = found
    if (activity_bytes > by.most) await forget(written)
    return row as unknown as Result
  }
}

function inUnit<Args extends Owned<Args>, Result extends Row>(
  connection: Connection,
  what: Recordable,
  action: Action,
  build: Build<Kysely<Tables>, Args, Result>
): Recorded<Args, Result> {
  const { builder, unit } = connection
  if (!unit) throw new Error('this database records in one statement')
  const prepare = (query: ReturnType<Compilable['compile']>) => {
    const bind = binding<{ [name: string]: Value | undefined }>(query)
    const run = unit.prepare(query)
    return (args: { [name: string]: Value | undefined }): Outcome => run(bind(args))
  }
  const write = prepare(build(builder, param as Param<Args>).compile())
  const find = action === 'update' ? prepare(rowBefore(what).compile(builder)) : null
  const written = {
    ...values,
    kind: sql.lit(what.kind),
    action: sql.lit(action),
    key: param('key'),
    before: param('before'),
    after: param('after')
  }
  const record = prepare(
    sql`insert into changes (${sql.join(Object.keys(written).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(written))})`.compile(builder)
  )
  const count = prepare(countRun(sql`where true`).compile(builder))
  const countUsed = prepare(
    countBytes(recordBytes(param('before'), param('after'))).compile(builder)
  )
  const forget = prepare(makeRoom(builder))
  return async ({ by, ...args }) => {
    let found: unknown
    return unit.run(
      () => {
        found = find?.(args).rows[0]
        return write(args).rows[0] as Result | undefined
      },
      (row) => {
        if (!row) return
        const shown = JSON.stringify(row)
        const before = action === 'create' ? null : found ? JSON.stringify(found) : shown
        const after = action === 'delete' ? null : shown
        const written = { ...actorArgs(by), user_id: args.user_id, key: row.id, before, after }
        record(written)
        if (by.isCounted) return
        if (by.run !== null) count(written)
        const [usage] = countUsed(written).rows as { activity_bytes: number }[]
        if (usage && usage.activity_bytes > by.most) forget(written)
      }
    )
  }
}
