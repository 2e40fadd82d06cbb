import { Type } from '@sinclair/typebox'
import { Scope } from './access-token.ts'
import { Key, ref, Timestamp } from './common.ts'
import { credentials, roles } from './user.ts'

const counted = ['requests', 'sign-ins', 'wrong credentials', 'password resets'] as const
export type Counted = (typeof counted)[number]

/** How much of a limit the caller has used. */
export const LimitState = Type.Object(
  {
    name: Type.String({ description: 'Name of the limit, as in `RateLimit-Policy`.' }),
    counts: Type.Unsafe<Counted>({
      type: 'string',
      enum: counted,
      description: 'What it counts: nothing else lowers `remaining`.'
    }),
    max: Type.Integer({ description: 'How many in a window.' }),
    window_seconds: Type.Integer({ description: 'Length of a window.' }),
    remaining: Type.Integer({ minimum: 0, description: 'How many are left in this window.' }),
    reset_seconds: Type.Integer({
      minimum: 0,
      description: 'Seconds until the window ends; 0 if none has begun.'
    })
  },
  {
    $id: 'LimitState',
    description: 'How much of a limit the caller has used.',
    examples: [
      {
        name: 'user',
        counts: 'requests',
        max: 600,
        window_seconds: 60,
        remaining: 599,
        reset_seconds: 60
      }
    ]
  }
)

/** What `GET /session/current` says about the caller, besides `user`. */
export const Caller = {
  role: Type.Union(
    roles.map((role) => Type.Literal(role)),
    { description: 'A user, or an administrator.' }
  ),
  via: Type.Union(
    credentials.map((kind) => Type.Literal(kind)),
    { description: 'Kind of credential that was accepted.' }
  ),
  scopes: Type.Union([Type.Array(ref(Scope)), Type.Null()], {
    description: 'Scopes of the access token; null for any other credential.',
    examples: [null]
  }),
  expires_at: Type.Union([Timestamp, Type.Null()], {
    description:
      'When the credential expires; for a session, the earlier of its two limits. Null if it never expires.',
    examples: ['2026-11-21T11:30:00.000Z']
  }),
  csrfToken: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()], {
    description: 'Send it as `X-CSRF-Token`. Null unless the caller uses a session.',
    examples: ['0a1b2c3d'.repeat(8)]
  }),
  operations: Type.Array(Type.String(), {
    description: 'The `operationId` of every operation that this credential may call.',
    examples: [['listTodos', 'createTodo']]
  })
}

const nullable = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

export const Session = Type.Object(
  {
    id: { ...Key, description: 'Key for the operations on sessions; it is not a credential.' },
    created_at: { ...Timestamp, description: 'When the user signed in.' },
    last_seen_at: { ...Timestamp, description: 'When it was last used, to the minute.' },
    address: nullable('IP address of the sign-in; null if no longer known.', '127.0.0.1'),
    user_agent: nullable(
      '`User-Agent` of the sign-in, at most 255 characters; null if there was none.',
      'curl/8.14.1'
    ),
    current: Type.Boolean({
      description: 'Whether it is the session of this request.',
      examples: [true]
    })
  },
  {
    $id: 'Session',
    description: 'A place where the user is signed in.',
    examples: [
      {
        id: 1,
        created_at: '2026-11-21T09:30:00.000Z',
        last_seen_at: '2026-11-21T09:41:00.000Z',
        address: '127.0.0.1',
        user_agent: 'curl/8.14.1',
        current: true
      }
    ]
  }
)

export const SessionKey = Type.Object({
  id: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Its key.',
    examples: [1],
    'x-error-codes': { maximum: 'SESSION-NOT-FOUND' }
  })
})
