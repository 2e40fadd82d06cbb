import type SQLite from 'better-sqlite3'

/** An instruction of the program that SQLite compiles from a statement. */
interface Operation {
  opcode: string
  /** In an instruction that opens a table or an index: its root page. */
  p2: number
}

/**
 * The tables that a statement reads and writes, including those of triggers and cascades. They come
 * from the compiled program, because the text of the statement does not name them all.
 */
export function tablesOf(database: SQLite.Database, text: string) {
  const nameOf = database
    .prepare<[number], string>('SELECT tbl_name FROM sqlite_schema WHERE rootpage = ?')
    .pluck()
  const program = database.prepare<unknown[], Operation>(`EXPLAIN ${text}`)
  const operations = program.all(...Array.from(text.matchAll(/\?/g), () => null))
  const opened = (how: 'OpenRead' | 'OpenWrite') => {
    const roots = operations.filter(({ opcode }) => opcode === how).map(({ p2 }) => p2)
    const names = [...new Set(roots)].map((root) => nameOf.get(root))
    return [...new Set(names.filter((name) => name !== undefined))]
  }
  return { read: opened('OpenRead'), written: opened('OpenWrite') }
}
