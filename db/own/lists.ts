import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Compared, Condition, Order, Wanted } from '../../schemas/area/lists.ts'
import type { Value } from '../connection.ts'
import { contains } from '../folded.ts'
import { isListed, isPostgres, limit } from '../query.ts'
import { isGiven, param, type Reader, type Statements } from '../statement.ts'
import type { Tables } from '../types.ts'
import { type Guarded, readable } from './access.ts'

/** So many shapes of a list have statements of their own at a time. */
const maxShapes = 100

/** Who asks for rows, and for which of them. */
export type AskedList = Pick<Wanted, 'conditions' | 'order' | 'after'> & {
  user_id: number
  limit: number
  /** Of a list that is not sorted: the id before which it goes on. */
  before: number
  /** A folded text. */
  q: string | undefined
}
type Values = Record<string, Value | undefined>

interface Own<Row> extends Guarded {
  texts: readonly string[]
  whole(db: Reader): SelectQueryBuilder<Tables, never, Row>
}

/** Lists of the rows that a user may read, sorted and filtered as they are asked for: a statement for each shape. */
export function ownLists<Row>({ all, count }: Statements<Reader>, own: Own<Row>) {
  const { texts, table } = own

  /** As both databases compare it: texts by code points. */
  const comparable = (db: Reader, { column, type }: Compared) =>
    type === 'text' && isPostgres(db) ? sql`${sql.ref(column)} collate "C"` : sql.ref(column)

  function isMet(db: Reader, one: Condition, name: string): RawBuilder<boolean> {
    const value = param(name)
    const column = comparable(db, one)
    switch (one.operator) {
      case '=':
        return sql`${column} = ${value}`
      case 'from':
        return sql`${column} >= ${value}`
      case 'to':
        return sql`${column} < ${value}`
      case 'owner':
        return sql`own.user_id = (select users.id from users where users.login_key = ${value})`
      case 'in':
        return isListed(db, one.column, value, one.type)
      default:
        return sql`(${sql.ref(one.column)} is null) = ${value}`
    }
  }

  /** Whether a row comes after the last one of a page: by the first column in which they differ, at last by its id. */
  function isAfter(db: Reader, order: readonly Order[]): RawBuilder<boolean> {
    const last: RawBuilder<boolean> = sql`id > ${param('last')}`
    const after = order.reduceRight((rest, one, index) => {
      const name = `last_${index}`
      const column = comparable(db, one)
      const isFurther = sql`${column} ${sql.raw(one.isDescending ? '<' : '>')} ${param(name)}`
      if (!one.isNullable) return sql`(${isFurther} or (${column} = ${param(name)} and ${rest}))`
      // Rows without a value come last.
      const isLess = sql`(${column} is null and ${isGiven(name)})`
      const isSame = sql`${column} is not distinct from ${param(name)}`
      return sql`(${isFurther} or ${isLess} or (${isSame} and ${rest}))`
    }, last)
    const [first] = order
    if (!first || first.isNullable) return after
    // Follows from the rest, but leads an index there.
    const isThere = sql`${comparable(db, first)} ${sql.raw(first.isDescending ? '<=' : '>=')} ${param('last_0')}`
    return sql`(${isThere} and ${after})`
  }

  function conditionsOf(db: Reader, { conditions, q, after, order }: AskedList) {
    const of = conditions.map((one, index) => isMet(db, one, `value_${index}`))
    if (q !== undefined) {
      const found = texts.map((name) => contains(db, name, param('q')))
      of.push(sql`(${sql.join(found, sql` or `)})`)
    }
    if (after) of.push(isAfter(db, order))
    return sql<boolean>`${sql.join([readable(own, 'own'), ...of], sql` and `)}`
  }

  const list = (asked: AskedList, isNamed: boolean) =>
    all<Values, Row>(
      (db) => {
        const { order } = asked
        const query = own.whole(db).where(conditionsOf(db, asked))
        const sorted = order.reduce(
          (query, one) =>
            query.orderBy(comparable(db, one), (by) => {
              // As its indexes have them (db/declared/indexes.ts).
              if (one.isDescending) return by.desc().nullsLast()
              return one.isNullable ? by.asc().nullsLast() : by.asc()
            }),
          query
        )
        const page =
          order.length > 0
            ? sorted.orderBy(sql`id`)
            : query.where(sql<boolean>`id < ${param('before')}`).orderBy(sql`id`, 'desc')
        return page.limit(limit(param('limit')))
      },
      [],
      { isNamed }
    )

  const total = (asked: AskedList) =>
    count<Values>(
      (db) => {
        const rows = db.selectFrom(sql`${sql.table(table)}`.as('own'))
        return rows
          .select(sql<number>`cast(count(*) as bigint)`.as('count'))
          .where(conditionsOf(db, asked))
      },
      { isNamed: false }
    )

  /** Keeps the statements of the shapes that were used last. */
  function remembering<Made extends object>(make: (asked: AskedList, isNamed: boolean) => Made) {
    const made = new LRUCache<string, Made>({ max: maxShapes })
    return (asked: AskedList) => {
      const { conditions, order, after, q } = asked
      const columns = conditions.map(({ column, operator }) => `${column} ${operator}`)
      const directions = order.map(({ column, isDescending }) => `${column} ${isDescending}`)
      const shape = [columns, directions, after !== null, q !== undefined].join('/')
      // PostgreSQL keeps what has a name as long as the connection lives: not each shape that a caller can think of.
      const isNamed = conditions.length === 0 && order.length === 1 && q === undefined
      const known = made.get(shape)
      if (known) return known
      const statement = make(asked, isNamed)
      made.set(shape, statement)
      return statement
    }
  }
  const listOf = remembering(list)
  const totalOf = remembering(total)

  function valuesOf({ conditions, after, ...asked }: AskedList): Values {
    const { user_id, before, q } = asked
    const given = conditions.map(({ value }, index) => [`value_${index}`, value])
    const last = (after ?? []).map((value, index, { length }) => [
      index === length - 1 ? 'last' : `last_${index}`,
      value ?? undefined
    ])
    return { user_id, before, q, limit: asked.limit, ...Object.fromEntries([...given, ...last]) }
  }

  return {
    /** The rows that are asked for. */
    ask: (asked: AskedList): Promise<Row[]> => listOf(asked)(valuesOf(asked)),
    /** How many there are on all pages. */
    total: (asked: AskedList): Promise<number> =>
      totalOf({ ...asked, after: null })(valuesOf(asked))
  }
}
