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
}
