import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

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
    .addColumn('undone', 'boolean', (c) => c.notNull())
    // The change that this one undoes; its run, if the whole run is undone.
    .addColumn('undoes', 'bigint')
    .addColumn('undoes_run', 'text')
    // What it counts towards the user's maximum.
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    // The row as JSON.
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute()
  // Whoever walks a user's changes, up or down, finds here what lists, runs and the sweep look at.
  await db.schema
    .createIndex('changes_user_id_id')
    .on('changes')
    .columns(['user_id', 'id', 'at', 'kind', 'run', 'bytes'])
    .execute()
  await db.schema
    .createIndex('changes_user_id_key')
    .on('changes')
    .columns(['user_id', 'key', 'id'])
    .execute()
  // An undo reads only those of a run that are not undone yet, and whether a run has later changes of a
  // kind is one look.
  await db.schema
    .createIndex('changes_user_id_run')
    .on('changes')
    .columns(['user_id', 'run', 'undone', 'kind', 'id', 'at'])
    .where(sql<boolean>`run is not null`)
    .execute()

  // The newest change of each user that was forgotten: whoever has read on to it has missed nothing.
  await db.schema
    .createTable('forgotten_changes')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().notNull().references('users.id').onDelete('cascade')
    )
    .addColumn('id', 'bigint', (c) => c.notNull())
    .execute()
}
