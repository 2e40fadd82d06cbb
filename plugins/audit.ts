import type { FastifyRequest } from 'fastify'
import type { NewAuditEvent } from '../db/repositories/audit.ts'
import type { AuditEventName } from '../schemas/audit.ts'

interface Details {
  /** What it was done to: a login name or a flag. Never a secret. */
  subject?: string | undefined
  /** The new value, where there is one. */
  detail?: string
  /** Who did it, where the request does not know yet. */
  user_id?: number | undefined
  /** How the caller proved to be it, where the request does not know yet. */
  via?: 'password' | 'mail'
}

/**
 * A record for the audit trail, of who calls and from where. Insert it with the `audit` repository
 * of the transaction that makes the change, so that there is never one without the other.
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

/** The same for a change made on the command line. */
export const auditCommand = (
  event: AuditEventName,
  at: Date,
  { subject, detail }: { subject: string; detail?: string }
): NewAuditEvent => ({
  created_at: at.toISOString(),
  event,
  user_id: null,
  via: 'cli',
  address: null,
  request_id: null,
  subject,
  detail: detail ?? null
})
