import t from 'tap'
import { isPostgres } from '../support/database.ts'
import { startService } from '../support/helper.ts'

/** Every column of our tables: its type, whether it is a key, and whether it may be null. */
const columns = isPostgres
  ? `SELECT c.table_name AS "table", c.column_name AS name, c.data_type AS type, false AS is_key,
       c.is_nullable = 'YES' AS nullable
     FROM information_schema.columns c
     WHERE c.table_schema = 'public' AND c.table_name NOT LIKE 'kysely%'`
  : // An integer primary key is the rowid, which is never null.
    `SELECT t.name AS "table", c.name, lower(c.type) AS type, c.pk > 0 AS is_key,
       c."notnull" = 0 AND NOT (c.pk = 1 AND lower(c.type) = 'integer') AS nullable
     FROM sqlite_master t JOIN pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE 'kysely%' AND t.name NOT LIKE 'sqlite%'`

const mayBeNull = /^(text|json|varchar\(\d+\)|character varying|bigint|double precision)$/

t.test(
  'only texts, JSON, big integers and fractions may be null, and no keys (contract DATA-6)',
  async (t) => {
    const { sql } = await startService(t)
    const rows = await sql(columns)
    t.ok(rows.length > 50)
    for (const { table, name, type, is_key, nullable } of rows) {
      if (!nullable) continue
      t.match(type, mayBeNull, `${table}.${name} ${type}`)
      t.notOk(is_key, `${table}.${name} is a key`)
    }
  }
)
