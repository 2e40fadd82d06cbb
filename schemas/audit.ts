import { type Static, Type } from '@sinclair/typebox'
import { PageQuery, Timestamp } from './common.ts'

/** What the audit trail records. */
export const auditEvents = [
  'login',
  'login-failed',
  'lock',
  'unlock',
  'logout',
  'token-issue',
  'reset-request',
  'password-change',
  'role-change',
  'flag-change',
  'override-change'
] as const

const Event = Type.Unsafe<(typeof auditEvents)[number]>({
  type: 'string',
  enum: auditEvents,
  examples: ['login']
})
export type AuditEventName = Static<typeof Event>

const nullable = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(
  schema: T
) => Type.Union([schema, Type.Null()])

export const AuditEvent = Type.Object(
  {
    id: Type.Integer(),
    created_at: Timestamp,
    event: Event,
    user_id: nullable(
      Type.Integer({ description: 'Who did it; null for an unknown user or the command line.' })
    ),
    via: Type.String({
      description: 'Which way in: session, bearer, jwt, password, mail or cli.',
      examples: ['password']
    }),
    address: nullable(Type.String({ examples: ['127.0.0.1'] })),
    request_id: nullable(Type.String()),
    subject: nullable(Type.String({ description: 'What it was done to: a login name or a flag.' })),
    detail: nullable(Type.String({ description: 'The new value, where there is one.' }))
  },
  {
    $id: 'AuditEvent',
    examples: [
      {
        id: 1,
        created_at: '2026-11-21T09:30:00.000Z',
        event: 'login',
        user_id: 2,
        via: 'password',
        address: '127.0.0.1',
        request_id: '855a4624-2695-438e-b91d-0da00054990f',
        subject: 'demo',
        detail: null
      }
    ]
  }
)

export const AuditQuery = Type.Composite([
  PageQuery,
  Type.Object({
    user_id: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only of this user.'
      })
    ),
    event: Type.Optional(Event)
  })
])
