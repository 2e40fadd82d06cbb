import type { Migration } from 'kysely/migration'
import * as loginFailures from './2026-11-21-login-failures.ts'
import * as memos from './2026-11-21-memos.ts'
import * as passwordResets from './2026-11-21-password-resets.ts'
import * as sessions from './2026-11-21-sessions.ts'
import * as todos from './2026-11-21-todos.ts'
import * as users from './2026-11-21-users.ts'

/** Every migration in the order of its name. Imported statically: a bundle has no folder to list. */
export const migrations: Record<string, Migration> = {
  '2026-11-21-1-users': users,
  '2026-11-21-2-sessions': sessions,
  '2026-11-21-3-todos': todos,
  '2026-11-21-4-login-failures': loginFailures,
  '2026-11-21-5-password-resets': passwordResets,
  '2026-11-21-6-memos': memos
}
