import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../schemas/config.ts'

/** What locks a name: so many failed sign-ins in a row, the last of them after `since`. */
export interface Lockout {
  lockout: number
  since: number
}

/** Before any failure: locks do not end by themselves. */
const ever = -1

export const lockoutAt = (
  { SVC_LOCKOUT_FAILURES: lockout, SVC_LOCK_MINUTES: minutes }: LockoutConfig,
  now: number
): Lockout => ({ lockout, since: minutes === 0 ? ever : now - minutes * 60_000 })

export type LockoutConfig = Pick<Config, 'SVC_LOCKOUT_FAILURES' | 'SVC_LOCK_MINUTES'>

/** Names what is given when a statement runs. */
export type Limits = (name: keyof Lockout) => RawBuilder<number>

/**
 * Whether failures that are enough for a lock still lock. Wrong codes of a second factor do, however old: whoever knows the
 * password would else get new guesses all the time.
 */
export const isLasting = (table: string, p: Limits) =>
  sql<boolean>`(${sql.ref(`${table}.failed_at`)} > ${p('since')}
    or ${sql.ref(`${table}.wrong_codes`)} >= ${p('lockout')})`
