import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { isSharedKind } from '../../schemas/area/index.ts'
import { type Kind, kinds } from '../../schemas/kinds.ts'
import { guardedOf, isReader, loginOf, mayDo, readerNumbers, rowOf } from '../own/access.ts'
import { isListed, isPostgres, limit, type OwnKey, searchMax } from '../query.ts'
import { type Param, param, type Reader, repository } from '../statement.ts'
import { shown } from './changes.ts'
import {
  changesAfter,
  lookedAt,
  type Outline,
  outlined,
  type Told,
  type Wanted
} from './changes-after.ts'

const sharedKinds = kinds.filter(isSharedKind)

/** What a user may know of a change: that a row is out of sight is told without its content. */
type Sight = { isHidden: boolean; hasBefore: boolean }

type OfUser = { user_id: number }
interface Page {
  rows: Told[]
  end: number
  more: boolean
}
interface Feed {
  /** As `changesAfter.list`. */
  list(wanted: Wanted): Promise<Page | null>
  /**
   * A page, newest first, from the id before `before`; `rest`: the id below which nothing was looked at. Undefined where
   * nothing is shared: `changes.list` finds that faster.
   */
  before?: (
    wanted: Omit<Wanted, 'after'> & { before: number }
  ) => Promise<{ rows: Told[]; rest: number }>
  find(key: OwnKey): Promise<(Told & { traceparent: string | null }) | undefined>
  /** Those with these ids, a JSON array, in order. */
  those(asked: OfUser & { ids: string }): Promise<Told[]>
  /** The next changes after an id; `end`: the last one that was looked at. */
  ahead(
    asked: OfUser & { after: number; limit: number }
  ): Promise<{ changes: Outline[]; end: number }>
  /** As `changesAfter.newest` and `changesAfter.newestOf`. */
  newest(user: OfUser): Promise<number>
  newestOf(asked: { users: string }): Promise<{ user_id: number; id: number | null }[]>
}

/** How long a reader waits for changes that are being committed with lower ids, at most, in milliseconds. */
const settleMs = 200
const stepMs = 10

/**
 * The changes that a user may know of: those of its own rows, and those of rows that others share with it. Each is judged
 * when it is read. Without shared kinds, it is `changesAfter`.
 */
export const feed = repository({
  reads(statements): Feed {
    const { all, first, one } = statements
    const own = changesAfter.reads(statements)

    /** The changes of a user's own rows, and those of rows that it could read: in an order, from an id on. */
    const candidates = (db: Reader, side: RawBuilder<boolean>, direction: 'asc' | 'desc') => {
      const order = sql.raw(direction)
      const part = (ids: RawBuilder<unknown>) =>
        sql`select id from (select id from ${ids} and ${side} order by id ${order} limit ${limit(param('limit'))}) as part`
      const user = param('user_id')
      const parts = [
        part(sql`changes where user_id = ${user}`),
        ...readerNumbers(user).map((reader) =>
          part(
            sql`(select change_id as id from change_readers where reader = ${reader}) as readable where true`
          )
        )
      ]
      return db
        .selectFrom('changes')
        .select([...outlined, 'is_shared'])
        .where(sql<boolean>`id in (${sql.join(parts, sql` union `)})`)
        .orderBy(sql`id ${order}`)
        .limit(limit(param('limit')))
    }
    const following = all(
      (db, p: Param<{ user_id: number; after: number; upTo: number; limit: number }>) =>
        candidates(db, sql`id > ${p('after')} and id <= ${p('upTo')}`, 'asc')
    )
    const preceding = all((db, p: Param<{ user_id: number; before: number; limit: number }>) =>
      candidates(db, sql`id < ${p('before')}`, 'desc')
    )

    /**
     * Which of the changes of a kind a user may know of, because it may read the row now or could when it was deleted:
     * whether it also could before each of them, and afterwards.
     */
    const judging = (kind: Kind) =>
      all((db, p: Param<{ user_id: number; ids: string }>) => {
        const guarded = guardedOf(kind)
        const may = mayDo('read', guarded, rowOf(guarded.table, 'r'), p('user_id'))
        const isCaller = isReader(sql.ref('reader'), p('user_id'), sql.ref('c.at'))
        const last = sql`(select max(id) from changes as d where d.user_id = c.user_id and d.key = c.key
          and d.kind = c.kind and d.action = 'delete')`
        const since = sql`from change_readers where change_id = c.id and ${isCaller}`
        return db
          .selectFrom(
            sql<Pick<Outline, 'id' | 'action'>>`(select c.id as id, c.action as action,
              exists (select 1 ${since} and had = true) as was,
              exists (select 1 ${since} and has = true) as is_then,
              case when r.id is null
                then exists (select 1 from change_readers where change_id = ${last} and had = true and ${isCaller})
                else ${may} end as is_now
            from changes as c left join ${sql.table(guarded.table)} as r on r.id = c.key
            where ${isListed(db, 'c.id', p('ids'))})`.as('judged')
          )
          .select(['judged.id', 'judged.action', sql<boolean>`was`.as('was')])
          .select([sql<boolean>`is_then`.as('is_then'), sql<boolean>`is_now`.as('is_now')])
      })
    const judges = new Map(sharedKinds.map((kind) => [kind, judging(kind)]))

    type Candidate = Awaited<ReturnType<typeof following>>[number]

    /** What a user may know of each of these; nothing of those that are missing. */
    async function sightOf(user_id: number, found: readonly Candidate[]) {
      const sight = new Map<number, Sight>()
      const shared = Map.groupBy(
        found.filter(({ is_shared }) => is_shared),
        ({ kind }) => kind
      )
      for (const change of found) {
        // Also of a kind that was shared: the rule of today counts.
        const isOwn = change.user_id === user_id && !(change.is_shared && judges.has(change.kind))
        if (isOwn) sight.set(change.id, { isHidden: false, hasBefore: true })
      }
      for (const [kind, changes] of shared) {
        const ids = JSON.stringify(changes.map(({ id }) => id))
        const judged = (await judges.get(kind)?.({ user_id, ids })) ?? []
        for (const { id, action, was, is_then, is_now } of judged) {
          const isDelete = action === 'delete'
          if (is_now && (isDelete ? was : is_then)) {
            sight.set(id, { isHidden: false, hasBefore: Boolean(was) })
          }
          // It is out of sight from this change on.
          else if (was && !is_then && !isDelete) sight.set(id, { isHidden: true, hasBefore: false })
        }
      }
      return sight
    }

    const whole = all((db, p: Param<{ ids: string }>) =>
      db
        .selectFrom('changes')
        .select(shown)
        .select(['user_id', 'made_by', 'is_shared'])
        .select(loginOf(sql`coalesce(made_by, changes.user_id)`).as('by'))
        .where(isListed(db, 'id', p('ids')))
        .orderBy('id')
    )
    // With the trace of another's request, nobody goes on.
    const traced = first((db, p: Param<OwnKey>) =>
      db
        .selectFrom('changes')
        .select('traceparent')
        .where(sql<boolean>`id = ${p('id')} and coalesce(made_by, user_id) = ${p('user_id')}`)
    )
    /** As the user may know them. What another did is told without its token and run. */
    async function told(
      user_id: number,
      ids: readonly number[],
      sight: ReadonlyMap<number, Sight>
    ) {
      const rows = ids.length > 0 ? await whole({ ids: JSON.stringify(ids) }) : []
      return rows.map(({ user_id: owner, made_by, is_shared, by, ...row }) => {
        const { isHidden = true, hasBefore = false } = sight.get(row.id) ?? {}
        const isOwn = (made_by ?? owner) === user_id
        return {
          ...row,
          ...(is_shared && { by }),
          ...(!isOwn && { token_id: null, token_name: null, run: null }),
          ...(!hasBefore && { before: null }),
          ...(isHidden && { action: 'hidden' as const, after: null })
        }
      })
    }

    const lastId = one((db) =>
      db
        .selectFrom(
          // SQLite has one writer: there, ids are committed in their order.
          (isPostgres(db)
            ? sql<{
                id: number
              }>`(select coalesce(pg_sequence_last_value('changes_id_seq'), 0) as id)`
            : sql<{ id: number }>`(select ${sql.lit(Number.MAX_SAFE_INTEGER)} as id)`
          ).as('last')
        )
        .select('last.id')
    )
    /** The transactions that have written changes and are not committed; not those of other tables and databases, which may last. */
    const writers = all((db) =>
      db
        .selectFrom(
          (isPostgres(db)
            ? sql<{ id: string }>`(select virtualtransaction as id from pg_locks
                where locktype = 'relation' and relation = 'changes'::regclass and mode = 'RowExclusiveLock'
                  and database = (select oid from pg_database where datname = current_database())
                  and pid <> pg_backend_pid())`
            : sql<{ id: string }>`(select '' as id where false)`
          ).as('writers')
        )
        .select('writers.id')
    )
    /**
     * The id up to which all changes are committed, or will never be. On PostgreSQL, transactions of several users commit
     * in another order than that of their ids: what is read beyond this could hide a lower one.
     */
    async function settled() {
      const { id: last } = await lastId({})
      if (last === settledUpTo) return last
      // Who has an id has the lock.
      let left = await writers({})
      for (let waited = 0; left.length > 0 && waited < settleMs; waited += stepMs) {
        await wait(stepMs)
        const now = new Set((await writers({})).map(({ id }) => id))
        left = left.filter(({ id }) => now.has(id))
      }
      if (left.length === 0) settledUpTo = Math.max(settledUpTo, last)
      return settledUpTo
    }
    let settledUpTo = 0

    const named = all((db, p: Param<{ user_id: number; ids: string }>) =>
      db
        .selectFrom('changes')
        .select([...outlined, 'is_shared'])
        .where(isListed(db, 'id', p('ids')))
        .where((eb) =>
          eb.or([eb('user_id', '=', p('user_id')), eb('is_shared', '=', sql.lit(true))])
        )
    )
    async function those({ user_id, ids }: { user_id: number; ids: string }) {
      const found = await named({ user_id, ids })
      const sight = await sightOf(user_id, found)
      return told(user_id, [...sight.keys()], sight)
    }

    const newestShared = one((db) =>
      db
        .selectFrom('changes')
        .select((eb) => eb.fn.max('id').as('id'))
        .where('is_shared', '=', sql.lit(true))
    )
    const forgotten = one((db) =>
      db.selectFrom('forgotten_changes').select((eb) => eb.fn.max('id').as('id'))
    )

    /** A page of what is wanted of some candidates: as many as fit, and the last one that was looked at. */
    async function pageOf(
      {
        user_id,
        isWanted = () => true,
        limit,
        bytes
      }: Pick<Wanted, 'user_id' | 'isWanted' | 'limit' | 'bytes'>,
      found: readonly Candidate[],
      begin: number
    ) {
      // Nobody finds the runs and tokens of others by asking for them.
      const outlineOf = (change: Candidate) =>
        (change.made_by ?? change.user_id) === user_id
          ? change
          : { ...change, run: null, token_id: null }
      // Only these are judged, which takes time.
      const wanted = found.filter((change) => isWanted(outlineOf(change)))
      const sight = await sightOf(user_id, wanted)
      const ids: number[] = []
      let [end, size] = [begin, 0]
      for (const change of found) {
        if (sight.has(change.id)) {
          size += change.bytes
          if (ids.length === limit || (size > bytes && ids.length > 0)) break
          ids.push(change.id)
        }
        end = change.id
      }
      return {
        rows: await told(user_id, ids, sight),
        ...{ end, size },
        isFull: end !== (found.at(-1)?.id ?? begin)
      }
    }

    /** Where nothing is shared, a user knows of the changes of its own rows. */
    const unshared: Feed = {
      ...own,
      async ahead(asked) {
        const changes = await own.ahead(asked)
        return { changes, end: changes.at(-1)?.id ?? asked.after }
      }
    }

    const shared: Feed = {
      async list({ after, remembered, ...wanted }) {
        const { user_id } = wanted
        const newest = await newestOf(user_id)
        const upTo = Math.min(newest, await settled())
        const found = await following({ user_id, after, upTo, limit: lookedAt })
        const { rows, end, isFull } = await pageOf(wanted, found, after)
        const gone = (await forgotten({})).id ?? 0
        const isGone = gone > after || (found[0] !== undefined && found[0].at < remembered)
        const isUnknown = after > Math.max(newest, gone)
        const more = isFull || found.length === lookedAt
        return isGone || isUnknown ? null : { rows, more, end: more ? end : Math.max(after, upTo) }
      },

      async before({ before, remembered, limit, bytes, ...wanted }) {
        const { user_id } = wanted
        const page: Told[] = []
        let [rest, room] = [before, bytes]
        // What others do keeps nobody's own changes from the page.
        for (let looked = 0; looked < searchMax; looked += lookedAt) {
          const found = await preceding({ user_id, before: rest, limit: lookedAt })
          const known = found.filter(({ at }) => at >= remembered)
          const part = { ...wanted, limit: limit - page.length, bytes: room }
          const { rows, end, size, isFull } = await pageOf(part, known, rest)
          page.push(...rows.toReversed())
          rest = end
          room -= size
          if (isFull || page.length === limit || room <= 0) break
          if (found.length < lookedAt || known.length < found.length) return { rows: page, rest: 0 }
          await setImmediate()
        }
        return { rows: page, rest }
      },

      those,

      async find({ id, user_id }) {
        const [row] = await those({ user_id, ids: JSON.stringify([id]) })
        const { traceparent = null } = (await traced({ id, user_id })) ?? {}
        return row && { ...row, traceparent }
      },

      async ahead({ user_id, after, limit }) {
        const upTo = await newestUpTo(user_id)
        const found = await following({ user_id, after, upTo, limit })
        const sight = await sightOf(user_id, found)
        const last = found.length === limit ? found.at(-1)?.id : upTo
        const end = Math.max(after, last ?? after)
        return { changes: found.filter(({ id }) => sight.has(id)), end }
      },

      newest: ({ user_id }) => newestUpTo(user_id),

      async newestOf(asked) {
        const shared = (await newestShared({})).id ?? 0
        const found = await own.newestOf(asked)
        return found.map(({ user_id, id }) => ({ user_id, id: Math.max(id ?? 0, shared) }))
      }
    }
    const newestOf = async (user_id: number) =>
      Math.max(await own.newest({ user_id }), (await newestShared({})).id ?? 0)
    /** The same, as far as all before it are committed. */
    const newestUpTo = async (user_id: number) => Math.min(await newestOf(user_id), await settled())

    return sharedKinds.length > 0 ? shared : unshared
  },
  writes: () => ({})
})
