import { type Static, Type } from '@sinclair/typebox'
import { Created, Key, oneOf, orNull, PageQuery, ref, SearchText, Updated } from './common.ts'
import { loginPattern, mailAddress, roles, userNamePattern } from './user.ts'

const RoleOnly = oneOf(roles)
const Role = oneOf(roles, {
  $id: 'Role',
  description:
    'What the user may do: an administrator may also call the operations under `/admin`.',
  examples: ['user']
})

const lockReasons = ['administrator', 'failures'] as const
export type LockReason = (typeof lockReasons)[number]

/** A user as administrators see it. */
export const Account = Type.Object(
  {
    id: Key,
    user_id: Type.String({ description: 'Login name.', examples: ['demo'] }),
    user_name: Type.String({ description: 'Display name.', examples: ['Demo'] }),
    e_mail: Type.String({ description: 'Email address.', examples: ['demo@example.com'] }),
    role: ref(Role),
    locked: Type.Boolean({
      description: 'Whether the user is kept from signing in.',
      examples: [false]
    }),
    locked_by: orNull(
      oneOf(lockReasons),
      'What locks the user: an administrator, or failed sign-ins. Null if nothing does.'
    ),
    second_factor: Type.Boolean({
      description: 'Whether a sign-in also takes a code.',
      examples: [false]
    }),
    created_at: Created,
    updated_at: Updated
  },
  {
    $id: 'Account',
    description: 'A user, as administrators see it.'
  }
)
export type Account = Static<typeof Account>

export const AccountQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional({
    ...SearchText,
    description:
      'Only those whose login name, name or email address contains this text. `A` to `Z` match `a` to `z`; there are no wildcards.',
    examples: ['demo']
  }),
  role: Type.Optional({ ...RoleOnly, description: 'Only those who have this role.' }),
  locked: Type.Optional(
    Type.Boolean({ description: 'Only those who are locked, or only those who are not.' })
  )
})

export type AccountQuery = Static<typeof AccountQuery>

const UserName = Type.String({
  pattern: userNamePattern.source,
  'x-pattern': '^[^\\x00-\\x1f\\x7f]{1,255}$',
  'x-must': 'be 1 to 255 characters on one line, not only white space',
  description: 'Name for people, at most 255 characters.',
  examples: ['Anna']
})
const Address = Type.String({
  ...mailAddress,
  description: 'Email address, at most 255 characters.',
  examples: ['anna@example.com']
})

export const NewAccount = Type.Object(
  {
    user_id: Type.String({
      'x-trimmed-name': true,
      pattern: loginPattern.source,
      'x-pattern': '^\\S{1,255}$',
      'x-must': 'be 1 to 255 characters without white space',
      description: 'Login name: at most 255 characters, no white space.',
      examples: ['anna']
    }),
    user_name: UserName,
    e_mail: Address,
    role: Type.Optional({ ...RoleOnly, default: 'user', description: 'What the user may do.' })
  },
  {
    $id: 'NewAccount',
    description: 'A user to add.',
    examples: [{ user_id: 'anna', user_name: 'Anna', e_mail: 'anna@example.com' }]
  }
)
export type NewAccount = Static<typeof NewAccount>

const changeable = {
  role: Type.Optional(ref(Role)),
  locked: Type.Optional(
    Type.Boolean({ description: 'True locks the user; false lifts any lock.', examples: [true] })
  ),
  second_factor: Type.Optional(Type.Boolean({ description: 'False turns off a lost one.' })),
  user_name: Type.Optional(UserName),
  e_mail: Type.Optional(Address)
}

export const AccountChange = Type.Object(changeable, {
  $id: 'AccountChange',
  anyOf: Object.keys(changeable).map((name) => ({ required: [name] })),
  description: 'Fields of a user to change, at least one.',
  examples: [{ locked: true }]
})
export type AccountChange = Static<typeof AccountChange>
