import { readdirSync } from 'node:fs'

/** Names of the migration files. The executable has them as they were when it was built. */
export const migrationFiles = readdirSync(import.meta.dirname).filter((file) => /^\d/.test(file))
