import type { Kysely } from 'kysely'
import { type Connection, limit, type Param, statement } from '../statement.ts'
import type { Tables } from '../types.ts'

const columns = [
  'id',
  'flag_name',
  'is_enabled',
  'rollout_pct',
  'created_at',
  'updated_at'
] as const
const overrideColumns = [
  'id',
  'flag_name',
  'user_id',
  'is_enabled',
  'created_at',
  'updated_at'
] as const

type ForUser = { user_id: number | null }
type OverrideKey = { flag_name: string; user_id: number }

/** Feature flags and their per-user overrides. */
export function featureFlagRepository(connection: Connection) {
  const list = statement(connection, (db, p: Param<{ before: number; limit: number }>) =>
    db
      .selectFrom('feature_flags')
      .select(columns)
      .where('id', '<', p('before'))
      .orderBy('id', 'desc')
      .limit(limit(p('limit')))
  )
  const find = statement(connection, (db, p: Param<{ flag_name: string }>) =>
    db.selectFrom('feature_flags').select(columns).where('flag_name', '=', p('flag_name'))
  )
  type Setting = {
    flag_name: string
    is_enabled: boolean | null
    rollout_pct: number | null
    now: string
  }
  const set = statement(connection, (db, p: Param<Setting>) =>
    db
      .insertInto('feature_flags')
      // Literals give the placeholders beside them a type, which PostgreSQL asks for.
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
  )
  const setOverride = statement(
    connection,
    (db, p: Param<OverrideKey & { is_enabled: boolean; now: string }>) =>
      db
        .insertInto('flag_overrides')
        .columns(['flag_name', 'user_id', 'is_enabled', 'created_at', 'updated_at'])
        .expression((eb) =>
          eb
            .selectFrom(['feature_flags as f', 'users as u'])
            .select(['f.flag_name', 'u.id'])
            .select([
              p('is_enabled').as('is_enabled'),
              p('now').as('created_at'),
              p('now').as('updated_at')
            ])
            .where('f.flag_name', '=', p('flag_name'))
            .where('u.id', '=', p('user_id'))
        )
        .onConflict((conflict) =>
          conflict
            .columns(['flag_name', 'user_id'])
            .doUpdateSet({ is_enabled: p('is_enabled'), updated_at: p('now') })
        )
        .returning(overrideColumns)
  )
  const removeOverride = statement(connection, (db, p: Param<OverrideKey>) =>
    db
      .deleteFrom('flag_overrides')
      .where('flag_name', '=', p('flag_name'))
      .where('user_id', '=', p('user_id'))
  )

  /** What a flag's value for a user follows from. */
  const states = (db: Kysely<Tables>, p: Param<ForUser>) =>
    db
      .selectFrom('feature_flags as f')
      .leftJoin('flag_overrides as o', (join) =>
        join.onRef('o.flag_name', '=', 'f.flag_name').on('o.user_id', '=', p('user_id'))
      )
      .select(['f.flag_name', 'f.is_enabled', 'f.rollout_pct', 'o.is_enabled as override'])
  const state = statement(connection, (db, p: Param<ForUser & { flag_name: string }>) =>
    states(db, p).where('f.flag_name', '=', p('flag_name'))
  )
  const allStates = statement(connection, states)

  return {
    /** Newest first; `before` is the id after which the page begins. */
    list: list.all,
    find: find.first,
    /** Adds or changes a flag. Null leaves a field as it is, or at its default in a new flag. */
    set: set.one,
    /** Adds or changes an override. Undefined where there is no such flag or no such user. */
    setOverride: setOverride.first,
    /** False where there was none. */
    removeOverride: async (key: OverrideKey) => (await removeOverride.run(key)) === 1,
    /** One flag with the override of a user; a user of null has none. Undefined for an unknown flag. */
    state: state.first,
    /** The same of every flag. */
    allStates: allStates.all
  }
}

export type FlagState = Awaited<
  ReturnType<ReturnType<typeof featureFlagRepository>['allStates']>
>[number]
