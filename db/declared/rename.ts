import { type Kysely, sql } from 'kysely'
import { tableOf } from '../../schemas/area/declared.ts'
import { countUsage } from '../migrations/usage.ts'
import { isPostgres } from '../query.ts'
import { uncountUsage } from './columns.ts'
import { dropIndexes } from './indexes.ts'
import type { Db, KeptFields } from './step.ts'
import { createTriggers, dropTriggers, fieldsOfUsers, renameUsersTable } from './users.ts'

/** Where the name of a kind stands in a text: what it is in, and what stands before and after it. */
const mentions = [
  ...['access_tokens', 'oauth_grants', 'earlier_tokens'].map((table) => ({
    ...{ table, column: 'scopes', before: ' ', after: ':' }
  })),
  { table: 'subscriptions', column: 'kinds', before: ' ', after: ' ' },
  { table: 'plans', column: 'kinds', before: ',', after: ',' }
]

/** Gives an area another name: its table, what is kept about its rows, and who may read them, stay what they were. */
export async function renameArea(
  db: Db,
  from: string,
  to: string,
  kept: Map<string, KeptFields>
): Promise<void> {
  const [table, renamed] = [tableOf(from), tableOf(to)]
  await dropIndexes(db, table)
  for (const end of ['counted', 'uncounted']) {
    const on = isPostgres(db) ? sql` on ${sql.table(table)}` : sql``
    await sql`drop trigger ${sql.ref(`${table}_${end}`)}${on}`.execute(db)
  }
  await uncountUsage(db, table)
  await db.schema.dropIndex(`${table}_user_id_id`).execute()
  const users = fieldsOfUsers(kept.get(from) ?? {})
  for (const field of users) await dropTriggers(db, table, field)
  await db.schema.alterTable(table).renameTo(renamed).execute()
  await db.schema
    .createIndex(`${renamed}_user_id_id`)
    .on(renamed)
    .columns(['user_id', 'id'])
    .execute()
  if (users.length > 0) await renameUsersTable(db, table, renamed)
  for (const field of users) await createTriggers(db, renamed, field)
  await countUsage(db as Kysely<unknown>, renamed, { table: renamed })
  const rows = sql`select count(*) from ${sql.table(renamed)} as own where own.user_id = user_usage.user_id`
  await sql`update user_usage set ${sql.ref(renamed)} = (${rows})`.execute(db)

  await sql`update changes set kind = ${to} where kind = ${from}`.execute(db)
  for (const { table, column, before, after } of mentions) {
    const [old, now] = [from, to].map((name) => before + name + after)
    const text = sql`' ' || ${sql.ref(column)} || ' '`
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = trim(replace(${text}, ${old}, ${now}))
      where ${text} like ${`%${old}%`}`.execute(db)
  }
  await sql`update area_declarations set name = ${to} where name = ${from}`.execute(db)
  kept.set(to, kept.get(from) ?? {})
  kept.delete(from)
  for (const [name, fields] of kept) {
    if (!Object.values(fields).some((field) => field.to === from)) continue
    const refers = Object.entries(fields).map(([field, one]) => [
      field,
      one.to === from ? { ...one, to } : one
    ])
    const now: KeptFields = Object.fromEntries(refers)
    kept.set(name, now)
    await db
      .updateTable('area_declarations')
      .set({ fields: JSON.stringify(now) })
      .where('name', '=', name)
      .execute()
  }
}
