import { type RawBuilder, sql } from 'kysely'
import { boundsOf, columnOf, type Field, isNullable, isOptional } from '../../schemas/area/field.ts'
import { addColumns, fillColumn, renameColumn, widenColumn } from './columns.ts'
import { indexSteps } from './indexes.ts'
import {
  type Area,
  type Db,
  type Kept,
  type KeptFields,
  renamedFrom,
  rowsThat,
  type Step
} from './step.ts'

/** The problem that some rows are not as a field wants them. */
const wrongRows =
  (area: string, isWrong: RawBuilder<unknown>, what: string, remedy = '') =>
  async (db: Db) => {
    const { id, count } = await rowsThat(db, area, isWrong)
    if (count === 0) return undefined
    const rows =
      count === 1 ? `the row with id ${id}` : `${count} rows, such as the one with id ${id},`
    return `${rows} ${what}${remedy}`
  }

/** What rows of a field cannot have any more: texts of other lengths, other numbers, other words. */
function narrowed(known: Field, now: Field, column: RawBuilder<unknown>) {
  const [before, after] = [known, now].map((field) => columnOf(field).words)
  if (before && after && before.some((word) => !after.includes(word))) {
    const words = after.map((word) => sql.lit(word))
    return sql`${column} not in (${sql.join(words)})`
  }
  const isText = columnOf(now).type === 'text'
  const [was, is] = [known, now].map((field) =>
    field.type === 'number' ? field : boundsOf(field)
  ) as [Bounds, Bounds]
  const value = isText ? sql`length(${column})` : column
  const wrong = [
    is.min !== undefined && is.min > (was.min ?? -Infinity) && sql`${value} < ${sql.lit(is.min)}`,
    is.max !== undefined && is.max < (was.max ?? Infinity) && sql`${value} > ${sql.lit(is.max)}`
  ].filter((one) => one !== false)
  const isBounded = isText || now.type === 'integer' || now.type === 'number'
  return isBounded && wrong.length > 0 ? sql`(${sql.join(wrong, sql` or `)})` : undefined
}
type Bounds = { min?: number; max?: number }

/** What becomes of one field. `before`: all that the area had. */
function stepsOfField(
  { name: area, fields }: Area,
  [name, now]: [string, Field],
  before: KeptFields
): Step[] {
  const was = renamedFrom({ [name]: now }, before, name)
  const isRenamed = was !== undefined
  // As it is called until the steps are done.
  const column = sql.ref(isRenamed ? was : name)
  const steps: Step[] = []
  if (isRenamed && before[name]) {
    return [{ says: `${was} becomes ${name}`, problem: `${name} exists, and rows have that` }]
  }
  const known = isRenamed ? before[was] : before[name]
  if (!known) {
    const [later] = Object.entries(before).find(([, one]) => one.was === name && !one.hidden) ?? []
    if (later !== undefined && !fields[later]) {
      const problem = `a later declaration calls it ${later}: go on from that, or give ${name} "was": "${later}"`
      return [{ says: `${name} is added`, problem }]
    }
    const isNeeded = !isOptional(now)
    const usual =
      now.default === undefined ? '' : `, which rows get as ${JSON.stringify(now.default)}`
    return [
      {
        says: `${name} is added${usual}`,
        ...(isNeeded && {
          problem: wrongRows(
            area,
            sql`1 = 1`,
            'would lack it',
            ': it must be optional or have a default'
          )
        }),
        run: (db) => addColumns(db, area, [[name, now]])
      }
    ]
  }
  if (isRenamed) {
    steps.push({
      says: `${was} becomes ${name}`,
      run: (db) => renameColumn(db, area, was, name, now)
    })
  }
  const isWider = known.type === 'integer' && now.type === 'number'
  if (known.type !== now.type) {
    steps.push({
      says: `${name} gets the type ${now.type}`,
      ...(isWider
        ? { run: (db) => widenColumn(db, area, name) }
        : {
            problem: `it was of type ${known.type}, and rows have that: give the ${now.type} another name`
          })
    })
    if (!isWider) return steps
  }
  if (known.to !== now.to) {
    const problem = `it referred to ${known.to}, and rows have that: give it another name`
    steps.push({ says: `${name} refers to ${now.to}`, problem })
  }
  if (isNullable(known) && now.default !== undefined) {
    steps.push({
      says: `${name} is ${JSON.stringify(now.default)} where rows lack it`,
      run: (db) => fillColumn(db, area, name, now)
    })
  } else if (isOptional(known) && !isOptional(now)) {
    const problem = wrongRows(area, sql`${column} is null`, 'would lack it')
    steps.push({ says: `${name} must always be there`, problem })
  }
  const isWrong = known.type === now.type || isWider ? narrowed(known, now, column) : undefined
  if (isWrong) {
    const problem = wrongRows(area, isWrong, 'would not fit')
    steps.push({ says: `${name} takes less than before`, problem })
  }
  return steps
}

/** The fields of an area with those that it had before, which keep their columns. */
export function mergedFields({ fields }: Area, before: KeptFields): KeptFields {
  const renamed = new Set(Object.values(fields).map(({ was }) => was))
  const gone = Object.entries(before)
    .filter(([field]) => !Object.hasOwn(fields, field) && !renamed.has(field))
    .map(([field, known]): [string, Kept] => [
      field,
      { ...known, ...(known.type !== 'boolean' && { optional: true }), hidden: true }
    ])
  return { ...fields, ...Object.fromEntries(gone) }
}

/** What becomes of an area that was declared before. */
export function stepsOf(area: Area, before: KeptFields, indexes: readonly string[]): Step[] {
  const hidden = Object.entries(mergedFields(area, before)).filter(
    ([field, { hidden }]) => hidden && !before[field]?.hidden
  )
  return [
    ...Object.entries(area.fields).flatMap((field) => stepsOfField(area, field, before)),
    ...hidden.map(([field]) => ({ says: `${field} is hidden, and its rows keep it` })),
    ...indexSteps(area, indexes, before)
  ]
}
