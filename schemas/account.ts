import { Type } from '@sinclair/typebox'
import { Credentials, newPassword } from './user.ts'

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
