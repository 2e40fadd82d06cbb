import { sql } from 'kysely'
import { tableOf } from '../../schemas/area/declared.ts'
import { refuse } from '../../schemas/area/names.ts'
import { isSearched } from '../../schemas/area/values.ts'
import { foldedColumn } from '../folded.ts'
import { createTable, uncountUsage } from './columns.ts'
import { dropIndexes, indexNames, indexSteps } from './indexes.ts'
import { renameArea } from './rename.ts'
import { type Area, type Db, type KeptFields, rowsThat, type Step, withPatterns } from './step.ts'
import { mergedFields, stepsOf } from './steps.ts'

/** What areas had at the last start. */
async function known(db: Db): Promise<Map<string, KeptFields>> {
  const rows = await db.selectFrom('area_declarations').selectAll().execute()
  return new Map(rows.map(({ name, fields }) => [name, JSON.parse(fields)]))
}

/** The name that an area still has in the database, if it gets another one. */
const nameBefore = ({ name, was }: Area, kept: ReadonlyMap<string, KeptFields>) =>
  was !== undefined && kept.has(was) && !kept.has(name) ? was : undefined

const problemOf = (db: Db, { problem }: Step) =>
  typeof problem === 'function' ? problem(db) : problem

/**
 * Makes the tables of declared areas, and what they lack. Nothing is ever taken away: an area or a field that is declared no
 * longer keeps its data. Call it under the lock of the migrations, in a transaction.
 * @throws Refusal that names file and field
 */
export async function keepDeclared(db: Db, areas: readonly Area[]): Promise<void> {
  if (areas.length === 0) return
  const kept = await known(db)
  for (const area of areas) {
    const was = nameBefore(area, kept)
    if (was !== undefined) await renameArea(db, was, area.name, kept)
  }
  const indexes = await indexNames(db)
  for (const area of areas.map(withPatterns)) {
    const { name } = area
    const before = kept.get(name)
    const fields = before ? mergedFields(area, before) : area.fields
    if (!before) await createTable(db, name, Object.entries(fields))
    const steps = before ? stepsOf(area, before, indexes) : indexSteps(area, indexes, fields)
    // All are judged first: by the columns that there are.
    for (const step of steps) {
      const problem = await problemOf(db, step)
      if (problem !== undefined) refuse(`${name}.json: ${step.says}: ${problem}`)
    }
    for (const step of steps) await step.run?.(db)
    const text = JSON.stringify(fields)
    if (before && JSON.stringify(before) === text) continue
    await db
      .insertInto('area_declarations')
      .values({ name, fields: text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ fields: text }))
      .execute()
  }
}

/** How many rows of an area have something in a field, or are there at all. @throws Error if there is no such area or field */
export async function countDeclared(db: Db, area: string, field?: string): Promise<number> {
  const fields = (await known(db)).get(area)
  if (!fields) throw new Error(`there is no area ${area} in the database`)
  if (field !== undefined && !fields[field]) throw new Error(`${area} has no field ${field}`)
  const isMet = field === undefined ? sql`1 = 1` : sql`${sql.ref(field)} is not null`
  return (await rowsThat(db, area, isMet)).count
}

/** Deletes an area with all its rows, for good. */
export async function dropArea(db: Db, area: string): Promise<void> {
  const table = tableOf(area)
  await db.schema.dropTable(table).execute()
  await uncountUsage(db, table)
  await db.deleteFrom('area_declarations').where('name', '=', area).execute()
}

/** Deletes a field of all rows of an area, for good. The next start makes the indexes that are left. */
export async function dropField(db: Db, area: string, field: string): Promise<void> {
  const table = tableOf(area)
  const { [field]: dropped, ...rest } = (await known(db)).get(area) ?? {}
  if (!dropped) return
  await dropIndexes(db, table)
  for (const column of [field, ...(isSearched(dropped) ? [foldedColumn(field)] : [])])
    await db.schema.alterTable(table).dropColumn(column).execute()
  await db
    .updateTable('area_declarations')
    .set({ fields: JSON.stringify(rest) })
    .where('name', '=', area)
    .execute()
}

/** What the next start does to declared areas, in sentences, and why it cannot, if it cannot. */
export async function declaredChanges(db: Db, areas: readonly Area[]) {
  const kept = await known(db)
  const indexes = await indexNames(db)
  const changes: { area: string; says: string; problem: string | undefined }[] = []
  const here = new Set<string>()
  /** What a field refers to once areas have their new names. */
  const now = ({ to }: { to?: string }) => {
    const renamed = areas.find((area) => to !== undefined && nameBefore(area, kept) === to)
    return renamed && { to: renamed.name }
  }
  for (const area of areas.map(withPatterns)) {
    const { name } = area
    const was = nameBefore(area, kept)
    // Until it has its new name, its rows are found by the old one.
    const old = was ?? name
    const before = kept.get(old)
    if (was !== undefined)
      changes.push({ area: name, says: `${was} becomes ${name}`, problem: undefined })
    if (!before) {
      const count = Object.keys(area.fields).length
      changes.push({ area: name, says: `is new, with ${count} fields`, problem: undefined })
      continue
    }
    here.add(old)
    const refers = Object.entries(before).map(([field, one]) => [field, { ...one, ...now(one) }])
    for (const step of stepsOf({ ...area, name: old }, Object.fromEntries(refers), indexes)) {
      const problem = await problemOf(db, step)
      changes.push({ area: name, says: step.says, problem })
    }
  }
  for (const name of kept.keys()) {
    if (here.has(name)) continue
    const { count } = await rowsThat(db, name, sql`1 = 1`)
    const says = `is declared no longer: it is hidden, and its ${count} rows stay`
    changes.push({ area: name, says, problem: undefined })
  }
  return changes
}

/** @throws Refusal if rows do not allow what areas declare */
export async function checkDeclared(db: Db, areas: readonly Area[]): Promise<void> {
  const wrong = (await declaredChanges(db, areas)).find(({ problem }) => problem !== undefined)
  if (wrong) refuse(`${wrong.area}.json: ${wrong.says}: ${wrong.problem}`)
}
