import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Declaration } from '../../schemas/area/declaration.ts'
import { tableOf } from '../../schemas/area/declared.ts'
import type { Field, Fields } from '../../schemas/area/field.ts'
import { patternFields } from '../../schemas/area/patterns.ts'
import type { Tables } from '../types.ts'

export type Area = Pick<
  Declaration,
  'name' | 'was' | 'fields' | 'unique' | 'versions' | 'states' | 'read' | 'write'
>

/** With what its patterns keep in columns. */
export const withPatterns = (area: Area): Area => ({
  ...area,
  fields: { ...area.fields, ...patternFields(area) }
})
export type Db = Kysely<Tables>

/** A field that an area had, as it is kept. */
export type Kept = Field & {
  /** Whether it was declared no longer at the last start. */
  hidden?: boolean
}
export type KeptFields = Readonly<Record<string, Kept>>

/** One thing that a start does to the rows of an area, or cannot do. */
export interface Step {
  /** In a sentence without its area; empty if another step says it. */
  says: string
  /** Why rows do not allow it; undefined if they do. */
  problem?: string | ((db: Db) => Promise<string | undefined>)
  run?: (db: Db) => Promise<unknown>
}

/** How many rows of an area meet a condition, and one of them. */
export async function rowsThat(db: Db, area: string, isMet: RawBuilder<unknown>) {
  const { rows } = await sql<{ id: number | null; count: number }>`
    select max(id) as id, count(*) as count from ${sql.table(tableOf(area))} where ${isMet}`.execute(
    db
  )
  const [found = { id: null, count: 0 }] = rows
  return { id: found.id, count: Number(found.count) }
}

/** The name that a field still has in the table, if it gets another one. */
export function renamedFrom(fields: Fields, before: KeptFields, name: string) {
  const was = fields[name]?.was
  return was !== undefined && before[was] ? was : undefined
}
