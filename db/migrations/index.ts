import type { Migration } from 'kysely/migration'
import * as users from './2026-11-21-01-users.ts'
import * as sessions from './2026-11-21-02-sessions.ts'
import * as todos from './2026-11-21-03-todos.ts'
import * as loginFailures from './2026-11-21-04-login-failures.ts'
import * as passwordResets from './2026-11-21-05-password-resets.ts'
import * as memos from './2026-11-21-06-memos.ts'
import * as reactions from './2026-11-21-07-reactions.ts'
import * as featureFlags from './2026-11-21-08-feature-flags.ts'
import * as idempotencyKeys from './2026-11-21-09-idempotency-keys.ts'
import * as webhookEvents from './2026-11-21-10-webhook-events.ts'
import * as attachments from './2026-11-21-11-attachments.ts'
import * as auditEvents from './2026-11-21-12-audit-events.ts'
import * as passwordResetsUnused from './2026-11-21-13-password-resets-unused.ts'
import * as loginFailuresFailedAt from './2026-11-21-14-login-failures-failed-at.ts'
import * as notNull from './2026-11-21-15-not-null.ts'
import * as userUsage from './2026-11-21-16-user-usage.ts'
import * as noZeroCounts from './2026-11-21-17-no-zero-counts.ts'
import * as unknownLoginFailures from './2026-11-21-18-unknown-login-failures.ts'
import * as listFilters from './2026-11-21-19-list-filters.ts'
import * as storedAnswers from './2026-11-21-20-stored-answers.ts'
import * as accessTokens from './2026-11-21-21-access-tokens.ts'
import * as changes from './2026-11-21-22-changes.ts'
import * as passwordResetsTimes from './2026-11-21-23-password-resets-times.ts'
import * as sessionsSeen from './2026-11-21-24-sessions-seen.ts'
import * as secondFactors from './2026-11-21-25-second-factors.ts'
import * as administratorsLock from './2026-11-21-26-administrators-lock.ts'
import * as runsCounted from './2026-11-21-27-runs-counted.ts'
import * as activityBytes from './2026-11-22-28-activity-bytes.ts'
import * as changesOfRuns from './2026-11-22-29-changes-of-runs.ts'

/**
 * Every migration, oldest first, by the name of its file (db/migrate.ts checks both). Imported
 * statically: a bundle has no folder to list.
 */
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
  '2026-11-21-14-login-failures-failed-at': loginFailuresFailedAt,
  '2026-11-21-15-not-null': notNull,
  '2026-11-21-16-user-usage': userUsage,
  '2026-11-21-17-no-zero-counts': noZeroCounts,
  '2026-11-21-18-unknown-login-failures': unknownLoginFailures,
  '2026-11-21-19-list-filters': listFilters,
  '2026-11-21-20-stored-answers': storedAnswers,
  '2026-11-21-21-access-tokens': accessTokens,
  '2026-11-21-22-changes': changes,
  '2026-11-21-23-password-resets-times': passwordResetsTimes,
  '2026-11-21-24-sessions-seen': sessionsSeen,
  '2026-11-21-25-second-factors': secondFactors,
  '2026-11-21-26-administrators-lock': administratorsLock,
  '2026-11-21-27-runs-counted': runsCounted,
  '2026-11-22-28-activity-bytes': activityBytes,
  '2026-11-22-29-changes-of-runs': changesOfRuns,
}
