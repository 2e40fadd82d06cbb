import { type Static, Type } from '@sinclair/typebox'
import { Created, Id, Key, oneOf, orNull, ref, Timestamp } from './common.ts'
import { kinds } from './kinds.ts'
import { reactionScopes } from './reaction.ts'

const adminScopes = ['admin:read', 'admin:write'] as const

/** The scopes of access tokens: reading and writing each kind of recorded row, and what areas add. */
export const scopes = [
  ...kinds.flatMap((kind) => [`${kind}:read`, `${kind}:write`] as const),
  ...reactionScopes,
  ...adminScopes
]

export const Scope = oneOf(scopes, {
  $id: 'Scope',
  description: 'What an access token may do. `admin:*` also needs the role of an administrator.',
  examples: ['todo:read']
})
export type Scope = Static<typeof Scope>

/** A scope that only an administrator can grant. */
export const isAdminScope = (scope: Scope) => scope.startsWith('admin:')

/** How many live tokens a user may have. */
export const maxAccessTokens = 50

// biome-ignore lint/suspicious/noControlCharactersInRegex: clients that read the pattern without the `u` flag do not know \p{Cc}
export const accessTokenName = /^(?=.*\S)[^\u0000-\u001f\u007f-\u009f]{1,64}$/u
export const accessTokenDays = { min: 1, max: 365, default: 90 } as const
export const accessTokenMinutes = { min: 5, max: accessTokenDays.max * 24 * 60 } as const
export const maxChanges = 1_000_000
/** How many tokens can stand above one: it, what it makes, and what that makes. */
export const maxDepth = 2

const name = {
  description: 'Says what it is for; at most 64 characters.',
  examples: ['nightly import']
}
const scopeList = { examples: [['todo:read', 'todo:write']] }

/** What limits a token besides its scopes and its end. */
export const TokenLimits = {
  asks: Type.Boolean({
    description: 'Whether a person approves its changes.',
    examples: [false]
  }),
  changes_max: orNull(Type.Integer({ examples: [100] }), 'The most changes that it may make.'),
  changes_left: orNull(
    Type.Integer({ examples: [73] }),
    'How many of them are left, here and in tokens above.'
  ),
  parent_id: orNull(Type.Integer(), 'The token that has derived it, if any.')
}

export const AccessToken = Type.Object(
  {
    id: Key,
    name: Type.String(name),
    hint: Type.String({
      description: 'The first characters of the token, to recognise it by.',
      examples: ['gth_fvQz']
    }),
    scopes: Type.Array(ref(Scope), { description: 'What it may do.', ...scopeList }),
    created_at: Created,
    expires_at: {
      ...Timestamp,
      description: 'When it expires.',
      examples: ['2027-02-19T09:30:00.000Z']
    },
    last_used_at: orNull(Timestamp, 'When it was last used, to the minute; null if it never was.'),
    ...TokenLimits
  },
  {
    $id: 'AccessToken',
    description: 'A token with which a program acts as its user, within its scopes.'
  }
)

/** A name that people give to something of theirs. */
export const wantedName = Type.String({
  pattern: accessTokenName.source,
  'x-pattern': '^[^\\x00-\\x1f\\x7f]{1,64}$',
  'x-must': 'be 1 to 64 characters on one line, not only white space',
  ...name
})
const wantedScopes = Type.Array(ref(Scope), {
  minItems: 1,
  uniqueItems: true,
  description: 'What it may do: each scope once.',
  ...scopeList
})
const wantedMinutes = Type.Integer({
  minimum: accessTokenMinutes.min,
  maximum: accessTokenMinutes.max,
  description: 'How many minutes it is valid.',
  examples: [60]
})
const wantedChanges = Type.Integer({ minimum: 1, maximum: maxChanges, examples: [100] })

export const NewAccessToken = Type.Object(
  {
    name: wantedName,
    scopes: wantedScopes,
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: accessTokenDays.min,
        maximum: accessTokenDays.max,
        description: `How many days it is valid: ${accessTokenDays.default} if nothing is said.`,
        examples: [30]
      })
    ),
    expires_in_minutes: Type.Optional({ ...wantedMinutes, description: 'Instead of days.' }),
    asks: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether a person approves its changes.',
        examples: [false]
      })
    ),
    changes_max: Type.Optional(orNull(wantedChanges, 'The most changes that it may make.'))
  },
  {
    $id: 'NewAccessToken',
    'x-not': {
      required: ['expires_in_days', 'expires_in_minutes'],
      properties: {
        expires_in_days: { description: 'Either this,' },
        expires_in_minutes: { description: 'or this.' }
      }
    },
    description: 'An access token to create.',
    examples: [{ name: 'nightly import', scopes: ['todo:read', 'todo:write'] }]
  }
)

export type NewAccessToken = Static<typeof NewAccessToken>

export const DerivedAccessToken = Type.Object(
  {
    name: wantedName,
    scopes: wantedScopes,
    expires_in_minutes: wantedMinutes,
    asks: Type.Optional(
      Type.Boolean({
        description: 'At least, and by default, as the caller.',
        examples: [true]
      })
    ),
    changes_max: Type.Optional(
      orNull(wantedChanges, 'At most, and by default, the changes that the caller has left.')
    )
  },
  {
    $id: 'DerivedAccessToken',
    description: 'An access token for a helper.',
    examples: [{ name: 'a helper', scopes: ['todo:read'], expires_in_minutes: 60 }]
  }
)

export type DerivedAccessToken = Static<typeof DerivedAccessToken>

export const AccessTokenKey = Type.Object({
  id: Id({ absent: 'ACCESS-TOKEN-NOT-FOUND' })
})
