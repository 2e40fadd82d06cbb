export type Result = 'acknowledged' | 'unknown' | `failed ${string}`

/** The requests that were sent and the problems that were found; shared by all clients of a run. */
export class Report {
  readonly #operations = new Map<string, Map<Result, number>>()
  readonly #problems = new Map<string, number>()
  /** Further numbers for people, by name. */
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

  /** Notes that something is lost, mixed up or broken: the run has failed. */
  problem(text: string) {
    this.#problems.set(text, (this.#problems.get(text) ?? 0) + 1)
  }

  /** Each problem once, with the number of times it was seen. */
  get problems() {
    return [...this.#problems].map(([text, times]) =>
      times > 1 ? `${text} (${times} times)` : text
    )
  }

  /** The number of requests sent so far; if a result is given, only of those with this result. */
  sum(only?: Result) {
    const results = [...this.#operations.values()].flatMap((it) => [...it])
    return results
      .filter(([result]) => only === undefined || result === only)
      .reduce((total, [, times]) => total + times, 0)
  }

  /** The report as text: the table of operations, the numbers, and the problems. */
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
