import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isSharedKind } from '../../schemas/area/index.ts'
import { kinds as everyKind, type Kind } from '../../schemas/kinds.ts'
import { boundedSearch, type From, limit, type Numbers, type Page, searchEnd } from '../query.ts'
import { type Param, type Reader, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

/** Kinds as an argument: separated by commas, with one at both ends too. */
export const kindList = (kinds: readonly Kind[]) => `,${kinds.join(',')},`
/** This kind, if it is among them; null otherwise, and so not read at all. */
const ifAmong = (kinds: RawBuilder<string>, kind: Kind) =>
  sql`case when cast(${kinds} as text) like ${sql.lit(`%,${kind},%`)} then ${sql.lit(kind)} end`
export const isAmong = (kinds: RawBuilder<string>, column = 'kind') =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(everyKind.map((kind) => ifAmong(kinds, kind)))})`
/** Either way. Named, because the index has it before the kind. */
const eitherWay = (column: string) => sql<boolean>`${sql.ref(column)} in (false, true)`

/** What a change must be so that undo can look at it. */
export const needed = [
  ...(['id', 'user_id', 'run', 'kind', 'key', 'action', 'before', 'after'] as const),
  ...(['undone', 'undoes', 'at', 'request_id'] as const)
] as const

const anyShared = everyKind.some(isSharedKind)
/** A change that its owner made. */
const isByOwner = anyShared ? sql<boolean>`made_by is null` : sql<boolean>`true`
/**
 * A run is of who made its changes: also those of rows of others, but not what others changed in the user's own, whatever
 * they call theirs.
 */
const madeBy = (user: RawBuilder<number>) =>
  sql<Selectable<Tables['changes']>>`(
    select * from changes where user_id = ${user} and ${isByOwner}
    ${anyShared ? sql`union all select * from changes where made_by = ${user}` : sql``})`

type Visible = { user_id: number; since: string; kinds: string }
type Range = { user_id: number; before: number }
type OfRun = Visible & { run: string }

/** Some changes of a run. */
interface Part {
  p: Numbers<'user_id' | 'before'>
  run: RawBuilder<string>
  kinds: RawBuilder<string>
  undone: readonly RawBuilder<unknown>[]
  max: RawBuilder<number>
  /** Further conditions, which the index does not answer. */
  and?: RawBuilder<unknown>
}

/** The ids of the newest changes of a run. The index has them by state and kind, so there is one short read of each. */
export function newestOfRun(db: Reader, { p, run, kinds, undone, max, and = sql`` }: Part) {
  const user = p('user_id')
  const of = (kind: Kind) => [
    sql`user_id = ${user} and ${isByOwner}`,
    // What the user did with rows of others.
    ...(isSharedKind(kind) ? [sql`made_by = ${user} and user_id <> ${user}`] : [])
  ]
  const reads = undone.flatMap((state) =>
    everyKind.flatMap((kind) =>
      of(kind).map(
        (whose) => sql`select id from (
        select id from changes
        where ${whose} and run = ${run} and undone = ${state}
          and kind = ${ifAmong(kinds, kind)} and id < ${p('before')} ${and}
        order by id desc limit ${max}) as part`
      )
    )
  )
  const parts = sql<{ id: number }>`(${sql.join(reads, sql` union all `)})`
  return db.selectFrom(parts.as('newest')).select('newest.id').orderBy('newest.id', 'desc')
}

/** What a user did, newest first, before an id. */
const newestBy = (db: Reader, p: Numbers<'user_id' | 'before'>) =>
  db
    .selectFrom(madeBy(p('user_id')).as('changes'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')

/** Runs of changes, as far as these are of some kinds (`kindList`) and not older than `since`. */
export const runs = repository({
  reads({ all, first }) {
    const inRunOf = (db: Reader, p: Param<OfRun>) =>
      db
        .selectFrom(madeBy(p('user_id')).as('changes'))
        .where('run', '=', p('run'))
        .where(eitherWay('undone'))
        .where(isAmong(p('kinds')))
        .where('at', '>=', p('since'))
    /** How many changes a run has, how many of them are in force, and the first. */
    const sumOfRun = first((db, p: Param<OfRun>) =>
      inRunOf(db, p).select((eb) => [
        eb.fn.countAll<number>().as('changes'),
        sql<number>`cast(sum(case when undone then 0 else 1 end) as bigint)`.as('in_force'),
        eb.fn.min('id').as('first_id')
      ])
    )
    const beginning = first((db, p: Param<{ id: number }>) =>
      db
        .selectFrom('changes')
        .leftJoin('access_tokens', 'access_tokens.id', 'token_id')
        .select(['via', 'at', 'access_tokens.name as token_name'])
        .where('changes.id', '=', p('id'))
    )

    return {
      /** The last change of each run, newest first: its id is the id of the run. */
      list: boundedSearch(
        first((db, p: Param<Range>) => searchEnd(newestBy(db, p).select('id'))),
        all((db, p: Param<Visible & Page & From>) =>
          newestBy(db, p)
            .select(['id', 'run', 'at', 'undoes', 'undoes_run'])
            .where('id', '>=', p('from'))
            .where('at', '>=', p('since'))
            .where('run', 'is not', null)
            .where(isAmong(p('kinds')))
            .where((eb) =>
              eb.not(
                eb.exists(
                  eb
                    .selectFrom(madeBy(p('user_id')).as('later'))
                    .select('later.id')
                    .whereRef('later.run', '=', 'changes.run')
                    .where(eitherWay('later.undone'))
                    .where(isAmong(p('kinds'), 'later.kind'))
                    .whereRef('later.id', '>', 'changes.id')
                )
              )
            )
            .limit(limit(p('limit')))
        )
      ),

      /** What a run consists of. Undefined if there is nothing of it any more. */
      async summary(run: OfRun) {
        const sum = await sumOfRun(run)
        const begun = sum?.first_id && (await beginning({ id: sum.first_id }))
        return begun ? { ...sum, ...begun } : undefined
      },

      /** The changes that a run undid. */
      undoneBy: all((db, p: Param<OfRun>) => inRunOf(db, p).select('undoes').orderBy('id', 'desc')),

      /** The newest changes of a run whose kinds are those of no area any longer. */
      undeclared: all(
        (db, p: Param<{ user_id: number; run: string; since: string; limit: number }>) =>
          db
            .selectFrom(madeBy(p('user_id')).as('changes'))
            .select(needed)
            .where('run', '=', p('run'))
            .where('kind', 'not in', everyKind)
            .where('at', '>=', p('since'))
            .orderBy('id', 'desc')
            .limit(limit(p('limit')))
      ),

      /** The changes of a run, newest first: either the undone ones or the others. */
      changes: all((db, p: Param<OfRun & Page & { undone: boolean }>) => {
        const newest = newestOfRun(db, {
          p,
          run: p('run'),
          kinds: p('kinds'),
          undone: [p('undone')],
          max: limit(p('limit'))
        })
        return (
          db
            .selectFrom('changes')
            .select(needed)
            .where('id', 'in', newest.limit(limit(p('limit'))))
            // Not within: there may be many that are too old, and the newest page with one of them is the last.
            .where('at', '>=', p('since'))
            .orderBy('id', 'desc')
        )
      })
    }
  },
  writes: () => ({})
})
