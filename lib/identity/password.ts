import bcrypt from 'bcrypt'

export const hashPassword = (password: string, cost: number) => bcrypt.hash(password, cost)

export const isPassword = (password: string, hash: string) => bcrypt.compare(password, hash)
