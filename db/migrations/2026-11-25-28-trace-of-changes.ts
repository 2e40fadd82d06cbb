import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // W3C Trace Context of the request, so that a webhook goes on with its trace.
  await db.schema.alterTable('changes').addColumn('traceparent', 'text').execute()
}
