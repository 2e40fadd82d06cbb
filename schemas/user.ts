import { type Static, Type } from '@sinclair/typebox'
import { Id } from './common.ts'
import { AnyCode } from './second-factor.ts'

export const roles = ['user', 'admin'] as const
export type Role = (typeof roles)[number]

/** The kinds of credential that a request can be accepted with; `token` is an access token. */
export const credentials = ['session', 'agent', 'jwt', 'token'] as const

/** The ways in which a user can sign in, and a session begin. `provider`: at another service. */
export const signInWays = ['password', 'passkey', 'provider'] as const
export type SignInWay = (typeof signInWays)[number]

// Not \p{Cc}: clients that read the pattern without the `u` flag do not know it.
const control = String.raw`\u0000-\u001f\u007f-\u009f`
/** The fields of an account have no control characters; a login name also has no white space. */
export const loginPattern = new RegExp(String.raw`^[^\s${control}]{1,255}$`, 'u')
export const userNamePattern = new RegExp(String.raw`^(?=.*\S)[^${control}]{1,255}$`, 'u')
// Without the characters that have a meaning in mail headers (RFC 5322 §3.2.3): one address, never two.
const addressPart = String.raw`[^\s${control}@,;:<>()[\]\\"]+`
export const addressPattern = new RegExp(`^(?=.{3,255}$)${addressPart}@${addressPart}$`, 'u')

/** The rules of a text that is an email address. */
export const mailAddress = {
  'x-trimmed-name': true,
  pattern: addressPattern.source,
  'x-pattern': '^[^\\s@]{1,253}@[^\\s@]{1,253}$',
  'x-must': 'be one email address'
} as const

/** Names a user in a path of administrators. */
export const UserKey = Type.Object({
  id: {
    ...Id({ absent: 'USER-NOT-FOUND' }),
    description: "The user's `id`.",
    examples: [2],
    'x-name': 'UserId'
  }
})

/** The fields of a user that a login shows (contract SESSION-1). */
export const User = Type.Object(
  {
    id: Type.Integer({ description: 'Key of the user.' }),
    user_id: Type.String({ description: 'Login name.' }),
    user_name: Type.String({ description: 'Display name.' }),
    e_mail: Type.String({ description: 'Email address.' })
  },
  {
    $id: 'User',
    description: 'A user, as seen by that user.',
    examples: [{ id: 2, user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com' }]
  }
)
export type User = Static<typeof User>

export const Credentials = Type.Object(
  {
    user_id: Type.String({
      'x-trimmed-name': true,
      maxLength: 255,
      description: 'Login name, or email address.'
    }),
    user_pass: Type.String({ maxLength: 1024, description: 'Password.' }),
    code: Type.Optional(AnyCode)
  },
  {
    $id: 'Credentials',
    description:
      'Login name (or email address) and password, and a code if the user has a second factor.',
    examples: [{ user_id: 'demo', user_pass: 'demo' }]
  }
)
export type Credentials = Static<typeof Credentials>

/** bcrypt reads no more bytes: a longer password would be cut silently. */
export const maxPasswordBytes = 72
export const minPasswordCharacters = 8

/** The rules for a new password that a schema can express; `passwordProblem` has the others (contract PASSWORD-1). */
export const newPassword = Type.String({
  minLength: minPasswordCharacters,
  'x-max-bytes': maxPasswordBytes,
  description: `${minPasswordCharacters} characters to ${maxPasswordBytes} bytes in UTF-8; not the login name, the email address or a common password.`,
  examples: ['correct horse battery']
})

export const NewPassword = Type.Object(
  { password: newPassword },
  {
    $id: 'NewPassword',
    description: 'The password to set.',
    examples: [{ password: 'correct horse battery' }]
  }
)
