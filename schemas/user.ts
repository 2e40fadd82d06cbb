import { type Static, Type } from '@sinclair/typebox'

export const roles = ['user', 'admin'] as const
export type Role = (typeof roles)[number]

/** What login exposes of the user record (contract: Session login). */
export const User = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.String(),
    user_name: Type.String(),
    e_mail: Type.String()
  },
  {
    $id: 'User',
    examples: [{ id: 2, user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com' }]
  }
)
export type User = Static<typeof User>

export const Credentials = Type.Object(
  {
    user_id: Type.String({ maxLength: 255 }),
    user_pass: Type.String({ maxLength: 1024 })
  },
  { $id: 'Credentials', examples: [{ user_id: 'demo', user_pass: 'demo' }] }
)
