import type { Migration } from 'kysely/migration'

/**
 * Every migration, oldest first, by the name of its file (db/migrate.ts checks both). Listed, because a bundle has no
 * folder; each is loaded only by a database that lacks it.
 */
export const migrations: Record<string, () => Promise<Migration>> = {
  '2026-11-22-01-users': () => import('./2026-11-22-01-users.ts'),
  '2026-11-22-02-sessions': () => import('./2026-11-22-02-sessions.ts'),
  '2026-11-22-03-login-failures': () => import('./2026-11-22-03-login-failures.ts'),
  '2026-11-22-04-second-factors': () => import('./2026-11-22-04-second-factors.ts'),
  '2026-11-22-05-password-resets': () => import('./2026-11-22-05-password-resets.ts'),
  '2026-11-22-06-access-tokens': () => import('./2026-11-22-06-access-tokens.ts'),
  '2026-11-22-07-audit-events': () => import('./2026-11-22-07-audit-events.ts'),
  '2026-11-22-08-todos': () => import('./2026-11-22-08-todos.ts'),
  '2026-11-22-09-memos': () => import('./2026-11-22-09-memos.ts'),
  '2026-11-22-10-attachments': () => import('./2026-11-22-10-attachments.ts'),
  '2026-11-22-11-reactions': () => import('./2026-11-22-11-reactions.ts'),
  '2026-11-22-12-feature-flags': () => import('./2026-11-22-12-feature-flags.ts'),
  '2026-11-22-13-idempotency-keys': () => import('./2026-11-22-13-idempotency-keys.ts'),
  '2026-11-22-14-webhook-events': () => import('./2026-11-22-14-webhook-events.ts'),
  '2026-11-22-15-changes': () => import('./2026-11-22-15-changes.ts'),
  '2026-11-22-16-oauth': () => import('./2026-11-22-16-oauth.ts'),
  '2026-11-22-17-subscriptions': () => import('./2026-11-22-17-subscriptions.ts'),
  '2026-11-23-18-minimal-answers': () => import('./2026-11-23-18-minimal-answers.ts'),
  '2026-11-23-19-subscription-pauses': () => import('./2026-11-23-19-subscription-pauses.ts'),
  '2026-11-23-20-oauth-state-kinds': () => import('./2026-11-23-20-oauth-state-kinds.ts'),
  '2026-11-24-21-plans': () => import('./2026-11-24-21-plans.ts'),
  '2026-11-24-22-token-limits': () => import('./2026-11-24-22-token-limits.ts'),
  '2026-11-25-23-passkeys': () => import('./2026-11-25-23-passkeys.ts'),
  '2026-11-25-24-area-declarations': () => import('./2026-11-25-24-area-declarations.ts'),
  '2026-11-25-25-sign-ups': () => import('./2026-11-25-25-sign-ups.ts'),
  '2026-11-25-26-identities': () => import('./2026-11-25-26-identities.ts'),
  '2026-11-25-27-marks': () => import('./2026-11-25-27-marks.ts'),
  '2026-11-25-28-trace-of-changes': () => import('./2026-11-25-28-trace-of-changes.ts'),
  '2026-11-26-29-plan-decisions': () => import('./2026-11-26-29-plan-decisions.ts'),
  '2026-11-26-30-earlier-tokens': () => import('./2026-11-26-30-earlier-tokens.ts'),
  '2026-11-26-31-name-keys': () => import('./2026-11-26-31-name-keys.ts'),
  '2026-11-26-32-sign-ins-of-tabs': () => import('./2026-11-26-32-sign-ins-of-tabs.ts'),
  '2026-11-27-33-folded-texts': () => import('./2026-11-27-33-folded-texts.ts'),
  '2026-11-27-34-reactions-counted': () => import('./2026-11-27-34-reactions-counted.ts'),
}
