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

const name = {
  description: 'Any name that tells you what it is for, at most 64 characters.',
  examples: ['nightly import']
}
const scopeList = { examples: [['todo:read', 'todo:write']] }

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
    last_used_at: orNull(Timestamp, 'When it was last used, to the minute; null if it never was.')
  },
  {
    $id: 'AccessToken',
    description: 'A token with which a program acts as its user, within its scopes.'
  }
)

export const NewAccessToken = Type.Object(
  {
    name: Type.String({
      pattern: accessTokenName.source,
      'x-must': 'be 1 to 64 characters on one line, not only white space',
      ...name
    }),
    scopes: Type.Array(ref(Scope), {
      minItems: 1,
      uniqueItems: true,
      description: 'What it may do: each scope once.',
      ...scopeList
    }),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: accessTokenDays.min,
        maximum: accessTokenDays.max,
        default: accessTokenDays.default,
        description: 'How many days it is valid.',
        examples: [30]
      })
    )
  },
  {
    $id: 'NewAccessToken',
    description: 'An access token to create.',
    examples: [{ name: 'nightly import', scopes: ['todo:read', 'todo:write'] }]
  }
)

export type NewAccessToken = Static<typeof NewAccessToken>

export const AccessTokenKey = Type.Object({
  id: Id({ absent: 'ACCESS-TOKEN-NOT-FOUND' })
})
