import SQLite from 'better-sqlite3'

/** A stored file that a database refers to. */
export interface StoredFile {
  id: number
  file: string
  sha256: string
}

const open = (file: string) => new SQLite(file, { readonly: true, fileMustExist: true })

/** Newest migration of a database. @throws Error if it is damaged, or has none. */
export function schemaOf(file: string): string {
  const database = open(file)
  try {
    const [found] = database.pragma('quick_check') as { quick_check: string }[]
    if (found?.quick_check !== 'ok') throw new Error(`it is damaged: ${found?.quick_check}`)
    const newest = database.prepare<[], string>('SELECT max(name) FROM kysely_migration').pluck()
    return newest.get() ?? ''
  } finally {
    database.close()
  }
}

/** The files of all attachments, also of deleted ones, in the order of their ids. */
export function* filesOf(file: string): Generator<StoredFile> {
  const database = open(file)
  try {
    yield* database
      .prepare<[], StoredFile>('SELECT id, file, sha256 FROM attachments ORDER BY id')
      .iterate()
  } finally {
    database.close()
  }
}

/** Whether an attachment of the database has this file now. */
export function refersTo(database: string, file: string): boolean {
  const opened = open(database)
  try {
    return (
      opened.prepare<[string]>('SELECT 1 FROM attachments WHERE file = ?').get(file) !== undefined
    )
  } finally {
    opened.close()
  }
}

/** The mark of this name, if a database has it. */
export function markIn(file: string, name: string): { value: string } | undefined {
  const database = open(file)
  try {
    const hasMarks = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'marks'").get()
    if (!hasMarks) return undefined
    return database
      .prepare<[string], { value: string }>('SELECT value FROM marks WHERE name = ?')
      .get(name)
  } finally {
    database.close()
  }
}
