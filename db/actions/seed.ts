import type { Database } from '../database.ts'

/** Accounts for development; the password is the login name. */
export const developmentAccounts = [
  { user_id: 'admin', user_name: 'Admin', e_mail: 'admin@example.com', role: 'admin' },
  { user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com', role: 'user' }
] as const

/** Adds the development accounts that are missing. */
export async function seed(
  { repos }: Database,
  hash: (password: string) => Promise<string>,
  now = new Date()
) {
  for (const account of developmentAccounts) {
    if (await repos.users.find(account)) continue
    const password_hash = await hash(account.user_id)
    await repos.users.insert({
      ...account,
      password_hash,
      now: now.toISOString(),
      now_ms: now.getTime()
    })
  }
}

/**
 * The login names of development accounts that still have their known password.
 * @param verify Compares a password with a stored hash.
 */
export async function knownAccounts(
  { repos }: Database,
  verify: (password: string, hash: string) => Promise<boolean>
): Promise<string[]> {
  const known: string[] = []
  for (const { user_id } of developmentAccounts) {
    const user = await repos.users.find({ user_id })
    if (user && (await verify(user_id, user.password_hash))) known.push(user_id)
  }
  return known
}
