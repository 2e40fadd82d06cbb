import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import t from 'tap'
import { ownReads } from '../../db/own/reads.ts'
import type { Reader, Statements } from '../../db/statement.ts'
import { pageBytes, paginate, ref } from '../../schemas/common.ts'
import { NewTodo, Todo } from '../../schemas/todo.ts'

const made = async () => []
const unused = () => {
  throw new Error('not used')
}

/** The columns that a list of todos measures, if users send these fields. */
function measured(created?: TObject) {
  const seen: (readonly string[] | undefined)[] = []
  const statements: Statements<Reader> = {
    all: (_build, long) => {
      seen.push(long)
      return made
    },
    first: () => async () => undefined,
    ...{ remembered: unused, one: unused, count: unused, done: unused }
  }
  const row = Type.Object({ ...Todo.properties, ...created?.properties })
  ownReads(statements, {
    ...{ kind: 'todo', table: 'todos', row, texts: ['title'], time: 'updated_at' },
    ...(created && { created })
  })
  return seen[0]
}

t.test(
  'a list measures the texts that can be longer than a line (contract SERVICE-5)',
  async (t) => {
    t.same(measured(NewTodo), [], 'a title is a line')
    const { properties } = NewTodo
    const long = Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]))
    t.same(measured(Type.Object({ ...properties, note: long })), ['note'])
    t.same(measured(Type.Object({ ...properties, note: Type.String() })), ['note'], 'no limit')
    const url = Type.String({ format: 'uri', maxLength: 2000 })
    t.same(measured(Type.Object({ ...properties, url })), ['url'], 'a form is no limit')
    const due = Type.String({ format: 'date' })
    t.same(measured(Type.Object({ ...properties, due })), [], 'that of a date is')
    const Note = Type.String({ $id: 'Note', maxLength: 10_000 })
    t.same(measured(Type.Object({ ...properties, note: ref(Note) })), ['note'], 'a component')
    t.same(measured(), ['title'], 'no limit is known')
  }
)

t.test(
  'a page of short rows is not cut, one of long rows ends at its bytes (contract SERVICE-5)',
  async (t) => {
    const rows = (text: string) => Array.from({ length: 501 }, (_, id) => ({ id: 501 - id, text }))
    t.equal(paginate(rows('x'.repeat(255)), { limit: 500 }).items.length, 500)
    const { items, next_cursor } = paginate(rows('ä'.repeat(10_000)), { limit: 500 })
    t.ok(Buffer.byteLength(JSON.stringify(items)) <= pageBytes)
    t.ok(items.length > 40)
    t.equal(next_cursor, items.at(-1)?.id)
  }
)

t.test('a search looks at fewer rows the longer their texts can be', async (t) => {
  async function looked(lengths: readonly number[]) {
    let maxRows: unknown
    const statements: Statements<Reader> = {
      all: () => made,
      first: () => async (args: object) => {
        maxRows = Object(args).maxRows
        return undefined
      },
      ...{ remembered: unused, one: unused, count: unused, done: unused }
    }
    const texts = lengths.map((maxLength, index): [string, TSchema] => [
      `text${index}`,
      Type.String({ maxLength })
    ])
    const row = Type.Object({ ...Todo.properties, ...Object.fromEntries(texts) })
    const own = { kind: 'todo', table: 'todos', row, texts: texts.map(([name]) => name) }
    await ownReads(statements, { ...own, time: 'updated_at' }).search({
      ...{ user_id: 1, before: 1, limit: 1, q: 'milk' }
    })
    return maxRows
  }
  t.equal(await looked([255]), 10_000)
  t.equal(await looked([10_000]), 1000)
  t.equal(await looked(Array(50).fill(10_000)), 20)
})
