import { Type } from '@sinclair/typebox'

export const NewMail = Type.Object(
  {
    user_id: Type.String({
      'x-trimmed-name': true,
      maxLength: 255,
      description: 'Login name of the user it goes to.'
    }),
    subject: Type.String({
      minLength: 1,
      maxLength: 255,
      // A line break would begin another header.
      pattern: '^[^\\r\\n]*$',
      'x-must': 'be one line',
      description: 'One line.'
    }),
    text: Type.String({
      minLength: 1,
      maxLength: 100_000,
      description: 'Plain text. A line that is only a URL becomes a link.'
    })
  },
  {
    $id: 'NewMail',
    description: 'A mail to a user.',
    examples: [{ user_id: 'demo', subject: 'Maintenance', text: 'We are back at ten.' }]
  }
)
