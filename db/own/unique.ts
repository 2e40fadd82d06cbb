import { type RawBuilder, sql } from 'kysely'
import { isGiven, param } from '../statement.ts'

/**
 * Whether another row of the user has the values of these columns: those that are given, or of the row that is written.
 * Two nulls are not the same.
 */
export const isTaken = (
  table: string,
  names: readonly string[],
  ofRow: (name: string) => RawBuilder<unknown>
) => {
  const same = names.map(
    (name) =>
      sql`other.${sql.ref(name)} = case when ${isGiven(name)} then ${param(name)} else ${ofRow(name)} end`
  )
  return sql<boolean>`exists (select 1 from ${sql.table(table)} as other
    where other.user_id = ${param('user_id')} and other.id is distinct from ${ofRow('id')} and ${sql.join(same, sql` and `)})`
}
