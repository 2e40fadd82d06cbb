export type Result = 'acknowledged' | 'unknown' | `failed ${string}`

/** What was sent and what was found wrong; shared by everybody in a run. */
export class Report {
  readonly #operations = new Map<string, Map<Result, number>>()
  readonly #problems = new Map<string, number>()
  /** Figures for people, by name. */
  readonly figures: Record<string, string | number> = {}

  count(operation: string, result: Result) {
    const results = this.#operations.get(operation) ?? new Map<Result, number>()
    this.#operations.set(operation, results)
    results.set(result, (results.get(result) ?? 0) + 1)
  }

  /** Whether each of these operations was acknowledged at least once. */
  hasAll(operations: Iterable<string>) {
    return [...operations].every((it) => this.#operations.get(it)?.has('acknowledged'))
  }

  /** Something is lost, mixed up or broken; the run has failed. */
  problem(text: string) {
    this.#problems.set(text, (this.#problems.get(text) ?? 0) + 1)
  }

  /** Each problem once, with how often it was seen. */
  get problems() {
    return [...this.#problems].map(([text, times]) =>
      times > 1 ? `${text} (${times} times)` : text
    )
  }

  /** Requests sent so far; only those with one result, where it is given. */
  sum(only?: Result) {
    const results = [...this.#operations.values()].flatMap((it) => [...it])
    return results
      .filter(([result]) => only === undefined || result === only)
      .reduce((total, [, times]) => total + times, 0)
  }

  /** The table of operations, the figures, and what was lost. */
  toString() {
    const rows = [...this.#operations].sort().map(([operation, results]) => {
      const failed = [...results].filter(([result]) => result.startsWith('failed'))
      return [
        operation,
        [...results.values()].reduce((a, b) => a + b, 0),
        results.get('acknowledged') ?? 0,
        results.get('unknown') ?? 0,
        failed.map(([result, times]) => `${result.slice('failed '.length)} ${times}`).join(', ')
      ].map(String)
    })
    const table = columns([['operation', 'sent', 'acknowledged', 'unknown', 'failed'], ...rows])
    const figures = columns(Object.entries(this.figures).map(([name, it]) => [name, String(it)]))
    const { problems } = this
    const verdict =
      problems.length === 0
        ? 'lost: nothing\n'
        : `lost or wrong: ${problems.length}\n${problems.map((it) => `- ${it}\n`).join('')}`
    return [table, figures, verdict].join('\n')
  }
}

function columns(rows: string[][]) {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(width(i))).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}
