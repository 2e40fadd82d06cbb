import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'
import { createTrigger } from './trigger.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('changes')
    .addColumn('id', id, key)
    .addColumn('at', time, (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('token_id', 'bigint')
    .addColumn('run', 'text')
    .addColumn('request_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'bigint', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    // The row as JSON.
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('undone', 'boolean', (c) => c.notNull())
    // The change that this one undoes.
    .addColumn('undoes', 'bigint')
    .execute()
  // The list, with what its filters look at.
  await db.schema
    .createIndex('changes_user_id_id')
    .on('changes')
    .columns(['user_id', 'id', 'at', 'kind'])
    .execute()
  await db.schema
    .createIndex('changes_user_id_key')
    .on('changes')
    .columns(['user_id', 'key', 'id'])
    .execute()
  // An undo reads only those of a run that are not undone yet, and whether a run has changes of a kind is
  // one look.
  await db.schema
    .createIndex('changes_user_id_run')
    .on('changes')
    .columns(['user_id', 'run', 'undone', 'kind', 'id'])
    .where(sql<boolean>`run is not null`)
    .execute()

  await db.schema
    .createTable('runs')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('run', 'text', (c) => c.notNull())
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('token_id', 'bigint')
    .addColumn('started_at', time, (c) => c.notNull())
    .addColumn('ended_at', time, (c) => c.notNull())
    .addColumn('recorded', 'bigint', (c) => c.notNull())
    .addColumn('undone', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('runs_user_id_run', ['user_id', 'run'])
    .execute()
  await db.schema.createIndex('runs_user_id_id').on('runs').columns(['user_id', 'id']).execute()
  const ofRun = 'user_id = OLD.user_id AND run = OLD.run'
  await createTrigger(
    db,
    'runs_shrink',
    'DELETE ON changes',
    `UPDATE runs SET recorded = recorded - 1, undone = undone - CASE WHEN OLD.undone THEN 1 ELSE 0 END
       WHERE ${ofRun}`,
    `DELETE FROM runs WHERE ${ofRun} AND recorded = 0`
  )

  // What writes changes adds their bytes; the trigger subtracts.
  await db.schema
    .alterTable('user_usage')
    .addColumn('activity_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await createTrigger(
    db,
    'changes_uncounted',
    'DELETE ON changes',
    `UPDATE user_usage SET activity_bytes = activity_bytes -
       (512 + octet_length(coalesce(OLD.before, '')) + octet_length(coalesce(OLD.after, '')))
       WHERE user_id = OLD.user_id`
  )
}
