import { type Connection, limit, type Param, statement } from '../statement.ts'

const columns = ['id', 'name', 'mime', 'size', 'sha256', 'created_at'] as const

type OwnKey = { id: number; user_id: number }

/** Attachments of one user; another user's row is as good as absent. */
export function attachmentRepository(connection: Connection) {
  const page = statement(
    connection,
    (db, p: Param<{ user_id: number; before: number; limit: number }>) =>
      db
        .selectFrom('attachments')
        .select(columns)
        .where('user_id', '=', p('user_id'))
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
        .limit(limit(p('limit')))
  )
  const find = statement(connection, (db, p: Param<OwnKey>) =>
    db
      .selectFrom('attachments')
      .select(columns)
      .where('id', '=', p('id'))
      .where('user_id', '=', p('user_id'))
  )
  const findFile = statement(connection, (db, p: Param<{ id: number }>) =>
    db
      .selectFrom('attachments')
      .select(['name', 'mime', 'sha256', 'file'])
      .where('id', '=', p('id'))
  )
  const hasFile = statement(connection, (db, p: Param<{ file: string }>) =>
    db.selectFrom('attachments').select('id').where('file', '=', p('file'))
  )
  const insert = statement(
    connection,
    (
      db,
      p: Param<{
        user_id: number
        name: string
        mime: string
        size: number
        sha256: string
        file: string
        now: string
      }>
    ) =>
      db
        .insertInto('attachments')
        .values({
          user_id: p('user_id'),
          name: p('name'),
          mime: p('mime'),
          size: p('size'),
          sha256: p('sha256'),
          file: p('file'),
          created_at: p('now')
        })
        .returning(columns)
  )
  const remove = statement(connection, (db, p: Param<OwnKey>) =>
    db
      .deleteFrom('attachments')
      .where('id', '=', p('id'))
      .where('user_id', '=', p('user_id'))
      .returning('file')
  )

  return {
    /** Newest first; `before` is the id after which the page begins. */
    list: page.all,
    find: find.first,
    /** For whoever has a signed link, so of any user. */
    findFile: findFile.first,
    /** Whether a stored file belongs to an attachment. */
    hasFile: async (key: { file: string }) => (await hasFile.first(key)) !== undefined,
    insert: insert.one,
    /** The file that is now without a row; undefined where there was no such attachment. */
    remove: remove.first
  }
}
