import { join } from 'node:path'

/** The file of the database in `SVC_DATA_DIR`. */
export const databaseFile = (folder: string) => join(folder, 'gatehouse.db')

/** Shared by all who have a database open; who restores a backup takes it alone. */
export const lockFile = (database: string) => `${database}.lock`
