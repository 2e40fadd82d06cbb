import type { Field } from '../field.ts'
import type { Names } from '../names.ts'

const needsSql = (fields: Field[]) => fields.some(({ column }) => column.includes('sql`'))
const kysely = (fields: Field[]) =>
  `import ${needsSql(fields) ? '{ type Kysely, sql }' : 'type { Kysely }'} from 'kysely'`

/** `db/migrations/YYYY-MM-DD-NN-bookmarks.ts` */
export const tableMigration = ({ many }: Names, fields: Field[]) => `${kysely(fields)}
import { columnTypes } from './column-types.ts'
import { countUsage } from './usage.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('${many}')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    ${fields.map(({ column }) => `.addColumn(${column})`).join('\n    ')}
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('${many}_user_id_id')
    .on('${many}')
    .columns(['user_id', 'id'])
    .execute()
  await countUsage(db, '${many}', { table: '${many}' })
}
`

/** A migration that adds a column to a table. */
export const columnMigration = ({ many }: Names, field: Field) => `${kysely([field])}

export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable('${many}').addColumn(${field.column}).execute()
}
`

/** A migration that drops the tables of an area, and the column that counts their rows. */
export const dropMigration = (
  tables: string[],
  counted: string[]
) => `import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  ${tables.map((table) => `await db.schema.dropTable('${table}').execute()`).join('\n  ')}
  ${counted.map((column) => `await db.schema.alterTable('user_usage').dropColumn('${column}').execute()`).join('\n  ')}
}
`

/** `db/repositories/bookmarks.ts` */
export function repository({ one, many, One, Many }: Names, fields: Field[]) {
  const texts = fields.filter(({ characters }) => characters > 0)
  const filters = fields.filter(({ isFilter }) => isFilter)
  const namesOf = (fields: { name: string }[]) =>
    `[${fields.map(({ name }) => `'${name}'`).join(', ')}]`
  return `import { ${One}, ${One}Change, New${One} } from '../../schemas/${one}.ts'
import { ownRepository } from '../own/index.ts'
import type { OwnRow } from '../own/reads.ts'

declare module '../types.ts' {
  interface UserUsage {
    ${many}: number
  }
  interface Tables {
    ${many}: OwnRow<${One}>
  }
}

/** ${Many} of one user. */
export const ${many} = ownRepository({
  kind: '${one}',
  table: '${many}',
  row: ${One},
  created: New${One},
  changed: ${One}Change,
  texts: ${namesOf(texts)},
  filters: ${namesOf([{ name: 'id' }, ...filters])},
  time: 'updated_at'
})
`
}
