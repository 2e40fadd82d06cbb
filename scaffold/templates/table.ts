import { type Field, isNullable } from '../field.ts'
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

/** The type of a field's column. */
export const columnType = (field: Field) =>
  `${field.name}: ${field.ts}${isNullable(field) ? ' | null' : ''}`

/** `db/repositories/bookmarks.ts` */
export function repository({ one, many, One, Many }: Names, fields: Field[]) {
  const texts = fields.filter(({ characters }) => characters > 0)
  const filters = fields.filter(({ isFilter }) => isFilter)
  const long = texts.filter(({ characters }) => characters > 255).map(({ name }) => `'${name}'`)
  const found = texts.map(({ name }) => `\${contains(db, '${name}', p('q'))}`).join(' or ')
  const conditions = [
    ...filters.map(({ name }) => `ifGiven('${name}', sql\`${name} = \${p('${name}')}\`)`),
    ...(texts.length > 0 ? [`ifGiven('q', sql\`(${found})\`)`] : []),
    `ifGiven('updated_since', sql\`updated_at >= \${p('updated_since')}\`)`
  ]
  return `import { Type } from '@sinclair/typebox'
import { type Generated, sql } from 'kysely'
import { ${One}, ${One}Change, New${One} } from '../../schemas/${one}.ts'
import { isOwn, limit, newestOf, type OwnKey, type Page } from '../query.ts'
import { recordedRepository } from '../recorded.ts'
import { ${texts.length > 0 ? 'contains, ' : ''}ifGiven } from '../search.ts'
import { columnsOf, type Fields, type Param } from '../statement.ts'
import { undoRows } from '../undoable.ts'
import { insertIfRoom } from '../user-usage.ts'

declare module '../user-usage.ts' {
  interface UserUsage {
    ${many}: number
  }
}

declare module '../types.ts' {
  interface Tables {
    ${many}: {
      id: Generated<number>
      user_id: number
      ${fields.map(columnType).join('\n      ')}
      created_at: string
      updated_at: string
    }
  }
}

const columns = columnsOf(${One})

/** The fields that a user writes. */
const content = Type.Omit(${One}, ['id', 'created_at', 'updated_at'])

/** An undefined filter matches all. */
type Filters = {
  ${filters.map(({ name, ts }) => `${name}: ${ts} | undefined\n  `).join('')}${texts.length > 0 ? 'q: string | undefined\n  ' : ''}updated_since: string | undefined
}

/** ${Many} of one user. Rows of other users are not found. */
export const ${many} = recordedRepository({
  reads: ({ all, first }) => ({
    /** Newest first, from the id before \`before\`. */
    list: all((db, p: Param<Page & Filters & { user_id: number }>) =>
      newestOf(db.selectFrom('${many}').select(columns), p)
        ${conditions.map((condition) => `.where(${condition})`).join('\n        ')}
        .limit(limit(p('limit')))${long.length > 0 ? `,\n      [${long.join(', ')}]` : ''}
    ),

    find: first((db, p: Param<OwnKey>) =>
      db.selectFrom('${many}').select(columns).where(isOwn(p))
    )
  }),

  writes(_statements, record) {
    const ${many} = { kind: '${one}', table: '${many}', columns } as const
    const { create, update, remove } = record(${many})
    return {
      /** Undefined if the user has \`max\` ${many} already. */
      insert: create(
        (db, p: Param<Fields<New${One}> & { user_id: number; now: string; max: number }>) => {
          const row = { ...p.fields(New${One}), created_at: p('now'), updated_at: p('now') }
          return insertIfRoom(db, p, '${many}', row, { of: '${many}' }).returning(columns)
        }
      ),

      /** An absent field becomes null, or false. Undefined if there is no such ${one}. */
      replace: update((db, p: Param<Fields<New${One}> & OwnKey & { now: string }>) =>
        db
          .updateTable('${many}')
          .set({ ...p.fields(New${One}), updated_at: p('now') })
          .where(isOwn(p))
          .returning(columns)
      ),

      /** An absent field stays as it is. Undefined if there is no such ${one}. */
      update: update((db, p: Param<Fields<${One}Change> & OwnKey & { now: string }>) =>
        db
          .updateTable('${many}')
          .set({ ...p.changes(${One}Change), updated_at: p('now') })
          .where(isOwn(p))
          .returning(columns)
      ),

      /** Undefined if there is no such ${one}. */
      remove: remove((db, p: Param<OwnKey>) =>
        db.deleteFrom('${many}').where(isOwn(p)).returning(columns)
      ),

      undo: undoRows(record, { ...${many}, content })
    }
  }
})
`
}
