import { Type } from '@sinclair/typebox'
import { type Generated, sql } from 'kysely'
import { NewTodo, Todo, TodoChange } from '../../schemas/todo.ts'
import { isOwn, limit, newestOf, type OwnKey, type Page } from '../query.ts'
import { recordedRepository } from '../recorded.ts'
import { beginningOfTime, boundedSearch, contains, type From, searchEnd } from '../search.ts'
import { columnsOf, type Fields, type Param } from '../statement.ts'
import { undoRows } from '../undoable.ts'
import { insertIfRoom } from '../user-usage.ts'

declare module '../user-usage.ts' {
  interface UserUsage {
    todos: number
  }
}

declare module '../types.ts' {
  interface Tables {
    todos: {
      id: Generated<number>
      user_id: number
      title: string
      is_completed: boolean
      created_at: string
      updated_at: string
    }
  }
}

const columns = columnsOf(Todo)

/** The fields of a todo that its user writes. */
const content = Type.Pick(Todo, ['title', 'is_completed'])

type Range = { user_id: number; before: number; is_completed: boolean }
type Wanted = Range & { q: string; updated_since: string; limit: number }
type Filters = {
  user_id: number
  is_completed: boolean | undefined
  q: string | undefined
  updated_since: string | undefined
}

/** Todos of one user. Rows of other users are not found. */
export const todos = recordedRepository({
  reads({ all, first }) {
    /** All todos of a user, or only those that are done (or not): each has its own index. */
    const searchIn = (which: 'all' | 'state') =>
      boundedSearch(
        first((db, p: Param<Range>) =>
          searchEnd(newestOf(db.selectFrom('todos').select('id'), p)).$if(
            which === 'state',
            (query) => query.where('is_completed', '=', p('is_completed'))
          )
        ),
        all((db, p: Param<Wanted & From>) =>
          newestOf(db.selectFrom('todos').select(columns), p)
            .$if(which === 'state', (query) => query.where('is_completed', '=', p('is_completed')))
            .where('id', '>=', p('from'))
            .where(contains(db, 'title', p('q')))
            .where('updated_at', '>=', p('updated_since'))
            .limit(limit(p('limit')))
        )
      )
    const [inAll, inState] = [searchIn('all'), searchIn('state')]

    return {
      /** Newest first, from the id before `before`. */
      list: all((db, p: Param<Page & { user_id: number }>) =>
        newestOf(db.selectFrom('todos').select(columns), p).limit(limit(p('limit')))
      ),

      /** The same, filtered. An undefined filter matches all. */
      search({ is_completed, q, updated_since, ...page }: Page & Filters) {
        const search = is_completed === undefined ? inAll : inState
        const looksAtRows = q !== undefined || updated_since !== undefined
        const range = { ...page, is_completed: is_completed ?? false }
        const text = { q: q ?? '', updated_since: updated_since ?? beginningOfTime }
        return search({ ...range, ...text }, looksAtRows)
      },

      find: first((db, p: Param<OwnKey>) => db.selectFrom('todos').select(columns).where(isOwn(p)))
    }
  },

  writes(_statements, record) {
    const todos = { kind: 'todo', table: 'todos', columns } as const
    const { create, update, remove } = record(todos)
    return {
      /** Undefined if the user has `max` todos already. */
      insert: create(
        (db, p: Param<Fields<NewTodo> & { user_id: number; now: string; max: number }>) => {
          const row = {
            ...p.fields(NewTodo),
            is_completed: sql.val(false),
            created_at: p('now'),
            updated_at: p('now')
          }
          return insertIfRoom(db, p, 'todos', row, { of: 'todos' }).returning(columns)
        }
      ),

      /** An absent field stays as it is. Undefined if there is no such todo. */
      update: update((db, p: Param<Fields<TodoChange> & OwnKey & { now: string }>) =>
        db
          .updateTable('todos')
          .set({ ...p.changes(TodoChange), updated_at: p('now') })
          .where(isOwn(p))
          .returning(columns)
      ),

      /** Undefined if there is no such todo. */
      remove: remove((db, p: Param<OwnKey>) =>
        db.deleteFrom('todos').where(isOwn(p)).returning(columns)
      ),

      undo: undoRows(record, { ...todos, content })
    }
  }
})
