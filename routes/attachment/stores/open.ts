import { resolve } from 'node:path'
import type { Config } from '../../../schemas/config.ts'
import { objectPlaceOf } from '../../../schemas/object-place.ts'
import { folderStore } from './folder.ts'
import type { StoreUse } from './index.ts'

export type StoreOptions = Pick<
  Config,
  'SVC_DATA_DIR' | 'SVC_FILES_URL' | 'SVC_FILES_KEY' | 'SVC_FILES_SECRET'
>

/** What is said of a store that another database has marked as its own. */
export const ofAnother =
  'SVC_FILES_URL: the place belongs to another database. Give each a prefix of its own; if this one is to have it, delete the object gatehouse-database there'

/** The folder of uploads. */
export const openFolder = ({ SVC_DATA_DIR }: Pick<Config, 'SVC_DATA_DIR'>) =>
  folderStore(resolve(SVC_DATA_DIR, 'uploads'))

/**
 * The object store of `SVC_FILES_URL`. The SDK is loaded only here.
 * @throws Error if it is not set
 */
export async function openObjects(options: StoreOptions, use: StoreUse) {
  const place = objectPlaceOf(options.SVC_FILES_URL)
  if (!place) throw new Error('SVC_FILES_URL is not set: it names the object store')
  const { SVC_FILES_KEY: accessKeyId, SVC_FILES_SECRET: secretAccessKey } = options
  const { objectStore } = await import('./objects.ts')
  return objectStore(place, accessKeyId ? { accessKeyId, secretAccessKey } : undefined, use)
}
