import { sql } from 'kysely'
import { accessInWords } from '../../schemas/area/access.ts'
import { tableOf, usersTable } from '../../schemas/area/declared.ts'
import { refuse } from '../../schemas/area/names.ts'
import { isSearched } from '../../schemas/area/values.ts'
import { foldedColumn } from '../folded.ts'
import { createTable, uncountUsage } from './columns.ts'
import { dropIndexes, indexNames, indexSteps } from './indexes.ts'
import { renameArea } from './rename.ts'
import { type Area, type Db, type KeptFields, rowsThat, type Step, withPatterns } from './step.ts'
import { mergedFields, stepsOf } from './steps.ts'
import { dropTriggers, dropUsers, fieldsOfUsers } from './users.ts'

type AccessWords = Pick<Area, 'read' | 'write'>

/** What areas had at the last start, and who might read and write their rows. */
async function known(db: Db) {
  const rows = await db.selectFrom('area_declarations').selectAll().execute()
  return {
    kept: new Map<string, KeptFields>(rows.map(({ name, fields }) => [name, JSON.parse(fields)])),
    rules: new Map<string, AccessWords>(
      rows.flatMap(({ name, access }) => (access ? [[name, JSON.parse(access)]] : []))
    )
  }
}

/** The areas that the database has. */
export const keptAreas = async (db: Db) => [...(await known(db)).kept.keys()]

/** What an area says of who may do what with its rows, and said no longer or not yet, in sentences. */
function accessSteps(area: Area, fields: KeptFields, access: AccessWords | undefined): Step[] {
  if (!access) return []
  const now = accessInWords(area)
  // As they are called now: who may do something with a row by a field may do it by its new name.
  const renamed = new Map(Object.entries(area.fields).map(([name, { was = name }]) => [was, name]))
  const nameOf = (name: string) =>
    Object.hasOwn(area.fields, name) ? name : (renamed.get(name) ?? name)
  const before = accessInWords({
    name: area.name,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [nameOf(name), field])
    ),
    read: access.read?.map(nameOf),
    write: access.write?.map(nameOf)
  })
  return [
    ...before.filter((one) => !now.includes(one)).map((one) => ({ says: `no longer: ${one}` })),
    ...now.filter((one) => !before.includes(one)).map((one) => ({ says: `from now on: ${one}` }))
  ]
}

/** Which rows of an area are read and changed by whoever may do so with a row of another one, in sentences. */
function follows(area: Area, other: string): string[] {
  const { name, fields, read = ['owner'], write = ['owner'] } = area
  const by = [...new Set([...read, ...write])].filter(
    (word) => Object.hasOwn(fields, word) && fields[word]?.to === other
  )
  const among = (words: readonly string[], word: string) => words.filter((one) => one === word)
  return by.flatMap((word) =>
    accessInWords({ name, fields, read: among(read, word), write: among(write, word) })
  )
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
  const { kept, rules } = await known(db)
  for (const area of areas) {
    const was = nameBefore(area, kept)
    if (was !== undefined) await renameArea(db, was, area.name, kept)
  }
  const indexes = await indexNames(db)
  for (const area of areas.map(withPatterns)) {
    const { name, read, write } = area
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
    const access = JSON.stringify({ read, write })
    const isKept = JSON.stringify(rules.get(name)) === access
    if (before && isKept && JSON.stringify(before) === text) continue
    await db
      .insertInto('area_declarations')
      .values({ name, fields: text, access })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ fields: text, access }))
      .execute()
  }
}

/** How many rows of an area have something in a field, or are there at all. @throws Error if there is no such area or field */
export async function countDeclared(db: Db, area: string, field?: string): Promise<number> {
  const fields = (await known(db)).kept.get(area)
  if (!fields) throw new Error(`there is no area ${area} in the database`)
  if (field !== undefined && !fields[field]) throw new Error(`${area} has no field ${field}`)
  const isMet = field === undefined ? sql`1 = 1` : sql`${sql.ref(field)} is not null`
  return (await rowsThat(db, area, isMet)).count
}

/** Deletes an area with all its rows, for good. */
export async function dropArea(db: Db, area: string): Promise<void> {
  const table = tableOf(area)
  for (const field of fieldsOfUsers((await known(db)).kept.get(area) ?? {}))
    await dropTriggers(db, table, field)
  await db.schema.dropTable(usersTable(table)).ifExists().execute()
  await db.schema.dropTable(table).execute()
  await uncountUsage(db, table)
  await db.deleteFrom('area_declarations').where('name', '=', area).execute()
}

/** Deletes a field of all rows of an area, for good. The next start makes the indexes that are left. */
export async function dropField(db: Db, area: string, field: string): Promise<void> {
  const table = tableOf(area)
  const { [field]: dropped, ...rest } = (await known(db)).kept.get(area) ?? {}
  if (!dropped) return
  await dropIndexes(db, table)
  if (dropped.type === 'users') await dropUsers(db, table, field)
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
  const { kept, rules } = await known(db)
  const indexes = await indexNames(db)
  const changes: { area: string; says: string; problem: string | undefined }[] = []
  const here = new Set<string>()
  /** The areas of which others may read or change rows than before. */
  const opened = new Set<string>()
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
    const fields = Object.fromEntries(refers)
    const steps = stepsOf({ ...area, name: old }, fields, indexes)
    const ofAccess = accessSteps(area, fields, rules.get(old))
    if (ofAccess.length > 0) opened.add(name)
    for (const step of [...steps, ...ofAccess]) {
      const problem = await problemOf(db, step)
      if (step.says !== '') changes.push({ area: name, says: step.says, problem })
    }
  }
  // The rows that hang on others open and close with them.
  for (const other of opened) {
    for (const area of areas) {
      if (!here.has(nameBefore(area, kept) ?? area.name)) continue
      const says = follows(area, other)
      if (says.length > 0) opened.add(area.name)
      for (const one of says)
        changes.push({ area: area.name, says: `so too, with ${other}: ${one}`, problem: undefined })
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

/** The same. @throws Refusal if rows do not allow what areas declare */
export async function checkDeclared(db: Db, areas: readonly Area[]) {
  const changes = await declaredChanges(db, areas)
  const wrong = changes.find(({ problem }) => problem !== undefined)
  if (wrong) refuse(`${wrong.area}.json: ${wrong.says}: ${wrong.problem}`)
  return changes
}
