import { type SchemaOptions, Type } from '@sinclair/typebox'
import { Scope, TokenLimits } from './access-token.ts'
import { NextAfter } from './activity.ts'
import { Id, Key, oneOf, orNull, ref, Timestamp } from './common.ts'
import { credentials, roles, signInWays } from './user.ts'

const counted = [
  'requests',
  'sign-ins',
  'wrong credentials',
  'password resets',
  'sign-ups'
] as const
export type Counted = (typeof counted)[number]

/** How much of a limit the caller has used. */
export const LimitState = Type.Object(
  {
    name: Type.String({
      description: 'Name of the limit, as in `RateLimit-Policy`.',
      examples: ['user']
    }),
    counts: oneOf(counted, { description: 'What it counts: nothing else lowers `remaining`.' }),
    max: Type.Integer({ description: 'The most in a window.', examples: [600] }),
    window_seconds: Type.Integer({ description: 'Length of a window.', examples: [60] }),
    remaining: Type.Integer({
      minimum: 0,
      description: 'How many are left in this window.',
      examples: [599]
    }),
    reset_seconds: Type.Integer({
      minimum: 0,
      description: 'Seconds until the window ends; 0 if none has begun.',
      examples: [60]
    })
  },
  {
    $id: 'LimitState',
    description: 'How much of a limit the caller has used.'
  }
)

/** Operations by name, each with its method and path. Not `Type.Record`, as in routes/health.ts. */
const Ways = (options: SchemaOptions) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    ...options
  })

/** Whether to name the operations too. */
export const CurrentQuery = Type.Object({
  operations: Type.Optional(Type.Literal('1', { description: 'To get them.' }))
})

/** What `GET /session/current` says about the caller, besides `user`. */
export const Caller = {
  role: oneOf(roles, { description: 'A user, or an administrator.' }),
  via: oneOf(credentials, { description: 'Kind of credential.' }),
  scopes: orNull(
    Type.Array(ref(Scope)),
    'Scopes of the access token; null for any other credential.'
  ),
  expires_at: orNull(
    { ...Timestamp, examples: ['2026-11-21T11:30:00.000Z'] },
    'When the credential expires; for a session, the earlier of its two limits. Null if it never expires.'
  ),
  csrfToken: orNull(
    Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['0a1b2c3d'.repeat(8)] }),
    'Send it as `X-CSRF-Token`. Null unless the caller uses a session.'
  ),
  token_id: orNull(Type.Integer(), 'Key of the access token; null for any other credential.'),
  ...TokenLimits,
  next_after: NextAfter,
  operations: Type.Optional(
    Type.Array(Type.String(), {
      description: 'With `operations=1`: `can` without the ways.',
      // None: the document shows an answer without them.
      examples: []
    })
  ),
  can: Type.Array(
    Type.Object({
      area: Type.String({ description: 'Their tag.', examples: ['todo'] }),
      operations: Ways({
        description: 'How each is called.',
        examples: [{ createTodo: 'POST /todo/index' }]
      }),
      as_plan: Type.Optional(
        Ways({
          description: 'Those only as steps of plans: it asks.'
        })
      )
    }),
    { description: 'What it may call.' }
  ),
  limits_message: orNull(Type.String(), 'Set if its requests have no limit.'),
  maximum: Type.Object(
    {
      batch: Type.Integer({ description: 'Items of a batch.', examples: [100] }),
      page: Type.Integer({ description: '`limit` of a list.', examples: [500] }),
      upload_bytes: Type.Integer({ description: 'Bytes of a file.', examples: [10_485_760] })
    },
    { description: 'The most that is taken.' }
  )
}

export const Session = Type.Object(
  {
    id: { ...Key, description: 'Key for the operations on sessions; it is not a credential.' },
    created_at: { ...Timestamp, description: 'When the user signed in.' },
    via: oneOf(signInWays, { description: 'How the user signed in.', examples: ['password'] }),
    last_seen_at: { ...Timestamp, description: 'When it was last used, to the minute.' },
    address: orNull(
      Type.String({ examples: ['127.0.0.1'] }),
      'IP address of the sign-in; null if no longer known.'
    ),
    user_agent: orNull(
      Type.String({ examples: ['curl/8.14.1'] }),
      '`User-Agent` of the sign-in, at most 255 characters; null if there was none.'
    ),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' })
  },
  {
    $id: 'Session',
    description: 'A place where the user is signed in.'
  }
)

export const SessionKey = Type.Object({
  id: Id({ absent: 'SESSION-NOT-FOUND' })
})
