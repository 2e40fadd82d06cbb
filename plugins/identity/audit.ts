import type { FastifyRequest } from 'fastify'
import type { NewAuditEvent } from '../../db/repositories/audit.ts'
import type { Repositories } from '../../db/repositories/index.ts'
import type { AuditEventName } from '../../schemas/audit.ts'
import type { SignInWay } from '../../schemas/user.ts'

interface Details {
  /** The subject: a login name, a flag or a row. Never a secret. */
  subject?: string | undefined
  /** The new value, if there is one. */
  detail?: string
  /** The key of the user who did it, if the request has no identity yet. */
  user_id?: number | undefined
  /** The kind of credential, if the request has no identity yet. */
  via?: SignInWay | 'mail' | 'oauth'
}

/**
 * Makes a record for the audit trail: who called, and from where. Insert it in the transaction of the
 * change, so that neither exists without the other.
 */
export function auditEvent(
  { identity, ip, id, server }: FastifyRequest,
  event: AuditEventName,
  { subject, detail, user_id, via }: Details = {}
): NewAuditEvent {
  return {
    created_at: server.timestamp(),
    event,
    user_id: user_id ?? identity?.user.id ?? null,
    via: via ?? identity?.via ?? 'password',
    address: ip,
    request_id: id,
    subject: subject ?? null,
    detail: detail ?? null
  }
}

/** Inserts a record. `repos` belong to the transaction that makes the change. */
export const recordEvent = (
  { audit }: Pick<Repositories, 'audit'>,
  ...event: Parameters<typeof auditEvent>
) => audit.insert(auditEvent(...event))

/** The same for a change made on the command line. */
export const recordCommand = (
  { audit }: Pick<Repositories, 'audit'>,
  event: AuditEventName,
  at: Date,
  { subject, detail }: { subject: string; detail?: string }
) =>
  audit.insert({
    created_at: at.toISOString(),
    event,
    user_id: null,
    via: 'cli',
    address: null,
    request_id: null,
    subject,
    detail: detail ?? null
  })
