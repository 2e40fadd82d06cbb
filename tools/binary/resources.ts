import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { getAssetKeys } from 'node:sea'
import type * as inSources from '../../plugins/runtime/resources.ts'
import { contents, unpack } from './unpack.ts'

let root: string | undefined

/** Unpacks all files except code into a folder that is named by their hash, with the project's layout. */
function unpackAll() {
  const digest = createHash('sha256')
  const files = getAssetKeys()
    .filter((path) => !/\.(node|cjs)$/.test(path))
    .sort()
    .map((path) => ({ path, bytes: contents(path) }))
  for (const { path, bytes } of files) digest.update(`${path}\0${bytes.length}\0`).update(bytes)
  const name = digest.digest('hex')
  return join(unpack(files.map(({ path, bytes }) => ({ path: join(name, path), bytes }))), name)
}

export const resource: typeof inSources.resource = (path) => {
  root ??= unpackAll()
  return join(root, path)
}
