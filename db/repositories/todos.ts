import { Type } from '@sinclair/typebox'
import { type Generated, sql } from 'kysely'
import { NewTodo, Todo, TodoChange } from '../../schemas/todo.ts'
import { recordedRepository } from '../recorded.ts'
import {
  beginningOfTime,
  boundedSearch,
  contains,
  type From,
  type Numbers,
  searchEnd
} from '../search.ts'
import { columnsOf, type Fields, limit, type Page, type Param, type Reader } from '../statement.ts'
import { type Expected, isAsExpected, undoRows } from '../undoable.ts'
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
const Content = Type.Pick(Todo, ['title', 'is_completed'])
type Content = Pick<Todo, keyof typeof Content.properties>

type OwnKey = { id: number; user_id: number }
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
    const page = (db: Reader, p: Numbers<'user_id' | 'before'>) =>
      db
        .selectFrom('todos')
        .where('user_id', '=', p('user_id'))
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
    /** All todos of a user, or only those that are done (or not): each has its own index. */
    const searchIn = (which: 'all' | 'state') =>
      boundedSearch(
        first((db, p: Param<Range>) =>
          searchEnd(page(db, p).select('id')).$if(which === 'state', (query) =>
            query.where('is_completed', '=', p('is_completed'))
          )
        ),
        all((db, p: Param<Wanted & From>) =>
          page(db, p)
            .select(columns)
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
        page(db, p)
          .select(columns)
          .limit(limit(p('limit')))
      ),

      /** The same, filtered. An undefined filter matches all. */
      search({ is_completed, q, updated_since, ...page }: Page & Filters) {
        const search = is_completed === undefined ? inAll : inState
        const looksAtRows = q !== undefined || updated_since !== undefined
        const range = { ...page, is_completed: is_completed ?? false }
        const text = { q: q ?? '', updated_since: updated_since ?? beginningOfTime }
        return search({ ...range, ...text }, looksAtRows)
      },

      find: first((db, p: Param<OwnKey>) =>
        db
          .selectFrom('todos')
          .select(columns)
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
      )
    }
  },

  writes(_statements, record) {
    const { create, update, remove } = record({ kind: 'todo', table: 'todos', columns })
    return {
      /** Undefined if the user has `max` todos already. */
      insert: create(
        (db, p: Param<Fields<NewTodo> & { user_id: number; now: string; max: number }>) =>
          insertIfRoom(
            db,
            'todos',
            { of: 'todos', user_id: p('user_id'), more: sql.lit(1), max: p('max') },
            {
              ...p.fields(NewTodo),
              is_completed: sql.val(false),
              created_at: p('now'),
              updated_at: p('now')
            }
          ).returning(columns)
      ),

      /** An absent field stays as it is. Undefined if there is no such todo. */
      update: update((db, p: Param<Fields<TodoChange> & OwnKey & { now: string }>) =>
        db
          .updateTable('todos')
          .set({ ...p.changes(TodoChange), updated_at: p('now') })
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
          .returning(columns)
      ),

      /** Undefined if there is no such todo. */
      remove: remove((db, p: Param<OwnKey>) =>
        db
          .deleteFrom('todos')
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
          .returning(columns)
      ),

      undo: undoRows<Todo, keyof Content>('todo', Content, {
        update: update((db, p: Param<OwnKey & Content & Expected<Content> & { now: string }>) =>
          db
            .updateTable('todos')
            .set({ ...p.changes(Content), updated_at: p('now') })
            .where('id', '=', p('id'))
            .where('user_id', '=', p('user_id'))
            .where(isAsExpected(Content))
            .returning(columns)
        ),
        remove: remove((db, p: Param<OwnKey & Expected<Content>>) =>
          db
            .deleteFrom('todos')
            .where('id', '=', p('id'))
            .where('user_id', '=', p('user_id'))
            .where(isAsExpected(Content))
            .returning(columns)
        ),
        insert: (content) =>
          create(
            (db, p: Param<OwnKey & Content & { created_at: string; now: string; max: number }>) =>
              insertIfRoom(
                db,
                'todos',
                { of: 'todos', user_id: p('user_id'), more: sql.lit(1), max: p('max') },
                {
                  id: p('id'),
                  ...p.fields(Type.Pick(Content, content)),
                  created_at: p('created_at'),
                  updated_at: p('now')
                }
              )
                .onConflict((conflict) => conflict.doNothing())
                .returning(columns)
          )
      })
    }
  }
})
