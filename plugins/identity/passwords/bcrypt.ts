import { randomBytes } from 'node:crypto'
import bcrypt from 'bcrypt'

export const hashPassword = (password: string, cost: number) => bcrypt.hash(password, cost)

export const isPassword = (password: string, hash: string) => bcrypt.compare(password, hash)

/** A hash that no password has. To compare one with it takes as long as with any other of this cost. */
export const hashOfNobody = (cost: number) =>
  bcrypt.genSaltSync(cost) + randomBytes(16).toString('hex').slice(1)
