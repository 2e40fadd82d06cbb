import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('identities')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('sub', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addUniqueConstraint('identities_issuer_sub', ['issuer', 'sub'])
    // One of each provider: a list of them needs no limit.
    .addUniqueConstraint('identities_user_id_issuer', ['user_id', 'issuer'])
    .execute()

  await db.schema
    .createTable('answered_sign_ins')
    .addColumn('state_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()

  // What a sign-in that waits for a code has begun with, and what is linked after the code.
  await db.schema
    .alterTable('pending_sign_ins')
    .addColumn('via', 'text', (c) => c.notNull().defaultTo('password'))
    .execute()
  for (const column of ['link_issuer', 'link_sub']) {
    await db.schema.alterTable('pending_sign_ins').addColumn(column, 'text').execute()
  }
}
