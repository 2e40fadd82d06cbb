import { uniqueName } from '../../../db/declared.ts'
import { foldedColumn } from '../../../db/folded.ts'
import { columnOf, defaultOf, type Field } from '../../../schemas/area/field.ts'
import type { Names } from '../../../schemas/area/names.ts'
import { uniqueOf } from '../../../schemas/area/unique.ts'
import { isSearched } from '../../../schemas/area/values.ts'
import type { Described } from './schema.ts'

const kysely = (needsSql: boolean) =>
  `import ${needsSql ? '{ type Kysely, sql }' : 'type { Kysely }'} from 'kysely'`
const hasWords = (field: Field) => columnOf(field).words !== null

/** The arguments of `addColumn`. */
function columnText(name: string, field: Field) {
  const { type, isNullable, words } = columnOf(field)
  const usual = defaultOf(field)
  const rules = [
    ...(isNullable ? [] : ['notNull()']),
    ...(usual == null ? [] : [`defaultTo(${JSON.stringify(usual)})`]),
    ...(words ? [`check(sql\`${name} in (${words.map((word) => `'${word}'`).join(', ')})\`)`] : [])
  ]
  const chain = rules.length > 0 ? `, (c) => c.${rules.join('.')}` : ''
  const column = `.addColumn('${name}', '${type}'${chain})`
  return isSearched(field)
    ? `${column}
    .addColumn('${foldedColumn(name)}', '${type}')`
    : column
}

/** `db/migrations/YYYY-MM-DD-NN-bookmarks.ts` */
export const tableMigration = (
  { one, many }: Names,
  { fields, unique = [], table = many }: Described
) => `${kysely(table !== many || Object.values(fields).some(hasWords))}
import { columnTypes } from './column-types.ts'
import { countUsage } from './usage.ts'

export async function up(db: Kysely<unknown>) {${table === many ? '' : adoption(one, table)}
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('${table}')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    ${Object.entries(fields)
      .map(([name, field]) => columnText(name, field))
      .join('\n    ')}
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('${table}_user_id_id')
    .on('${table}')
    .columns(['user_id', 'id'])
    .execute()${uniqueOf({ fields, unique })
      .map((names) => uniqueIndex(table, names))
      .join('')}
  await countUsage(db, '${table}', { table: '${table}' })
}
`

const uniqueIndex = (table: string, names: readonly string[]) => `
  await db.schema
    .createIndex('${uniqueName(table, names)}')
    .unique()
    .on('${table}')
    .columns(['user_id', ${names.map((name) => `'${name}'`).join(', ')}])
    .execute()`

/** What an area that was declared does where it has its table already. */
const adoption = (one: string, table: string) => `
  await sql\`delete from area_declarations where name = '${one}'\`.execute(db)
  const tables = await db.introspection.getTables()
  // It was declared until now: its rows stay where they are.
  if (tables.some(({ name }) => name === '${table}')) return
`

/** A migration that adds a column to a table. */
export const columnMigration = (
  { many }: Names,
  name: string,
  field: Field
) => `${kysely(hasWords(field))}

export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable('${many}')${columnText(name, field)}.execute()
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
