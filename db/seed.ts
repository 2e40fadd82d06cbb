import type { Database } from './open.ts'

/** Accounts of a development machine; the password is the login name. */
export const developmentAccounts = [
  { user_id: 'admin', user_name: 'Admin', e_mail: 'admin@example.com', role: 'admin' },
  { user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com', role: 'user' }
] as const

/** Adds the development accounts that are not there yet. */
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
