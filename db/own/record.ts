import { type Compilable, type Kysely, sql } from 'kysely'
import type { Action } from '../../schemas/activity.ts'
import { atFirstUse } from '../../schemas/first-use.ts'
import type { Kind } from '../../schemas/kinds.ts'
import type { Connection, Unit, Value } from '../connection.ts'
import { isListed } from '../query.ts'
import {
  type Arguments,
  type Build,
  binding,
  type Param,
  param,
  type Reader,
  type Statements,
  statements
} from '../statement.ts'
import type { Tables } from '../types.ts'

/** Who changes something, how and when: every recorded write needs it. */
export interface Actor {
  /** RFC 3339, UTC. */
  at: string
  via: string
  /** The access token, if one was used. */
  token_id: number | null
  /** The tokens whose budgets the change spends; null or absent if there are none. */
  spends?: readonly number[] | null
  run: string | null
  request_id: string
  /** Of the request, if it is traced: a webhook goes on with its trace. */
  traceparent?: string | null
  /** The change that this one undoes. */
  undoes?: number
  /** Its run, if all of that is undone. */
  undoes_run?: string | null
}

/** A change beyond the budget of the token that makes it (contract TOKEN-5). Nothing of its transaction is kept. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/** A table whose changes are recorded: these columns of its rows, by `id` and `user_id`. */
interface Recordable {
  kind: Kind
  table: string
  columns: readonly string[]
}

type Row = { id: number }
/**
 * Writes one row of one user; `by` says who, and when (`now` in the query). Undefined if no row was written; then
 * nothing is recorded.
 */
type Recorded<Args, Result> = (
  args: Omit<Args, 'now'> & { by: Actor }
) => Promise<Result | undefined>
/** Arguments of a write that name the user. */
export type Owned<Args> = Arguments<Args> & { user_id: number }
type Write<Args, Result> = Build<Kysely<Tables>, Args, Result>

/** The writes that leave a record. Each query returns the columns that are recorded. */
interface Recorder {
  /** An INSERT, or an UPDATE that acts as one: there was no row before. */
  create<Args extends Owned<Args>, Result extends Row>(
    build: Write<Args, Result>
  ): Recorded<Args, Result>
  /** An UPDATE of the row `id` of `user_id`. */
  update<Args extends Owned<Args> & Row, Result extends Row>(
    build: Write<Args, Result>
  ): Recorded<Args, Result>
  /** A DELETE, or an UPDATE that acts as one: there is no row afterwards. */
  remove<Args extends Owned<Args>, Result extends Row>(
    build: Write<Args, Result>
  ): Recorded<Args, Result>
}

/** Makes the writes of a table that leave a record. */
export type Recording = (what: Recordable) => Recorder

/** As `repository`, for rows whose changes are recorded: `record` makes the writes. */
export const recordedRepository = <Reads, Writes>(parts: {
  reads(statements: Statements<Reader>): Reads
  writes(statements: Statements<Kysely<Tables>>, record: Recording): Writes
}) => parts

type Values = { [name: string]: Value | undefined }

/** What a record counts in addition to its JSON: its other columns, and the indexes. */
const recordBytes = 512

/** Binds recorded writes to a connection. A write and its record are one unit. */
export function recorder(connection: Connection): Recording {
  const { builder } = connection
  const prepare = (build: () => Compilable) =>
    atFirstUse(connection.isEager, () => {
      const query = build().compile()
      connection.prepare(query)
      const bind = binding<Values>(query)
      return (unit: Unit, args: Values) => unit.run(query, bind(args))
    })
  const record = prepare(() =>
    builder.insertInto('changes').values({
      at: param('at'),
      user_id: param('user_id'),
      via: param('via'),
      token_id: param('token_id'),
      run: param('run'),
      request_id: param('request_id'),
      traceparent: param('traceparent'),
      kind: param('kind'),
      key: param('key'),
      action: param('action'),
      undone: sql`false`,
      undoes: param('undoes'),
      undoes_run: param('undoes_run'),
      bytes: param('bytes'),
      before: param('before'),
      after: param('after')
    })
  )

  // Conditional, so that two changes at once cannot both spend the last one.
  const spend = prepare(() =>
    builder
      .updateTable('token_budgets')
      .set((eb) => ({ changes_left: eb('changes_left', '-', 1) }))
      .where(isListed(builder, 'token_id', param('tokens')))
      .where('changes_left', '>', 0)
  )
  async function spendOne(unit: Unit, spends: readonly number[]) {
    const { changes } = await spend(unit, { tokens: JSON.stringify(spends) })
    if (changes < spends.length) throw new BudgetSpent()
  }

  return ({ kind, table, columns }) => {
    const rowBefore = sql`
      select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where id = ${param('id')} and user_id = ${param('user_id')}`

    function make<Args extends Owned<Args>, Result extends Row>(
      action: Action,
      build: Write<Args, Result>
    ): Recorded<Args, Result> {
      const query = () => build(builder, param as Param<Args>)
      const alone = connection.records ? null : statements(connection).first<Values, Result>(query)
      const write = prepare(query)
      const find =
        action === 'update' ? prepare(() => ({ compile: () => rowBefore.compile(builder) })) : null
      return ({ by: { spends, ...by }, ...args }) => {
        if (alone && !spends) return alone({ ...args, now: by.at })
        return connection.unit(args.user_id, async (unit) => {
          // Both are sent at once; the unit keeps their order.
          const [found, written] = await Promise.all([
            find?.(unit, args),
            write(unit, { ...args, now: by.at })
          ])
          // Kysely typed the query; both drivers return its columns in their declared types.
          const row = written.rows[0] as Result | undefined
          if (!row) return
          if (spends) await spendOne(unit, spends)
          if (alone) return row
          const shown = JSON.stringify(row)
          const before = found ? JSON.stringify(found.rows[0]) : shown
          const states = {
            before: action === 'create' ? null : before,
            after: action === 'delete' ? null : shown
          }
          const { user_id } = args
          const bytes = recordBytes + bytesOf(states.before) + bytesOf(states.after)
          await record(unit, { ...by, ...states, user_id, kind, key: row.id, action, bytes })
          return row
        })
      }
    }
    return {
      create: (build) => make('create', build),
      update: (build) => make('update', build),
      remove: (build) => make('delete', build)
    }
  }
}

const bytesOf = (text: string | null) => (text === null ? 0 : Buffer.byteLength(text))
