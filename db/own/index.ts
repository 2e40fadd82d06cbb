import type { TObject } from '@sinclair/typebox'
import { type OwnReads, ownReads } from './reads.ts'
import { recordedRepository } from './record.ts'
import { type OwnWrites, ownWrites } from './writes.ts'

/**
 * The repository of an area whose rows belong to users, from a description of its table: lists, search and reads
 * (`ownReads`), and recorded writes (`ownWrites`). What it takes and returns follows from the schemas.
 */
export const ownRepository = <
  Row extends TObject,
  New extends TObject,
  Change extends TObject,
  Filter extends string = never
>(
  own: OwnReads<Row, Filter> & OwnWrites<Row, New, Change, unknown>
) =>
  recordedRepository({
    reads: (statements) => ownReads(statements, own),
    writes: (_statements, record) => ownWrites(record, own)
  })
