import { addressKey, loginKey } from '../../../schemas/names.ts'
import { maxPasswordBytes, minPasswordCharacters, type User } from '../../../schemas/user.ts'
import { composed } from './bcrypt.ts'

/** How many of the most common passwords are refused. Only those that are long enough count. */
const refused = 10_000

let common: Promise<ReadonlySet<string>> | undefined

/** Reads the list. Called when a password is first set, so that the start need not wait for it. */
async function readCommon(): Promise<ReadonlySet<string>> {
  // Leaked passwords, most frequent first, all in lower case.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const long = dictionary['passwords-common'].filter((it) => it.length >= minPasswordCharacters)
  return new Set(long.slice(0, refused))
}

/** The owner of the new password. */
export type Owner = Pick<User, 'user_id' | 'e_mail'>

/**
 * What is wrong with a new password of a user; undefined if nothing is. Every way to set a
 * password uses it (contract PASSWORD-1), except the development accounts.
 */
export async function passwordProblem(
  typed: string,
  { user_id, e_mail }: Owner
): Promise<string | undefined> {
  const password = composed(typed)
  if ([...password].length < minPasswordCharacters) {
    return `must have at least ${minPasswordCharacters} characters`
  }
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    return `must have at most ${maxPasswordBytes} bytes`
  }
  if (password.trim() === '') return 'must have a character other than white space'
  const plain = password.toLowerCase()
  if (loginKey(password) === loginKey(user_id)) return 'must not be the login name'
  if (addressKey(password) === addressKey(e_mail)) return 'must not be the email address'
  common ??= readCommon()
  return (await common).has(plain) ? 'must not be one of the most common passwords' : undefined
}
