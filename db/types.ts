import type { Generated } from 'kysely'
import type { AuditEventName } from '../schemas/audit.ts'
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
  /** Of the last one, in milliseconds since the epoch. */
  failed_at: number
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

export interface IdempotencyKeysTable {
  /** SHA-256 of user, method, path and key, hex. */
  scope_hash: string
  /** SHA-256 of the request's body, hex. */
  body_digest: string
  /** Which request holds the key: a late one must not complete what another took over. */
  owner: string
  /** Until when a request without an answer counts as running. */
  lease_until: EpochMs
  created_at: EpochMs
  /** The answer; null while the request runs. */
  status: number | null
  body: string | null
  etag: string | null
}

export interface WebhookEventsTable {
  id: Generated<number>
  created_at: string
  /** SHA-256 of the HMAC that the event was signed with, hex. */
  signature_hash: string
  /** The JSON text as it was sent. */
  payload: string
  /** Unix seconds, by the sender's clock. */
  timestamp: number
}

export interface AttachmentsTable {
  id: Generated<number>
  user_id: number
  name: string
  mime: string
  size: number
  /** Hex. */
  sha256: string
  /** Name in the folder of uploads; never the client's. */
  file: string
  created_at: string
}

export interface AuditEventsTable {
  id: Generated<number>
  created_at: string
  event: AuditEventName
  user_id: number | null
  via: string
  address: string | null
  request_id: string | null
  subject: string | null
  detail: string | null
}

/** Every table, with its columns as they enter and leave the repositories. */
export interface Tables {
  users: UsersTable
  sessions: SessionsTable
  todos: TodosTable
  memos: MemosTable
  attachments: AttachmentsTable
  idempotency_keys: IdempotencyKeysTable
  audit_events: AuditEventsTable
  login_failures: LoginFailuresTable
  password_resets: PasswordResetsTable
  reactions: ReactionsTable
  reaction_counts: ReactionCountsTable
  feature_flags: FeatureFlagsTable
  flag_overrides: FlagOverridesTable
  webhook_events: WebhookEventsTable
}
