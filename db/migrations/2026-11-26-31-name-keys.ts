import { type Kysely, sql } from 'kysely'
import { addressKey, loginKey } from '../../schemas/names.ts'

interface Tables {
  users: { id: number; user_id: string; e_mail: string; login_key: string; address_key: string }
}

/** Users that are read at once. */
const step = 1000

/**
 * What names and addresses are compared by. Where users have the same already, the oldest keeps it; the others get a
 * space and their exact name, which no key begins with.
 */
export async function up(db: Kysely<Tables>) {
  for (const column of ['login_key', 'address_key']) {
    await db.schema
      .alterTable('users')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  }
  let last = 0
  for (;;) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'user_id', 'e_mail'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(step)
      .execute()
    for (const { id, user_id, e_mail } of users) {
      const keys = { login_key: loginKey(user_id), address_key: addressKey(e_mail) }
      await db.updateTable('users').set(keys).where('id', '=', id).execute()
    }
    last = users.at(-1)?.id ?? 0
    if (users.length < step) break
  }
  for (const [key, exact] of [
    ['login_key', 'user_id'],
    ['address_key', 'e_mail']
  ] as const) {
    await db
      .updateTable('users')
      .set({ [key]: sql`' ' || ${sql.ref(exact)}` })
      .where('id', 'not in', (eb) =>
        eb.selectFrom('users').select(eb.fn.min('id').as('id')).groupBy(key)
      )
      .execute()
    await db.schema.createIndex(`users_${key}`).unique().on('users').column(key).execute()
  }
  // Those that only their exact name finds: nearly always none.
  await db.schema
    .createIndex('users_namesakes')
    .on('users')
    .column('id')
    .where(sql<boolean>`login_key = ' ' || user_id`)
    .execute()
  await db.schema.dropIndex('users_e_mail').execute()
}
