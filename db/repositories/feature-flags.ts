import type { Generated, RawBuilder } from 'kysely'
import {
  FeatureFlag,
  FlagOverride,
  type FlagSetting,
  type OverrideSetting
} from '../../schemas/feature-flag.ts'
import type { OwnRow } from '../own/reads.ts'
import { insertFrom, limit, type Page } from '../query.ts'
import { columnsOf, type Fields, type Param, type Reader, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    feature_flags: Omit<FeatureFlag, 'id'> & { id: Generated<number> }
    flag_overrides: OwnRow<FlagOverride>
  }
}

const columns = columnsOf(FeatureFlag)
const overrideColumns = columnsOf(FlagOverride)

type ForUser = { user_id: number | null }
type OverrideKey = { flag_name: string; user_id: number }
/** The columns that decide the value of a flag for a user. */
const states = (db: Reader, user_id: RawBuilder<number | null>) =>
  db
    .selectFrom('feature_flags as f')
    .leftJoin('flag_overrides as o', (join) =>
      join.onRef('o.flag_name', '=', 'f.flag_name').on('o.user_id', '=', user_id)
    )
    .select(['f.flag_name', 'f.is_enabled', 'f.rollout_pct', 'o.is_enabled as override'])

/** Feature flags and their per-user overrides. */
export const featureFlags = repository({
  reads: ({ all, first }) => ({
    /** Newest first, from the id before `before`. */
    list: all((db, p: Param<Page>) =>
      db
        .selectFrom('feature_flags')
        .select(columns)
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
        .limit(limit(p('limit')))
    ),

    find: first((db, p: Param<{ flag_name: string }>) =>
      db.selectFrom('feature_flags').select(columns).where('flag_name', '=', p('flag_name'))
    ),

    /** One flag with the override of a user; null stands for no user. Undefined for an unknown flag. */
    state: first((db, p: Param<ForUser & { flag_name: string }>) =>
      states(db, p('user_id')).where('f.flag_name', '=', p('flag_name'))
    ),

    /** The same for every flag. */
    allStates: all((db, p: Param<ForUser>) => states(db, p('user_id'))),

    /** Overrides of a flag with the login names of their users, newest first. */
    overrides: all((db, p: Param<{ flag_name: string; limit: number }>) =>
      db
        .selectFrom('flag_overrides as o')
        .innerJoin('users as u', 'u.id', 'o.user_id')
        .select(['o.user_id', 'u.user_id as login', 'o.is_enabled'])
        .where('o.flag_name', '=', p('flag_name'))
        .orderBy('o.id', 'desc')
        .limit(limit(p('limit')))
    ),

    /** How many overrides turn a flag on, and how many off. */
    countOverrides: all((db, p: Param<{ flag_name: string }>) =>
      db
        .selectFrom('flag_overrides')
        .select((eb) => ['is_enabled', eb.fn.countAll<number>().as('count')])
        .where('flag_name', '=', p('flag_name'))
        .groupBy('is_enabled')
    )
  }),

  writes: ({ one, first, done }) => ({
    /** Adds or changes a flag. An absent field stays as it is, or has its default in a new flag. */
    set: one((db, p: Param<Fields<FlagSetting> & { now: string }>) =>
      db
        .insertInto('feature_flags')
        // PostgreSQL needs a type for each placeholder: the literals beside them give one.
        .values((eb) => ({
          flag_name: p('flag_name'),
          is_enabled: eb.fn.coalesce(p('is_enabled'), eb.lit(false)),
          rollout_pct: eb.fn.coalesce(p('rollout_pct'), eb.lit(0)),
          created_at: p('now'),
          updated_at: p('now')
        }))
        .onConflict((conflict) =>
          conflict.column('flag_name').doUpdateSet((eb) => ({
            is_enabled: eb.fn.coalesce(p('is_enabled'), 'feature_flags.is_enabled'),
            rollout_pct: eb.fn.coalesce(p('rollout_pct'), 'feature_flags.rollout_pct'),
            updated_at: p('now')
          }))
        )
        .returning(columns)
    ),

    /** Adds or changes an override. Undefined if there is no such flag or no such user. */
    setOverride: first((db, p: Param<Fields<OverrideSetting> & OverrideKey & { now: string }>) =>
      insertFrom(
        db,
        'flag_overrides',
        db
          .selectFrom(['feature_flags as f', 'users as u'])
          .where('f.flag_name', '=', p('flag_name'))
          .where('u.id', '=', p('user_id')),
        {
          ...p.pick('flag_name', 'user_id', 'is_enabled'),
          created_at: p('now'),
          updated_at: p('now')
        }
      )
        .onConflict((conflict) =>
          conflict
            .columns(['flag_name', 'user_id'])
            .doUpdateSet({ is_enabled: p('is_enabled'), updated_at: p('now') })
        )
        .returning(overrideColumns)
    ),

    /** False if there is no such override. */
    removeOverride: done((db, p: Param<OverrideKey>) =>
      db.deleteFrom('flag_overrides').where((eb) => eb.and(p.pick('flag_name', 'user_id')))
    )
  })
})

export type FlagState = Awaited<
  ReturnType<ReturnType<(typeof featureFlags)['reads']>['allStates']>
>[number]
