import { hash } from 'bcrypt'
import type { Repositories } from '../db/repositories/index.ts'
import { openSqlite } from '../db/sqlite/index.ts'
import { absent } from '../db/statement.ts'
import { NewTodo } from '../schemas/todo.ts'

/** Has ten todos; the ids of the accounts follow from the order in which they are added. */
export const reader = { id: 1, user_id: 'reader' }
/** Creates todos, so that the reader's list stays as it is. */
export const writer = { id: 2, user_id: 'writer' }

/** Adds both accounts (their password is their login name) and the ten todos. */
export async function addAccounts({ users, todos }: Repositories) {
  const date = new Date()
  const now = date.toISOString()
  for (const { user_id } of [reader, writer]) {
    await users.insert({
      user_id,
      user_name: user_id,
      e_mail: `${user_id}@example.com`,
      role: 'user',
      password_hash: await hash(user_id, 4),
      now,
      now_ms: date.getTime()
    })
  }
  for (let n = 1; n <= 10; n++) {
    await todos.insert({
      ...absent(NewTodo),
      user_id: reader.id,
      by: { at: now, via: 'session', token_id: null, run: null, request_id: 'bench' },
      title: `Buy milk for guest ${n}`,
      now,
      max: 1_000_000
    })
  }
}

/** Makes a SQLite database with the accounts. */
export async function createDatabase(file: string) {
  const { repos, close } = await openSqlite(file)
  await addAccounts(repos)
  await close()
}
