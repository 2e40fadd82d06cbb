import type { Connection } from '../statement.ts'
import { attachmentRepository } from './attachments.ts'
import { auditRepository } from './audit.ts'
import { featureFlagRepository } from './feature-flags.ts'
import { idempotencyKeyRepository } from './idempotency-keys.ts'
import { loginFailureRepository } from './login-failures.ts'
import { memoRepository } from './memos.ts'
import { passwordResetRepository } from './password-resets.ts'
import { reactionRepository } from './reactions.ts'
import { sessionRepository } from './sessions.ts'
import { todoRepository } from './todos.ts'
import { userRepository } from './users.ts'
import { webhookEventRepository } from './webhook-events.ts'

/** All repositories over one connection: the shared one, or that of a transaction. */
export const createRepositories = (connection: Connection) => ({
  users: userRepository(connection),
  sessions: sessionRepository(connection),
  todos: todoRepository(connection),
  attachments: attachmentRepository(connection),
  memos: memoRepository(connection),
  reactions: reactionRepository(connection),
  featureFlags: featureFlagRepository(connection),
  idempotencyKeys: idempotencyKeyRepository(connection),
  audit: auditRepository(connection),
  loginFailures: loginFailureRepository(connection),
  passwordResets: passwordResetRepository(connection),
  webhookEvents: webhookEventRepository(connection)
})

export type Repositories = ReturnType<typeof createRepositories>
