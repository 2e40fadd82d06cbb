export type Result = 'acknowledged' | 'unknown' | `failed ${string}`

/** The requests that were sent and the problems that were found; shared by all clients of a run. */
export class Report {
  readonly #operations: Record<string, Record<string, number>> = {}
  readonly #problems: Record<string, number> = {}
  /** Further numbers for people, by name. */
  readonly figures: Record<string, string | number> = {}

  count(operation: string, result: Result) {
    const results = this.#operations[operation] ?? {}
    this.#operations[operation] = { ...results, [result]: (results[result] ?? 0) + 1 }
  }

  /** Notes that something is lost, mixed up or broken: the run has failed. */
  problem(text: string) {
    this.#problems[text] = (this.#problems[text] ?? 0) + 1
  }

  /** Each problem once, with the number of times it was seen. */
  get problems() {
    return Object.entries(this.#problems).map(([text, times]) =>
      times > 1 ? `${text} (${times} times)` : text
    )
  }

  /** The number of requests sent so far; if a result is given, only of those with this result. */
  sum(only?: Result) {
    const counts = Object.values(this.#operations).flatMap((results): number | number[] =>
      only ? (results[only] ?? 0) : Object.values(results)
    )
    return counts.reduce((a, b) => a + b, 0)
  }

  /** The report as text: the table of operations, the numbers, and the problems. */
  toString() {
    const rows = Object.entries(this.#operations)
      .sort()
      .map(([operation, { acknowledged = 0, unknown = 0, ...failed }]) => {
        const failures = Object.entries(failed)
        const sent = failures.reduce((sum, [, times]) => sum + times, acknowledged + unknown)
        const texts = failures.map(
          ([result, times]) => `${result.slice('failed '.length)} ${times}`
        )
        return [operation, sent, acknowledged, unknown, texts.join(', ')]
      })
    const table = columns([['operation', 'sent', 'acknowledged', 'unknown', 'failed'], ...rows])
    const problems = this.problems.map((it) => `- ${it}\n`)
    const verdict =
      problems.length === 0
        ? 'lost: nothing\n'
        : `lost or wrong: ${problems.length}\n${problems.join('')}`
    return [table, columns(Object.entries(this.figures)), verdict].join('\n')
  }
}

function columns(rows: (string | number)[][]) {
  const width = (column: number) => Math.max(...rows.map((row) => `${row[column] ?? ''}`.length))
  const line = (row: (string | number)[]) =>
    row.map((cell, i) => `${cell}`.padEnd(width(i))).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}
