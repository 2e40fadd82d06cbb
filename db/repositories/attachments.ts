import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Attachment } from '../../schemas/attachment.ts'
import { foldedOf } from '../folded.ts'
import { type OwnRow, ownReads } from '../own/reads.ts'
import { type Actor, type OnReleased, recordedRepository } from '../own/record.ts'
import type { Step } from '../own/writes.ts'
import { ifRoom, isOwn, limit, type Numbers, type OwnKey } from '../query.ts'
import { columnsOf, type Param, type Reader } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface UserUsage {
    upload_bytes: number
  }
  interface Tables {
    attachments: OwnRow<Attachment> & {
      name__folded: string | null
      /** File name in the folder of uploads; never the name that the client sent. */
      file: string
      /** When the user deleted it; its file is kept for a while. Null if it was not deleted. */
      deleted_at: EpochMs | null
    }
  }
}

const columns = columnsOf(Attachment)
const texts = ['name']

type NewAttachment = Omit<
  Tables['attachments'],
  'id' | 'name__folded' | 'created_at' | 'deleted_at'
> & { max: number }

type NewRow = NewAttachment & {
  name__folded?: string
  now: string
  /** Null for one that everybody sees. */
  until_ms: number | null
}

const file = (db: Reader, p: Param<{ id: number }>) =>
  db
    .selectFrom('attachments')
    .select(['name', 'mime', 'size', 'sha256', 'file'])
    .where('id', '=', p('id'))

/** Inserts a row if its user has room for the file. */
function inserted(db: Kysely<Tables>, p: Param<NewRow>) {
  const given = ['name', 'name__folded', 'mime', 'size', 'sha256', 'file'] as const
  const row = { ...p.pick(...given), created_at: p('now'), deleted_at: p('until_ms') }
  const room = { of: 'upload_bytes', more: p('size') } as const
  return db
    .insertInto('attachments')
    .columns(['user_id', ...given, 'created_at', 'deleted_at'])
    .expression(ifRoom(db, p, room, Object.values(row)))
    .returning(columns)
}

/**
 * Removes the rows of deleted attachments that match. Returns the names of their files.
 *
 * The conditions stand outside the list of ids too: a DELETE of PostgreSQL that waited for another
 * transaction checks only those again, and that transaction may have restored the attachment.
 */
function purged(db: Kysely<Tables>, p: Numbers<'limit'>, matches: RawBuilder<boolean>) {
  const oldest = db
    .selectFrom('attachments')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where(matches)
    .orderBy('deleted_at')
    .limit(limit(p('limit')))
  return db
    .deleteFrom('attachments')
    .where('id', 'in', oldest)
    .where('deleted_at', 'is not', null)
    .where(matches)
    .returning('file')
}

/**
 * Attachments of one user. Those of other users are not found, unless a row refers to them that the user may read;
 * nor are deleted ones. A deleted
 * attachment is kept for a while with its file, which still counts among the user's bytes.
 */
export const attachments = recordedRepository({
  reads(statements) {
    const { all, first, done } = statements
    const findAny = done((db) =>
      db.selectFrom('attachments').select('id').orderBy('id').limit(sql.lit(1))
    )

    return {
      ...ownReads(statements, {
        ...{ kind: 'attachment', table: 'attachments' },
        row: Attachment,
        texts,
        filters: ['id'],
        time: 'created_at',
        isReadByReference: true,
        visible: sql<boolean>`deleted_at is null`
      }),

      /** Of any user: the caller has a signed link. */
      findFile: first((db, p: Param<{ id: number }>) =>
        file(db, p).where('deleted_at', 'is', null)
      ),

      /** The same, also of one that is deleted or set aside. */
      findKept: first(file),

      /** How many bytes a user has stored, and how many of them in deleted files. */
      space: first((db, p: Param<{ user_id: number }>) =>
        db
          .selectFrom('user_usage')
          .select('upload_bytes as stored')
          .select((eb) =>
            eb
              .selectFrom('attachments')
              .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('kept'))
              .whereRef('attachments.user_id', '=', 'user_usage.user_id')
              .where('deleted_at', 'is not', null)
              .as('kept')
          )
          .where('user_usage.user_id', '=', p('user_id'))
      ),

      /** Whether a stored file belongs to an attachment, which may be deleted. */
      hasFile: done((db, p: Param<{ file: string }>) =>
        db.selectFrom('attachments').select('id').where('file', '=', p('file'))
      ),

      /** The files of all users after an id, in the order of their ids, also of deleted attachments. */
      filesAfter: all((db, p: Param<{ after: number; limit: number }>) =>
        db
          .selectFrom('attachments')
          .select(['id', 'name', 'size', 'sha256', 'file'])
          .where('id', '>', p('after'))
          .orderBy('id')
          .limit(limit(p('limit')))
      ),

      /** Whether there is any attachment, of any user. */
      hasAny: () => findAny({})
    }
  },

  writes({ all, first }, record) {
    const { create, remove } = record({ kind: 'attachment', table: 'attachments', columns })
    const restore = create((db, p: Param<OwnKey>) =>
      db
        .updateTable('attachments')
        .set({ deleted_at: null })
        .where(isOwn(p))
        .where('deleted_at', 'is not', null)
        .returning(columns)
    )
    const markDeleted = remove((db, p: Param<OwnKey & { now_ms: number }>) =>
      db
        .updateTable('attachments')
        .set({ deleted_at: p('now_ms') })
        .where(isOwn(p))
        .where('deleted_at', 'is', null)
        .returning(columns)
    )
    const removeOwn = (args: OwnKey & { by: Actor }, onReleased?: OnReleased) =>
      markDeleted({ ...args, now_ms: Date.parse(args.by.at) }, onReleased)

    const insert = create(inserted)
    const insertAside = first(inserted)
    return {
      /** Undefined if the user would then have more than `max` bytes. */
      insert: (row: NewAttachment & { by: Actor }) =>
        insert({ ...row, ...foldedOf(texts, row), until_ms: null }),

      /** The same, but it is kept as one that is deleted at that time: nobody sees it, unless it is restored. */
      insertAside: (row: NewAttachment & { now: string; until_ms: number }) =>
        insertAside({ ...row, ...foldedOf(texts, row) }),

      /** Undefined if there is no such attachment. Its file is kept until it is purged. */
      remove: removeOwn,

      /** Undefined if there is no such deleted attachment whose file is kept. */
      restore,

      /** Removes rows that were deleted before a time, oldest first, at most `limit`. The caller removes their files. */
      purge: all((db, p: Param<{ before: number; limit: number }>) =>
        purged(db, p, sql`deleted_at < ${p('before')}`)
      ),

      /** The same for one user, whatever the time. */
      purgeOfUser: all((db, p: Param<{ user_id: number; limit: number }>) =>
        purged(db, p, sql`user_id = ${p('user_id')}`)
      ),

      /** Removes every row of a user, deleted or not. The caller removes their files. */
      removeOfUser: all((db, p: Param<{ user_id: number }>) =>
        db.deleteFrom('attachments').where('user_id', '=', p('user_id')).returning('file')
      ),

      // A file never changes, so there is no update to undo.
      undo: {
        kind: 'attachment' as const,
        update: async (_step: Step) => undefined,
        remove: removeOwn,
        insert: restore
      }
    }
  }
})
