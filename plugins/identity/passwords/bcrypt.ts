import { randomBytes } from 'node:crypto'
import bcrypt from 'bcrypt'

/** As a password is kept and compared (RFC 8265 §4.2.2): systems type the same letter in two forms. */
export const composed = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string, cost: number) =>
  bcrypt.hash(composed(password), cost)

/** Whether a hash is of a password: `older` if it was made of the password as it is typed here. */
export async function judgePassword(password: string, hash: string) {
  const kept = composed(password)
  if (await bcrypt.compare(kept, hash)) return 'right'
  return kept !== password && (await bcrypt.compare(password, hash)) ? 'older' : 'wrong'
}

export const isPassword = async (password: string, hash: string) =>
  (await judgePassword(password, hash)) !== 'wrong'

/** A hash that no password has. To compare one with it takes as long as with any other of this cost. */
export const hashOfNobody = (cost: number) =>
  bcrypt.genSaltSync(cost) + randomBytes(16).toString('hex').slice(1)
