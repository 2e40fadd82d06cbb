import type { Generated } from 'kysely'
import type { MemoState } from '../schemas/memo.ts'
import type { ReactionType } from '../schemas/reaction.ts'
import type { Role } from '../schemas/user.ts'

/** Milliseconds since the epoch: times that are only compared, never shown. */
type EpochMs = number

export interface UsersTable {
  id: Generated<number>
  user_id: string
  user_name: string
  e_mail: string
  role: Role
  password_hash: string
  password_changed_at: EpochMs
  created_at: string
  updated_at: string
}

export interface SessionsTable {
  /** SHA-256 of the session id, hex. The id itself is never stored. */
  id_hash: string
  user_id: number
  csrf_token: string
  /** End of the idle limit; moves forward as the session is used. */
  expires_at: EpochMs
  /** End of the absolute limit; never moves. */
  ends_at: EpochMs
}

export interface TodosTable {
  id: Generated<number>
  user_id: number
  title: string
  is_completed: boolean
  created_at: string
  updated_at: string
}

export interface LoginFailuresTable {
  /** Login name as it was sent, whether or not there is such a user. */
  user_id: string
  /** Failures in a row. */
  failures: number
}

export interface PasswordResetsTable {
  id: Generated<number>
  created_at: string
  updated_at: string
  user_id: number
  /** SHA-256 of the token, hex. The token itself is never stored. */
  token_hash: string
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  expires_at: string
  used_at: string | null
}

export interface MemosTable {
  id: Generated<number>
  user_id: number
  body: string
  state: MemoState
  /** Grows by one with every change. */
  version: number
  created_at: string
  updated_at: string
}

export interface ReactionsTable {
  id: Generated<number>
  created_at: string
  target_id: number
  target_type: string
  reaction_type: ReactionType
  user_id: number
}

/** How many rows of `reactions` there are of a type on a target; 0 after the last one went. */
export interface ReactionCountsTable {
  target_id: number
  target_type: string
  reaction_type: ReactionType
  count: number
}

export interface FeatureFlagsTable {
  id: Generated<number>
  created_at: string
  updated_at: string
  flag_name: string
  /** On for everybody. */
  is_enabled: boolean
  /** Percentage of users, 0 to 100. */
  rollout_pct: number
}

export interface FlagOverridesTable {
  id: Generated<number>
  created_at: string
  updated_at: string
  flag_name: string
  user_id: number
  is_enabled: boolean
}

/** Every table, with its columns as they enter and leave the repositories. */
export interface Tables {
  users: UsersTable
  sessions: SessionsTable
  todos: TodosTable
  memos: MemosTable
  login_failures: LoginFailuresTable
  password_resets: PasswordResetsTable
  reactions: ReactionsTable
  reaction_counts: ReactionCountsTable
  feature_flags: FeatureFlagsTable
  flag_overrides: FlagOverridesTable
}
