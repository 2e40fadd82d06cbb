import type { TObject } from '@sinclair/typebox'
import type { Unique } from '../../schemas/area/unique.ts'
import type { Found, OwnKey, Page } from '../query.ts'
import type { AskedList } from './lists.ts'
import { type OwnReads, ownReads } from './reads.ts'
import { type Actor, type OnReleased, recordedRepository } from './record.ts'
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
  own: OwnReads<Row, Filter> & OwnWrites<Row, New, Change>
) =>
  recordedRepository({
    reads: (statements) => ownReads(statements, own),
    writes: (_statements, record) => ownWrites(record, own)
  })

type OwnRow = { id: number; created_at: string; version?: number; state?: string }
/** `ifVersion`: the one that the row must have, if it has versions; null for any. */
type Written = OwnKey & { ifVersion: number | null; by: Actor }
/** Values of a row of a user, as a caller wants them; `id` if it is there already. */
type Values = { user_id: number; callerId: number; id?: number | undefined }
type Rights = { id: number; user_id: number; write: boolean; manage: boolean }
type Wanted = Page & { q?: unknown; fromTime?: string | undefined }

/** The reads of such a repository, for code that knows only the description of the area. */
export interface AnyReads {
  search(asked: Wanted & { user_id: number }): Promise<Found<OwnRow>>
  newest(asked: Page & { q: string }): Promise<Found<OwnRow & { user_id: number }>>
  find(key: OwnKey): Promise<OwnRow | undefined>
  ask(asked: AskedList): Promise<OwnRow[]>
  total(asked: AskedList): Promise<number>
  among(asked: { user_id: number; ids: readonly number[] }): Promise<OwnRow[]>
  after(asked: { user_id: number; after: number; limit: number }): Promise<OwnRow[]>
  held(asked: { user_id: number; after: number; limit: number }): Promise<{ id: number }[]>
  rights(asked: { user_id: number; ids: readonly number[] }): Promise<Rights[]>
  used(of: { user_id: number }): Promise<number>
  missing(row: Values): Promise<string | undefined>
  allows(row: Values): Promise<boolean>
  taken(row: Values): Promise<Unique[number] | undefined>
}

/** The whole repository, for such code. What is not a field of the area is not used. */
export interface AnyOwn extends AnyReads {
  insert(row: { user_id: number; max: number; by: Actor }): Promise<OwnRow | undefined>
  update(row: Written): Promise<OwnRow | undefined>
  /** `isForced`: also if another row refuses that. */
  remove(
    key: Written & { isForced?: boolean },
    onReleased?: OnReleased
  ): Promise<OwnRow | undefined>
  /** Of an area with states. */
  transition?(key: Written & { from: string; to: string }): Promise<OwnRow | undefined>
}
