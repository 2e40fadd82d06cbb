import { Type } from '@sinclair/typebox'
import SQLite from 'better-sqlite3'
import { type CompiledQuery, type Generated, Kysely, SqliteDialect } from 'kysely'
import t from 'tap'
import type { Runner } from '../../db/connection.ts'
import { columnsOf, type Fields, type Param, statements } from '../../db/statement.ts'
import type { Tables } from '../../db/types.ts'

declare module '../../db/types.ts' {
  interface Tables {
    notes_of_test: { id: Generated<number>; text: string; due_on: string | null }
  }
}

const NewNote = Type.Object({
  text: Type.String(),
  due_on: Type.Optional(Type.Union([Type.String(), Type.Null()]))
})
const NoteChange = Type.Partial(NewNote)
type NewNote = { text: string; due_on?: string | null }
type NoteChange = Partial<NewNote>

/** Statements on a table of their own, in memory. */
function openNotes() {
  const database = new SQLite(':memory:')
  database.exec(
    'CREATE TABLE notes_of_test (id INTEGER PRIMARY KEY, text TEXT NOT NULL, due_on TEXT)'
  )
  const prepare = ({ sql }: CompiledQuery): Runner => {
    const statement = database.prepare(sql)
    return (values) => {
      const rows = statement.all(values.map((v) => (typeof v === 'boolean' ? Number(v) : v)))
      return { rows, changes: rows.length }
    }
  }
  const { one, first } = statements({
    builder: new Kysely<Tables>({ dialect: new SqliteDialect({ database }) }),
    records: false,
    isEager: true,
    unit: () => Promise.reject(new Error('no statement here is a unit')),
    prepare,
    prepareList: prepare,
    remember: (_key, compile) => prepare(compile())
  })
  return {
    insert: one((db, p: Param<Fields<NewNote>>) =>
      db.insertInto('notes_of_test').values(p.fields(NewNote)).returning(columnsOf(NewNote))
    ),
    update: first((db, p: Param<Fields<NoteChange> & { id: number }>) =>
      db
        .updateTable('notes_of_test')
        .set(p.changes(NoteChange))
        .where('id', '=', p('id'))
        .returning(columnsOf(NewNote))
    )
  }
}

t.test('an absent field of a new row is null', async (t) => {
  const { insert } = openNotes()
  t.strictSame(await insert({ text: 'a', due_on: undefined }), { text: 'a', due_on: null })
  t.strictSame(await insert({ text: 'b', due_on: '2026-12-01' }), {
    text: 'b',
    due_on: '2026-12-01'
  })
})

t.test('a change leaves what is absent, and clears what is null', async (t) => {
  const { insert, update } = openNotes()
  const [id, due_on] = [1, '2026-12-01']
  await insert({ text: 'a', due_on })
  t.strictSame(await update({ id, text: 'b', due_on: undefined }), { text: 'b', due_on })
  t.strictSame(await update({ id, text: undefined, due_on: null }), { text: 'b', due_on: null })
})

t.test('leaving out a field does not type-check', async (t) => {
  const { insert, update } = openNotes()
  // @ts-expect-error: due_on is missing
  t.match(await insert({ text: 'a' }), { text: 'a' })
  // @ts-expect-error: due_on is missing
  t.match(await update({ id: 1, text: 'b' }), { text: 'b' })
})
