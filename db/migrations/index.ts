import type { Migration } from 'kysely/migration'
import * as attachments from './2026-11-21-attachments.ts'
import * as auditEvents from './2026-11-21-audit-events.ts'
import * as featureFlags from './2026-11-21-feature-flags.ts'
import * as idempotencyKeys from './2026-11-21-idempotency-keys.ts'
import * as loginFailures from './2026-11-21-login-failures.ts'
import * as loginFailuresFailedAt from './2026-11-21-login-failures-failed-at.ts'
import * as memos from './2026-11-21-memos.ts'
import * as passwordResets from './2026-11-21-password-resets.ts'
import * as passwordResetsUnused from './2026-11-21-password-resets-unused.ts'
import * as reactions from './2026-11-21-reactions.ts'
import * as sessions from './2026-11-21-sessions.ts'
import * as todos from './2026-11-21-todos.ts'
import * as users from './2026-11-21-users.ts'
import * as webhookEvents from './2026-11-21-webhook-events.ts'

/** Every migration, in the order of its name (as text). Imported statically: a bundle has no folder to list. */
export const migrations: Record<string, Migration> = {
  '2026-11-21-01-users': users,
  '2026-11-21-02-sessions': sessions,
  '2026-11-21-03-todos': todos,
  '2026-11-21-04-login-failures': loginFailures,
  '2026-11-21-05-password-resets': passwordResets,
  '2026-11-21-06-memos': memos,
  '2026-11-21-07-reactions': reactions,
  '2026-11-21-08-feature-flags': featureFlags,
  '2026-11-21-09-idempotency-keys': idempotencyKeys,
  '2026-11-21-10-webhook-events': webhookEvents,
  '2026-11-21-11-attachments': attachments,
  '2026-11-21-12-audit-events': auditEvents,
  '2026-11-21-13-password-resets-unused': passwordResetsUnused,
  '2026-11-21-14-login-failures-failed-at': loginFailuresFailedAt
}
