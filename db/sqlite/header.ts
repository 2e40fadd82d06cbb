import { readdirSync, readlinkSync, readSync, realpathSync } from 'node:fs'
import type SQLite from 'better-sqlite3'

/** The part of the WAL index that is read: of its first header, from the count of commits to the checksum. */
const from = 8
const length = 40
/** Positions in that part, in 32-bit words: the count of commits, and both halves of the checksum. */
const [count, sumA, sumB] = [0, 8, 9] as const

/**
 * The file descriptor that SQLite itself uses for the `-shm` file of a database. We must not open the
 * file ourselves: closing it would release all locks of this process on the file (POSIX).
 */
function descriptorOf(file: string) {
  const path = `${realpathSync(file)}-shm`
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      if (readlinkSync(`/proc/self/fd/${name}`) === path) return Number(name)
    } catch {
      // Closed meanwhile; the descriptor that listed this folder always is.
    }
  }
  throw new Error('SQLite has no -shm file open')
}

/**
 * The header of SQLite's shared memory. Every commit, of any process, changes it before the writer is
 * answered. So do a recovery, and a checkpoint that starts the log again.
 *
 * SQLite writes it through a memory mapping; we read it from the file. On Linux both are the same page
 * of the kernel's cache, if the file system uses that cache. The constructor tests this with a commit
 * that changes nothing.
 */
export class SharedHeader {
  readonly #descriptor: number
  readonly #bytes = new Uint8Array(length)
  readonly #words = new Int32Array(this.#bytes.buffer)
  #seen: [number, number, number] = [0, 0, 0]

  /** @throws Error that says why the header cannot be relied upon. */
  constructor(file: string, writer: SQLite.Database) {
    if (process.platform !== 'linux') throw new Error(`not on ${process.platform}`)
    this.#descriptor = descriptorOf(file)
    this.hasChanged()
    // SQLite writes the value although it is the same: a commit that changes nothing.
    const version = writer.pragma('user_version', { simple: true })
    writer.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT`)
    if (!this.hasChanged()) throw new Error('a commit does not show in the -shm file')
  }

  /** Whether the header has changed since the last call. @throws Error if it cannot be read. */
  hasChanged() {
    const words = this.#words
    if (readSync(this.#descriptor, this.#bytes, 0, length, from) !== length) {
      throw new Error('the -shm file is too short')
    }
    const seen = this.#seen
    if (words[count] === seen[0] && words[sumA] === seen[1] && words[sumB] === seen[2]) return false
    this.#seen = [words[count] ?? 0, words[sumA] ?? 0, words[sumB] ?? 0]
    return true
  }
}
