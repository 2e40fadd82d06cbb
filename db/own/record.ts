import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Action } from '../../schemas/activity.ts'
import { isLinked, isSharedKind, type Referrer, referrersOf } from '../../schemas/area/index.ts'
import { atFirstUse } from '../../schemas/first-use.ts'
import type { Kind } from '../../schemas/kinds.ts'
import type { Connection, Unit, Value } from '../connection.ts'
import { isListed, isPostgres, listed } from '../query.ts'
import {
  type Arguments,
  type Build,
  binding,
  columnsOf,
  type Param,
  param,
  type Reader,
  type Statements,
  statements
} from '../statement.ts'
import type { Tables } from '../types.ts'
import { type Guarded, guardedOf, readersOf, shownOf } from './access.ts'
import {
  forUpdate,
  Referenced,
  type Referring,
  type Released,
  referring,
  releasedWith
} from './references.ts'

/** Who changes something, how and when: every recorded write needs it. */
export interface Actor {
  /** Who does it, and whose rights count: a write is done as far as this user may do it. */
  user_id: number
  /** Whose rights count instead. */
  rights_of?: number
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
interface Recordable extends Guarded {
  kind: Kind
  columns: readonly string[]
}

type Row = { id: number }
/**
 * Writes one row of one user; `by` says who (`callerId` in the query), and when (`now`). Undefined if no row was written; then
 * nothing is recorded.
 */
type Recorded<Args, Result> = (
  args: Omit<Args, 'now' | 'callerId'> & { by: Actor }
) => Promise<Result | undefined>
/** The same of a removal. */
export type Removed<Args, Result> = (
  args: Parameters<Recorded<Args, Result>>[0],
  onReleased?: OnReleased
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
  /**
   * A DELETE, or an UPDATE that acts as one: there is no row afterwards. What refers to it is cleared or goes too, as its
   * field says, or else it fails with `Referenced`. `onlyIfFree`: it is done only if nothing refers to it.
   */
  remove<Args extends Owned<Args> & Row, Result extends Row>(
    build: Write<Args, Result>,
    how?: { onlyIfFree: boolean }
  ): Removed<Args, Result>
}

/** Makes the writes of a table that leave a record. */
export type Recording = (what: Recordable) => Recorder

/** As `repository`, for rows whose changes are recorded: `record` makes the writes. */
export const recordedRepository = <Reads, Writes>(parts: {
  reads(statements: Statements<Reader>): Reads
  writes(statements: Statements<Kysely<Tables>>, record: Recording): Writes
}) => parts

/** Whether others may make rows that refer to one of this kind, or to what goes with it. */
const concernsOthers = (kind: Kind, seen: ReadonlySet<Kind> = new Set()): boolean =>
  isSharedKind(kind) ||
  referrersOf(kind).some(
    ({ area }) => !seen.has(area.kind) && concernsOthers(area.kind, new Set([...seen, kind]))
  )

type Values = { [name: string]: Value | undefined }

/** Is told what a removal has done to other rows. */
export type OnReleased = (released: Released) => void

/** What a record counts in addition to its JSON: its other columns, and the indexes; and for each reader of the row. */
const recordBytes = 512
const readerBytes = 64

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
  const insertion = () =>
    builder.insertInto('changes').values({
      at: param('at'),
      user_id: param('user_id'),
      made_by: param('made_by'),
      is_shared: param('is_shared'),
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
  const record = prepare(insertion)
  // By itself: to return the id costs a tenth of a write.
  const recordShared = prepare(() => insertion().returning('id'))

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

  const addReaders = prepare(() =>
    builder
      .insertInto('change_readers')
      .columns(['change_id', 'had', 'has', 'reader'])
      .expression(
        builder
          .selectFrom(listed(builder, param('readers')).as('readers'))
          .select([param('change_id').as('change_id'), param('had').as('had')])
          .select([param('has').as('has'), 'value'])
      )
  )

  /** Who may read the row `id` as it stands. */
  type FindReaders = (unit: Unit, key: Values) => Promise<number[]>
  /** For a kind; null if others never can, or nothing is recorded. */
  function readersIn(kind: Kind): FindReaders | null {
    if (!connection.records || !isSharedKind(kind)) return null
    const find = built(readersOf(guardedOf(kind), param('id')))
    return async (unit, key) => {
      const { rows } = await find(unit, key)
      return (rows as { reader: number }[]).map(({ reader }) => reader)
    }
  }

  interface Made {
    kind: Kind
    action: Action
    user_id: number
    /** JSON of the row before an update. */
    before?: string | undefined
    row: Row
    /** Finds who may read the row now. */
    readers: FindReaders | null
    /** Who could read it before. */
    had?: readonly number[] | undefined
  }

  /** Counts a change, and records it. */
  async function keep(
    unit: Unit,
    { spends, user_id, ...by }: Actor,
    { row, before, readers, had = [], ...change }: Made
  ) {
    if (spends) await spendOne(unit, spends)
    if (!connection.records) return
    const { action } = change
    const shown = JSON.stringify(row)
    const states = {
      before: action === 'create' ? null : (before ?? shown),
      after: action === 'delete' ? null : shown
    }
    const bytes = recordBytes + bytesOf(states.before) + bytesOf(states.after)
    const made_by = user_id === change.user_id ? null : user_id
    const is_shared = readers !== null
    const made = { ...by, made_by, is_shared, ...states, ...change, key: row.id, bytes }
    if (!is_shared) return void (await record(unit, made))
    unit.share()
    const has = action === 'delete' ? [] : await readers(unit, { id: row.id })
    const all = [...new Set([...had, ...has])]
    const { rows } = await recordShared(unit, { ...made, bytes: bytes + readerBytes * all.length })
    const [{ id: change_id }] = rows as [Row]
    const sights = Map.groupBy(all, (reader) => `${had.includes(reader)} ${has.includes(reader)}`)
    for (const some of sights.values()) {
      const [one = 0] = some
      const sight = { had: had.includes(one), has: has.includes(one) }
      await addReaders(unit, { change_id, ...sight, readers: JSON.stringify(some) })
    }
  }

  const list = (of: Guarded, columns: readonly string[]) => sql.join(shownOf(of, columns, of.table))
  const isOwn = sql`id = ${param('id')} and user_id = ${param('user_id')}`
  const built = (text: RawBuilder<unknown>) =>
    prepare(() => ({ compile: () => text.compile(builder) }))

  /** The statements for rows that refer to another with a field. */
  function dependentOf(referrer: Referrer) {
    const { field, area } = referrer
    const table = sql.table(area.table)
    const columns = list(area, columnsOf(area.row))
    return {
      look: built(referring(builder, referrer, { isLocked: false })),
      find: built(referring(builder, referrer, { isLocked: true })),
      readers: readersIn(area.kind),
      read: built(sql`select ${columns} from ${table} where ${isOwn}`),
      clear: built(
        sql`update ${table} set ${sql.ref(field)} = null, updated_at = ${param('now')} where ${isOwn} returning ${columns}`
      ),
      remove: built(sql`delete from ${table} where ${isOwn} returning ${columns}`)
    }
  }

  return ({ kind, columns, ...of }) => {
    const readers = readersIn(kind)
    const rowBefore = sql`select ${list(of, columns)} from ${sql.table(of.table)} where ${isOwn}`
    const dependents = new Map<string, ReturnType<typeof dependentOf>>()

    function statementsOf(referrer: Referrer) {
      const name = `${referrer.area.kind} ${referrer.field}`
      const known = dependents.get(name) ?? dependentOf(referrer)
      dependents.set(name, known)
      return known
    }

    const lock = built(
      sql`select 1 from ${sql.table(of.table)} as own where ${isOwn} ${forUpdate(builder, 'own')}`
    )

    type Wanted = { id: number; user_id: number; by: Actor; isForced?: boolean }
    const dependentsOf = (
      unit: Unit,
      { id, by, isForced = false }: Wanted,
      how: 'look' | 'find' = 'find'
    ) => {
      const find = async (referrer: Referrer, ids: readonly number[]) => {
        const { rows } = await statementsOf(referrer)[how](unit, {
          ...{ callerId: callerOf(by), ids: JSON.stringify(ids) }
        })
        return rows as Referring[]
      }
      return releasedWith({ kind, id }, find, { isForced })
    }
    type Dependents = Awaited<ReturnType<typeof dependentsOf>>

    /** Undefined if something refers to the row. */
    async function noneOf(unit: Unit, removed: Wanted): Promise<Dependents | undefined> {
      try {
        const found = await dependentsOf(unit, removed)
        return found.cleared.length + found.deleted.length === 0 ? found : undefined
      } catch (error) {
        if (error instanceof Referenced) return undefined
        throw error
      }
    }

    /** Locks a row that is removed, and before it those whose rows go with it: who makes one in it waits for this row. */
    async function lockAll(unit: Unit, removed: Wanted) {
      try {
        const { cleared, deleted } = await dependentsOf(unit, removed, 'look')
        await unit.hold([...new Set([...cleared, ...deleted].map(({ user_id }) => user_id))])
      } catch (error) {
        if (!(error instanceof Referenced)) throw error
      }
      const { id, user_id } = removed
      await lock(unit, { id, user_id })
    }

    /** Who may read what depends on a row, as long as the row is there. */
    async function readersOfEach(unit: Unit, { cleared, deleted }: Dependents) {
      const found = new Map<Dependents['deleted'][number], number[] | undefined>()
      for (const one of [...cleared, ...deleted]) {
        found.set(one, await statementsOf(one.referrer).readers?.(unit, { id: one.id }))
      }
      return found
    }

    async function release(
      unit: Unit,
      { cleared, deleted }: Dependents,
      read: Awaited<ReturnType<typeof readersOfEach>>,
      by: Actor
    ) {
      for (const one of cleared) {
        const { id, user_id, kind } = one
        const { read: find, clear, readers } = statementsOf(one.referrer)
        const key = { id, user_id, now: by.at }
        const { rows: found } = await find(unit, key)
        const [row] = (await clear(unit, key)).rows as Row[]
        const before = JSON.stringify(found[0])
        const change = { kind, action: 'update', user_id, readers, had: read.get(one) } as const
        if (row) await keep(unit, by, { ...change, before, row })
      }
      for (const one of deleted) {
        const { id, user_id, kind } = one
        const { remove, readers } = statementsOf(one.referrer)
        const [row] = (await remove(unit, { id, user_id })).rows as Row[]
        const change = { kind, action: 'delete', user_id, readers, had: read.get(one) } as const
        if (row) await keep(unit, by, { ...change, row })
      }
    }

    function make<Args extends Owned<Args>, Result extends Row>(
      action: Action,
      build: Write<Args, Result>
    ): Recorded<Args, Result> {
      const query = () => build(builder, param as Param<Args>)
      // Of rows that are linked, no other write of the user may come between the check and the write.
      const alone =
        connection.records || isLinked(kind)
          ? null
          : statements(connection).first<Values, Result>(query)
      const write = prepare(query)
      const find = action === 'update' && connection.records ? built(rowBefore) : null
      return ({ by, ...args }) => {
        const all = { ...args, callerId: callerOf(by), now: by.at }
        if (alone && !by.spends) return alone(all)
        const { user_id } = args
        return connection.unit(user_id, async (unit) => {
          // All are sent at once; the unit keeps their order.
          const [found, had, written] = await Promise.all([
            find?.(unit, args),
            action === 'create' ? undefined : readers?.(unit, args),
            write(unit, all)
          ])
          // Kysely typed the query; both drivers return its columns in their declared types.
          const row = written.rows[0] as Result | undefined
          if (!row) return
          const before = found && JSON.stringify(found.rows[0])
          await keep(unit, by, { kind, action, user_id, readers, had, before, row })
          return row
        })
      }
    }

    function makeRemoval<Args extends Owned<Args> & Row, Result extends Row>(
      build: Write<Args, Result>,
      { onlyIfFree }: { onlyIfFree: boolean }
    ): Removed<Args, Result> {
      if (referrersOf(kind).length === 0) return make('delete', build)
      const isAlone = concernsOthers(kind)
      const write = prepare(() => build(builder, param as Param<Args>))
      const find = onlyIfFree ? noneOf : dependentsOf
      return (args, onReleased) =>
        connection.unit(
          args.user_id,
          async (unit) => {
            if (isAlone && isPostgres(builder)) await lockAll(unit, args)
            const dependents = await find(unit, args)
            if (!dependents) return
            const { by, user_id } = args
            const had = await readers?.(unit, args)
            const read = await readersOfEach(unit, dependents)
            const { rows } = await write(unit, { ...args, callerId: callerOf(by), now: by.at })
            const row = rows[0] as Result | undefined
            if (!row) return
            // Recorded before it, so that an undo restores it first.
            await release(unit, dependents, read, by)
            onReleased?.(dependents)
            await keep(unit, by, { kind, action: 'delete', user_id, readers, had, row })
            return row
          },
          { isAlone }
        )
    }
    return {
      create: (build) => make('create', build),
      update: (build) => make('update', build),
      remove: (build, how = { onlyIfFree: false }) => makeRemoval(build, how)
    }
  }
}

const callerOf = ({ user_id, rights_of = user_id }: Actor) => rights_of
const bytesOf = (text: string | null) => (text === null ? 0 : Buffer.byteLength(text))
