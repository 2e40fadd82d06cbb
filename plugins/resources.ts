import { join } from 'node:path'

/**
 * Where a file or folder that comes with the code is, by its path in the project: `views/404.html`.
 * The executable has binary/resources.ts in the place of this file.
 */
export const resource = (path: string) => join(import.meta.dirname, '..', path)
