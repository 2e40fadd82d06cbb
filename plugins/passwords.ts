import { randomBytes } from 'node:crypto'
import bcrypt from 'bcrypt'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
  }
}

interface Passwords {
  hash(password: string): Promise<string>
  /** Without a hash (unknown user) it takes the same time and is false. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

/** bcrypt reads no more, so a longer password would be cut unseen. */
export const maxPasswordBytes = 72
export const minPasswordCharacters = 8

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

/** Password hashes of a bcrypt cost. */
export async function createPasswords(cost: number): Promise<Passwords> {
  const hash = (password: string) => bcrypt.hash(password, cost)
  const nobody = await hash(randomBytes(16).toString('hex'))
  return {
    hash,
    async verify(password, known) {
      const matches = await bcrypt.compare(password, known ?? nobody)
      return matches && known !== undefined
    }
  }
}

export default fp<{ cost: number }>(
  async (app, { cost }) => {
    app.decorate('passwords', await createPasswords(cost))
  },
  { name: 'passwords', fastify: '5.x' }
)
