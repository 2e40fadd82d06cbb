import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { getRawAsset } from 'node:sea'
import { loadConfig } from '../fastify.config.ts'

/** What the executable holds under a path of the project. Not to be written to. */
export const contents = (path: string) => new Uint8Array(getRawAsset(path))

/** Nobody else may write where executable code is read from. */
function makePrivate(folder: string) {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const { uid, mode } = statSync(folder)
  if (uid !== process.geteuid?.()) throw new Error(`it belongs to another user (${uid})`)
  if (mode & 0o077) chmodSync(folder, 0o700)
}

function holds(file: string, bytes: Uint8Array) {
  try {
    return readFileSync(file).equals(bytes)
  } catch {
    return false
  }
}

/** Others that start at the same time see the whole file or none; who has the old one open keeps it. */
function replace(file: string, bytes: Uint8Array) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/**
 * Makes sure that files are in the private folder `unpacked` of the data folder, byte by byte as
 * the executable holds them, which also finds what a comparison of hashes would. Writes only what
 * is missing or altered.
 * @returns the absolute path of the folder.
 * @throws Error with one line for people.
 */
export function unpack(files: { path: string; bytes: Uint8Array }[]): string {
  const folder = resolve(loadConfig().SVC_DATA_DIR, 'unpacked')
  try {
    makePrivate(folder)
    for (const { path, bytes } of files) {
      const file = join(folder, path)
      if (!holds(file, bytes)) replace(file, bytes)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`cannot unpack into ${folder}: ${reason}`, { cause: error })
  }
  return folder
}
