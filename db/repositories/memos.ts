import { type RawBuilder, sql } from 'kysely'
import { Memo, MemoContent, type MemoState } from '../../schemas/memo.ts'
import { type OwnRow, ownReads } from '../own/reads.ts'
import { recordedRepository } from '../own/record.ts'
import { ownWrites } from '../own/writes.ts'
import { isOwn, type OwnKey } from '../query.ts'
import { columnsOf, type Param, param } from '../statement.ts'

declare module '../types.ts' {
  interface UserUsage {
    memos: number
  }
  interface Tables {
    memos: OwnRow<Memo>
  }
}

/** A version of null stands for any. */
type Conditional = OwnKey & { version: number | null }

const isVersion = (p: (name: 'version') => RawBuilder<number | null>) =>
  sql<boolean>`version = coalesce(${p('version')}, version)`
const nextVersion = sql<number>`version + 1`

const columns = columnsOf(Memo)
const own = {
  kind: 'memo',
  table: 'memos',
  row: Memo,
  created: MemoContent,
  changed: MemoContent,
  texts: ['body'],
  filters: ['id'],
  time: 'updated_at',
  made: { state: sql.val('draft'), version: sql.lit(1) },
  moved: { version: nextVersion },
  returned: { version: sql`cast(${param('version')} as integer) + 1` },
  condition: (p: Param<Conditional>) => isVersion(p)
} as const

/**
 * Memos of one user. A write names the version that the writer has seen. It changes nothing if the
 * memo has another version by now.
 */
export const memos = recordedRepository({
  reads: (statements) => ownReads(statements, own),

  writes: (_statements, record) => ({
    ...ownWrites(record, own),

    /** Undefined if the memo is gone, has another version, or is not in the state `from`. */
    transition: record({ ...own, columns }).update(
      (db, p: Param<Conditional & { from: MemoState; to: MemoState; now: string }>) =>
        db
          .updateTable('memos')
          .set({ state: p('to'), version: nextVersion, updated_at: p('now') })
          .where(isOwn(p))
          .where(isVersion(p))
          .where('state', '=', p('from'))
          .returning(columns)
    )
  })
})
