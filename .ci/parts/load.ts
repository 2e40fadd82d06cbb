import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Packages that only `.ci/run` and some benches need stand in the package.json beside this file, so that an
// installation of the project goes without them.

/** The folder in which they are. */
export const partsFolder = fileURLToPath(new URL('node_modules', import.meta.url))

/** Why they cannot be loaded; false if they can. */
export const noParts =
  !existsSync(partsFolder) && 'what only .ci/run needs is not installed: npm ci --prefix .ci/parts'

/** Loads one of them. The caller says what it takes from it. */
export const loadPart = <T>(name: string): Promise<T> => import(name)
