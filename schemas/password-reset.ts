import { Type } from '@sinclair/typebox'

export const ResetRequest = Type.Object(
  { email: Type.String({ 'x-trimmed-name': true, description: 'Email address of the account.' }) },
  {
    $id: 'ResetRequest',
    description: 'The account whose password was forgotten.',
    examples: [{ email: 'demo@example.com' }]
  }
)

export const ResetToken = Type.Object({
  token: Type.String({
    description: 'The raw token from the email, 64 hexadecimal characters.',
    examples: ['0a1b2c3d'.repeat(8)]
  })
})
