import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  statSync
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { hasModes, isOwn, makeFolder } from '../../db/folder.ts'

const forOthers = 0o077
/** The mode bit of folders like /tmp: everybody writes there, so we must not close it. */
const sticky = 0o1000

/** @throws Error if a folder that is there cannot be the one of the service */
function requireFolder(folder: string) {
  const stats = statSync(folder)
  // Before its mode is touched: the path may name a file or a device of the system, such as /dev/null.
  if (!stats.isDirectory()) throw new Error('it is not a folder')
  if (stats.mode & sticky) throw new Error('everybody may write there; choose a folder of its own')
  return stats
}

function cannotUse(folder: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(`cannot use SVC_DATA_DIR ${folder}: ${reason}`, { cause: error })
}

/** Whether a folder can be used, or made, without touching it. @throws Error with one line for people if not */
export function checkFolder(folder: string): void {
  try {
    if (existsSync(folder)) requireFolder(folder)
    let first = resolve(folder)
    while (!existsSync(first)) first = dirname(first)
    if (!statSync(first).isDirectory()) throw new Error(`${first} is not a folder`)
    accessSync(first, constants.W_OK | constants.X_OK)
  } catch (error) {
    cannotUse(folder, error)
  }
}

/**
 * Makes a folder and its contents private to the user that the process runs as. This holds for files
 * that exist and for those that the process creates later, and is inherited by processes that it
 * starts. Files that were open to others are reported on standard error. Call it before anything in
 * the folder is opened.
 * @throws Error with one line for people if the folder cannot be used.
 */
export function keepPrivate(folder: string): void {
  process.umask(forOthers)
  const closed: string[] = []
  try {
    makeFolder(folder)
    const { mode } = requireFolder(folder)
    if (!hasModes) return
    close(folder, mode, closed)
    closeContents(folder, closed)
  } catch (error) {
    cannotUse(folder, error)
  }
  const [first, ...rest] = closed
  if (first === undefined) return
  const more = rest.length > 0 ? ` and ${rest.length} more` : ''
  process.stderr.write(`gatehouse: ${first}${more} could be read by other users; made private\n`)
}

/** Returns whether the file was open to others. If it belongs to another user, it stays open, with a warning. */
function close(path: string, mode: number, closed: string[]): boolean {
  if ((mode & forOthers) === 0) return false
  try {
    chmodSync(path, mode & 0o7700)
    closed.push(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`gatehouse: ${path} could not be made private: ${reason}\n`)
  }
  return true
}

function closeContents(folder: string, closed: string[]) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    // Skips links and devices, which are not ours, and drafts that are gone by now.
    if (!stats?.isFile() && !stats?.isDirectory()) continue
    const wasOpen = close(path, stats.mode, closed)
    if (!stats.isDirectory() || !isOwn(stats)) continue
    // Nobody could reach the files in a closed folder, and the one of uploads can have millions.
    if (wasOpen || name !== 'uploads') closeContents(path, closed)
  }
}
