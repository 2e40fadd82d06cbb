import type { Migration } from 'kysely/migration'
import * as users from './2026-11-22-01-users.ts'
import * as sessions from './2026-11-22-02-sessions.ts'
import * as loginFailures from './2026-11-22-03-login-failures.ts'
import * as secondFactors from './2026-11-22-04-second-factors.ts'
import * as passwordResets from './2026-11-22-05-password-resets.ts'
import * as accessTokens from './2026-11-22-06-access-tokens.ts'
import * as auditEvents from './2026-11-22-07-audit-events.ts'
import * as todos from './2026-11-22-08-todos.ts'
import * as memos from './2026-11-22-09-memos.ts'
import * as attachments from './2026-11-22-10-attachments.ts'
import * as reactions from './2026-11-22-11-reactions.ts'
import * as featureFlags from './2026-11-22-12-feature-flags.ts'
import * as idempotencyKeys from './2026-11-22-13-idempotency-keys.ts'
import * as webhookEvents from './2026-11-22-14-webhook-events.ts'
import * as changes from './2026-11-22-15-changes.ts'
import * as oauth from './2026-11-22-16-oauth.ts'
import * as subscriptions from './2026-11-22-17-subscriptions.ts'
import * as minimalAnswers from './2026-11-23-18-minimal-answers.ts'
import * as subscriptionPauses from './2026-11-23-19-subscription-pauses.ts'
import * as oauthStateKinds from './2026-11-23-20-oauth-state-kinds.ts'
import * as plans from './2026-11-24-21-plans.ts'
import * as tokenLimits from './2026-11-24-22-token-limits.ts'
import * as passkeys from './2026-11-25-23-passkeys.ts'
import * as areaDeclarations from './2026-11-25-24-area-declarations.ts'
import * as signUps from './2026-11-25-25-sign-ups.ts'
import * as identities from './2026-11-25-26-identities.ts'
import * as marks from './2026-11-25-27-marks.ts'
import * as traceOfChanges from './2026-11-25-28-trace-of-changes.ts'

/**
 * Every migration, oldest first, by the name of its file (db/migrate.ts checks both). Imported
 * statically: a bundle has no folder to list.
 */
export const migrations: Record<string, Migration> = {
  '2026-11-22-01-users': users,
  '2026-11-22-02-sessions': sessions,
  '2026-11-22-03-login-failures': loginFailures,
  '2026-11-22-04-second-factors': secondFactors,
  '2026-11-22-05-password-resets': passwordResets,
  '2026-11-22-06-access-tokens': accessTokens,
  '2026-11-22-07-audit-events': auditEvents,
  '2026-11-22-08-todos': todos,
  '2026-11-22-09-memos': memos,
  '2026-11-22-10-attachments': attachments,
  '2026-11-22-11-reactions': reactions,
  '2026-11-22-12-feature-flags': featureFlags,
  '2026-11-22-13-idempotency-keys': idempotencyKeys,
  '2026-11-22-14-webhook-events': webhookEvents,
  '2026-11-22-15-changes': changes,
  '2026-11-22-16-oauth': oauth,
  '2026-11-22-17-subscriptions': subscriptions,
  '2026-11-23-18-minimal-answers': minimalAnswers,
  '2026-11-23-19-subscription-pauses': subscriptionPauses,
  '2026-11-23-20-oauth-state-kinds': oauthStateKinds,
  '2026-11-24-21-plans': plans,
  '2026-11-24-22-token-limits': tokenLimits,
  '2026-11-25-23-passkeys': passkeys,
  '2026-11-25-24-area-declarations': areaDeclarations,
  '2026-11-25-25-sign-ups': signUps,
  '2026-11-25-26-identities': identities,
  '2026-11-25-27-marks': marks,
  '2026-11-25-28-trace-of-changes': traceOfChanges,
}
