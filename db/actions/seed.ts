import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../types.ts'

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

/** What development accounts have for a password. The columns are there in each version of the database. */
export const developmentPasswords = (db: Kysely<Tables>) =>
  db
    .selectFrom('users')
    .select(['user_id', 'password_hash'])
    .where(
      'user_id',
      'in',
      developmentAccounts.map(({ user_id }) => user_id)
    )
    .orderBy('user_id')
    .execute()
