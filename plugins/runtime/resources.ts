import { join } from 'node:path'

/**
 * The location of a file or folder that comes with the code, from its path in the project, such as
 * `plugins/http/errors/404.html`. The executable uses tools/binary/resources.ts instead of this file.
 */
export const resource = (path: string) => join(import.meta.dirname, '../..', path)
