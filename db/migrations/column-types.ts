import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** The types that the two databases name differently. Frozen, like the migrations that use it. */
export function columnTypes(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  return isPostgres
    ? {
        id: sql`bigint`,
        key: (c: ColumnDefinitionBuilder) => c.primaryKey().generatedByDefaultAsIdentity(),
        time: sql`timestamptz`
      }
    : {
        id: sql`integer`,
        // Not reused: the id of a deleted row never names another.
        key: (c: ColumnDefinitionBuilder) => c.primaryKey().autoIncrement(),
        time: sql`text`
      }
}
