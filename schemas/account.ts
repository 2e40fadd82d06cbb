import { type Static, Type } from '@sinclair/typebox'
import { orNull } from './common.ts'
import { confirmationAfter } from './second-factor.ts'
import { Credentials, newPassword } from './user.ts'
import { NewAccount } from './users.ts'

export const PasswordChange = Type.Object(
  {
    user_pass: { ...Credentials.properties.user_pass, description: 'The current password.' },
    new_pass: newPassword
  },
  {
    $id: 'PasswordChange',
    description: 'The current password and the new one.',
    examples: [{ user_pass: 'demo', new_pass: 'correct horse battery' }]
  }
)

/** For how many minutes a new session may change the address, or remove the account, without the password. */
export const accountMinutes = 10

/** How long the link to a new address can be followed. */
export const addressHours = 24

const changeable = {
  user_name: Type.Optional({ ...NewAccount.properties.user_name, maxLength: 255 }),
  e_mail: Type.Optional({
    ...NewAccount.properties.e_mail,
    maxLength: 255,
    description: 'The new email address: it counts once its owner has followed a link.'
  })
}

export const ProfileChange = Type.Object(
  { ...changeable, user_pass: confirmationAfter(accountMinutes) },
  {
    $id: 'ProfileChange',
    anyOf: Object.keys(changeable).map((name) => ({ required: [name] })),
    description: 'Name or address, at least one. An address may need the password.',
    examples: [{ user_name: 'Anna Andersson', e_mail: 'anna@example.com', user_pass: 'demo' }]
  }
)
export type ProfileChange = Static<typeof ProfileChange>

export const PendingAddress = orNull(
  Type.String({ examples: ['anna@example.com'] }),
  'The address that counts once its link was followed; null if none waits.'
)

/** Names a change of address in the link of its mail. */
export const AddressKey = Type.Object({ token: Type.String({ description: 'From the mail.' }) })

export const AccountRemoval = Type.Object(
  { user_pass: confirmationAfter(accountMinutes) },
  {
    $id: 'AccountRemoval',
    description: 'The password, if it is needed.',
    examples: [{ user_pass: 'demo' }]
  }
)
export type AccountRemoval = Static<typeof AccountRemoval>
