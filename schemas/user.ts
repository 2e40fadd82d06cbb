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

/** bcrypt reads no more, so a longer password would be cut unseen. */
export const maxPasswordBytes = 72
const minPasswordCharacters = 8

export const NewPassword = Type.Object(
  {
    password: Type.String({
      minLength: minPasswordCharacters,
      'x-max-bytes': maxPasswordBytes,
      description: `At least ${minPasswordCharacters} characters, at most ${maxPasswordBytes} bytes in UTF-8.`
    })
  },
  { $id: 'NewPassword', examples: [{ password: 'correct horse battery' }] }
)

/** What is wrong with a new password, or undefined where nothing is. */
export function passwordProblem(password: string): string | undefined {
  if ([...password].length < minPasswordCharacters) {
    return `must have at least ${minPasswordCharacters} characters`
  }
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    return `must have at most ${maxPasswordBytes} bytes`
  }
  return undefined
}
