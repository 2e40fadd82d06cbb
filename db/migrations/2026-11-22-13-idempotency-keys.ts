import type { Kysely } from 'kysely'
import { createTrigger } from './trigger.ts'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('scope_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('body_digest', 'text', (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('status', 'bigint')
    .addColumn('body', 'text')
    .addColumn('etag', 'text')
    .execute()
  await db.schema
    .createIndex('idempotency_keys_created_at')
    .on('idempotency_keys')
    .column('created_at')
    .execute()
  await db.schema
    .createIndex('idempotency_keys_user_id')
    .on('idempotency_keys')
    .column('user_id')
    .execute()

  await db.schema
    .alterTable('user_usage')
    .addColumn('answer_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  const count = (name: string, event: string, row: 'NEW' | 'OLD', more: string, and = '') =>
    createTrigger(
      db,
      `idempotency_keys_${name}`,
      `${event} ON idempotency_keys`,
      `UPDATE user_usage SET answer_bytes = answer_bytes + ${more} WHERE user_id = ${row}.user_id ${and}`
    )
  // What a row takes up beside its answer.
  const rowBytes = '512'
  const answerBytes = (row: string) => `octet_length(coalesce(${row}.body, ''))`
  await count('counted', 'INSERT', 'NEW', rowBytes)
  await count(
    'answered',
    'UPDATE OF body',
    'NEW',
    `${answerBytes('NEW')} - ${answerBytes('OLD')}`,
    // Who takes over a key that was left must not wait for this user's other writes.
    'AND NEW.body IS DISTINCT FROM OLD.body'
  )
  await count('uncounted', 'DELETE', 'OLD', `(-${rowBytes} - ${answerBytes('OLD')})`)
}
