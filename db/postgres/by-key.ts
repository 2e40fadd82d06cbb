import type { Runner, StatementResult, Value } from '../connection.ts'

type Row = Record<string, Value>

/**
 * Makes a read of one row by its key. `read` gets a list of keys, and it runs once for all that are asked for while
 * `turn` stays the same. `column` is the key of a row.
 */
export function byKey(
  read: (keys: Value[]) => Promise<StatementResult>,
  column: string,
  turn: () => number
): Runner {
  let open = { turn: -1, keys: [] as Value[], rows: Promise.resolve(new Map<Value, Row>()) }

  async function readAll(keys: Value[]) {
    // Every row has the column (`remembered` in db/statement.ts).
    const { rows } = (await read(keys)) as StatementResult<Row>
    // Frozen: all who ask for a row share it.
    return new Map(rows.map((row) => [row[column] ?? null, Object.freeze(row)]))
  }
  return async ([key = null]) => {
    if (open.turn !== turn()) {
      const keys: Value[] = []
      open = { turn: turn(), keys, rows: readAll(keys) }
    }
    open.keys.push(key)
    const row = (await open.rows).get(key)
    return row ? { rows: [row], changes: 1 } : { rows: [], changes: 0 }
  }
}
