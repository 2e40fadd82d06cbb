import type { Runner, StatementResult, Value } from '../connection.ts'

type Row = Record<string, Value>

/**
 * Reads rows by their key, the value of `column`. All keys that are asked for while `turn` stays the same are read by
 * one call of `read`.
 */
export function byKey(
  read: (keys: Value[]) => Promise<StatementResult<Row>>,
  column: string,
  turn: () => number
): Runner {
  let open: { turn: number; keys: Value[]; rows: Promise<Map<Value | undefined, Row>> } | undefined

  async function readAll(keys: Value[]) {
    const { rows } = await read(keys)
    // Frozen: all who ask for a row share it.
    return new Map(rows.map((row) => [row[column], Object.freeze(row)]))
  }
  return async ([key = null]) => {
    if (open?.turn !== turn()) {
      const keys: Value[] = []
      open = { turn: turn(), keys, rows: readAll(keys) }
    }
    open.keys.push(key)
    const row = (await open.rows).get(key)
    return row ? { rows: [row], changes: 1 } : { rows: [], changes: 0 }
  }
}
