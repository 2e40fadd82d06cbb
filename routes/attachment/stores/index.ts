import type { Readable } from 'node:stream'

/** A file as the row of its attachment describes it. */
export interface Described {
  size: number
  /** Hex. */
  sha256: string
}

/** The first and the last byte of a part of a file. */
export interface ByteRange {
  start: number
  end: number
}

/** What a store knows of a file. */
interface Stored {
  size: number
  /** When it was written, in milliseconds since the epoch, by the clock of the store. */
  modified: number
}

/** How a file is offered to somebody who follows a link to it. */
export interface Offer {
  /** `Content-Type`. */
  type: string
  /** `Content-Disposition`. */
  disposition: string
  /** For how many seconds. */
  seconds: number
}

/** Where the files of attachments are kept. A file has a random name and never changes. */
export interface FileStore {
  /** What messages call it. */
  readonly name: string
  /** Keeps a complete file of this machine under a name. It may be moved, or stay where it is. */
  put(file: string, path: string, described: Described): Promise<void>
  /** Its content, or a part; undefined if there is no such file. */
  read(file: string, range?: ByteRange): Promise<Readable | undefined>
  /** Undefined if there is no such file. */
  find(file: string): Promise<Stored | undefined>
  /** Does nothing if there is no such file. */
  remove(file: string): Promise<void>
  /** The names of all files. */
  list(): AsyncIterable<string>
  /** Whether it is for this database. Nothing may be swept from a store that another database has marked as its own. */
  isOurs(): Promise<boolean>
  /** Ends what was begun before this time, by the clock of the store, and never became a file. */
  endUnfinished?(before: number): Promise<void>
  /** A URL of the store itself. */
  link?(file: string, offer: Offer): Promise<string>
  close?(): void
}

/** How long one call to an object store may take, in milliseconds. */
export const callMs = 15_000

/** What an object store needs to know of its user. */
export interface StoreUse {
  /** The mark of the database (db/actions/mark.ts). */
  mark(): Promise<string>
  /** Runs a call to the store: a circuit breaker, for example. */
  guard<T>(call: () => Promise<T>): Promise<T>
}
