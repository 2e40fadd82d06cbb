import { Type } from '@sinclair/typebox'

export const ResetRequest = Type.Object(
  { email: Type.String() },
  { $id: 'ResetRequest', examples: [{ email: 'demo@example.com' }] }
)

export const ResetToken = Type.Object({
  token: Type.String({ description: 'The raw token of the mail, 64 hexadecimal characters.' })
})
