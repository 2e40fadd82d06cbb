import { type RawBuilder, sql } from 'kysely'
import { isShared, ownerAlone } from '../../schemas/area/access.ts'
import { isGiven, param } from '../statement.ts'
import type { Guarded } from './access.ts'

/**
 * Whether another row of the user, or of anybody where others read them, has the values of these columns: those that are
 * given, or of the row that is written. Two nulls are not the same.
 */
export const isTaken = (
  { table, access = ownerAlone }: Guarded,
  names: readonly string[],
  ofRow: (name: string) => RawBuilder<unknown>
) => {
  const same = names.map(
    (name) =>
      sql`other.${sql.ref(name)} = case when ${isGiven(name)} then ${param(name)} else ${ofRow(name)} end`
  )
  const isAmong = isShared(access) ? sql`true` : sql`other.user_id = ${param('user_id')}`
  return sql<boolean>`exists (select 1 from ${sql.table(table)} as other
    where ${isAmong} and other.id is distinct from ${ofRow('id')} and ${sql.join(same, sql` and `)})`
}
