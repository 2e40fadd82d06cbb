import { type Kysely, PostgresAdapter, sql } from 'kysely'
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
  await db.schema
    .createIndex('changes_user_id_run')
    .on('changes')
    .columns(['user_id', 'run', 'id'])
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

  // A file stays until nobody can want it back (milliseconds since the epoch; null: not deleted).
  await db.schema.alterTable('attachments').addColumn('deleted_at', 'bigint').execute()
  await db.schema
    .createIndex('attachments_deleted_at')
    .on('attachments')
    .column('deleted_at')
    .where(sql<boolean>`deleted_at is not null`)
    .execute()
  await db.schema
    .createIndex('attachments_user_id_deleted_at')
    .on('attachments')
    .columns(['user_id', 'deleted_at'])
    .where(sql<boolean>`deleted_at is not null`)
    .execute()

  await countRuns(db)
}

/** Runs follow from their changes, whoever writes or removes those. */
async function countRuns(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (text: string) => sql.raw(text).execute(db)
  async function trigger(name: string, event: string, condition: string, work: string) {
    if (!isPostgres) {
      return run(`CREATE TRIGGER ${name} AFTER ${event} ON changes FOR EACH ROW
        WHEN ${condition} BEGIN ${work} END`)
    }
    await run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${work} RETURN NULL; END $$`)
    await run(`CREATE TRIGGER ${name} AFTER ${event} ON changes FOR EACH ROW
      WHEN (${condition}) EXECUTE FUNCTION ${name}()`)
  }
  const one = (row: string) => `CASE WHEN ${row}.undone THEN 1 ELSE 0 END`
  await trigger(
    'runs_grow',
    'INSERT',
    'NEW.run IS NOT NULL',
    `INSERT INTO runs (user_id, run, via, token_id, started_at, ended_at, recorded, undone)
       VALUES (NEW.user_id, NEW.run, NEW.via, NEW.token_id, NEW.at, NEW.at, 1, ${one('NEW')})
       ON CONFLICT (user_id, run) DO UPDATE
         SET recorded = runs.recorded + 1, ended_at = excluded.ended_at;`
  )
  await trigger(
    'runs_undo',
    'UPDATE OF undone',
    'NEW.run IS NOT NULL',
    `UPDATE runs SET undone = undone + ${one('NEW')} - ${one('OLD')}
       WHERE user_id = NEW.user_id AND run = NEW.run;`
  )
  await trigger(
    'runs_shrink',
    'DELETE',
    'OLD.run IS NOT NULL',
    `UPDATE runs SET recorded = recorded - 1, undone = undone - ${one('OLD')}
       WHERE user_id = OLD.user_id AND run = OLD.run;
     DELETE FROM runs WHERE user_id = OLD.user_id AND run = OLD.run AND recorded = 0;`
  )
}
