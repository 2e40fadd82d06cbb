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
import { isOwn, makeFolder } from '../../db/folder.ts'
import { loadConfig } from '../../fastify.config.ts'

/** The bytes that the executable contains under a path of the project. Do not write to them. */
export const contents = (path: string) => new Uint8Array(getRawAsset(path))

/** Makes a folder that only this user can write to, because executable code is read from it. */
function makePrivate(folder: string) {
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stats = statSync(folder)
  if (!isOwn(stats)) throw new Error(`it belongs to another user (${stats.uid})`)
  if (stats.mode & 0o077) chmodSync(folder, 0o700)
}

function holds(file: string, bytes: Uint8Array) {
  try {
    return readFileSync(file).equals(bytes)
  } catch {
    return false
  }
}

/** Replaces a file in one step: other processes see the whole file or none, or keep the old one if it is open. */
function replace(file: string, bytes: Uint8Array) {
  makeFolder(dirname(file))
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
 * Makes sure that the private folder `unpacked` of the data folder has these files. Compares all bytes,
 * and writes only files that are missing or altered.
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
