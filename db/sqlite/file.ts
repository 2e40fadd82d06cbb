import { join } from 'node:path'

/** The file of the database in `SVC_DATA_DIR`. */
export const databaseFile = (folder: string) => join(folder, 'gatehouse.db')
