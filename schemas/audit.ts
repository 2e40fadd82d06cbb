import { type Static, Type } from '@sinclair/typebox'
import { Created, Key, Natural, oneOf, orNull, PageQuery, ref } from './common.ts'
import { credentials, signInWays } from './user.ts'

/** What the audit trail records. */
export const auditEvents = [
  'login',
  'login-failed',
  'login-refused',
  'lock',
  'unlock',
  'logout',
  'session-end',
  'sessions-end',
  'token-issue',
  'access-token-created',
  'access-token-revoked',
  'client-registered',
  'grant-made',
  'grant-ended',
  'refresh-reused',
  'second-factor-begun',
  'second-factor-on',
  'second-factor-off',
  'recovery-code-used',
  'passkey-created',
  'passkey-removed',
  'passkey-counter',
  'identity-linked',
  'identity-removed',
  'reset-request',
  'password-change',
  'user-add',
  'user-remove',
  'name-change',
  'address-asked',
  'address-change',
  'data-exported',
  'role-change',
  'flag-change',
  'override-change',
  'transition-undone',
  'plan-applied',
  'plan-refused',
  'plan-withdrawn',
  'subscription-created',
  'subscription-changed',
  'subscription-secret',
  'subscription-removed',
  'row-changed',
  'row-deleted'
] as const

export type AuditEventName = (typeof auditEvents)[number]

const Event = oneOf(auditEvents, {
  $id: 'AuditEventName',
  description: 'What happened.',
  examples: ['login']
})

export const AuditEvent = Type.Object(
  {
    id: Key,
    created_at: Created,
    event: ref(Event),
    user_id: orNull(
      Type.Integer({ examples: [2] }),
      'Who did it; null for an unknown user or the command line.'
    ),
    via: Type.String({
      enum: [...credentials, 'oauth', ...signInWays, 'mail', 'cli'],
      description:
        'Credential; `oauth`: by its program, `mail`: an emailed link, `cli`: the command line.',
      examples: ['password']
    }),
    address: orNull(Type.String({ examples: ['127.0.0.1'] }), 'Where the request came from.'),
    request_id: orNull(
      Type.String({ examples: ['855a4624-2695-438e-b91d-0da00054990f'] }),
      '`X-Request-Id` of the request.'
    ),
    subject: orNull(
      Type.String({ examples: ['demo'] }),
      'What it was done to: a login name, a flag or a row.'
    ),
    detail: orNull(Type.String(), 'The new value, or other details, if any.')
  },
  {
    $id: 'AuditEvent',
    description: 'Who did what, when and from where.'
  }
)

export type AuditEvent = Static<typeof AuditEvent>

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  user_id: Type.Optional(Natural({ description: 'Only events of this user.' })),
  event: Type.Optional(
    oneOf(auditEvents, { description: 'Only events of this kind.', examples: ['login'] })
  )
})
