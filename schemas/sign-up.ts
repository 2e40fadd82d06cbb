import { type Static, Type } from '@sinclair/typebox'
import { newPassword } from './user.ts'
import { NewAccount } from './users.ts'

/** How long the link of a sign-up can be followed. */
export const signUpHours = 24

/** A login name that somebody chooses: fewer characters than one that an administrator gives. */
const loginName = Type.String({
  'x-trimmed-name': true,
  pattern: '^[a-z0-9._-]{3,64}$',
  maxLength: 64,
  'x-must': 'have 3 to 64 of the characters a to z, 0 to 9, dot, underscore and hyphen',
  description: 'Login name.'
})

/** Asks for an account. */
export const SignUp = Type.Object({
  user_id: loginName,
  user_name: { ...NewAccount.properties.user_name, maxLength: 255 },
  e_mail: { ...NewAccount.properties.e_mail, maxLength: 255 }
})
export type SignUp = Static<typeof SignUp>

/** Makes it, once the link was followed. Another may have taken the login name meanwhile. */
export const SignUpEnd = Type.Object({ user_id: loginName, user_pass: newPassword })

export const SignUpKey = Type.Object({ token: Type.String({ description: 'From the mail.' }) })
