import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** What this share of the numbers is below; NaN for no numbers. */
export const percentile = (numbers: number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? Number.NaN

/** The median; the mean of the middle two. */
export const median = (numbers: number[]) =>
  (percentile(numbers, 0.5) -
    percentile(
      numbers.map((it) => -it),
      0.5
    )) /
  2

const machine = `Node.js ${process.version}, ${availableParallelism()} cores of ${cpus()[0]?.model}`

/** Says whether a goal is met, with the goal. If it is not, the bench ends with 1. */
export function judge(value: number, goal: number, isMost = false) {
  const isMet = isMost ? value <= goal : value >= goal
  if (!isMet) process.exitCode = 1
  return `${isMet ? 'yes' : '**no**'} (${goal})`
}

/** The cells of a row by their columns. */
export type Row = Record<string, string | number>

/** The rows as a Markdown table with these columns. */
function tableOf(rows: Record<string, Row>, columns: string[]) {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |\n`
  const lines = Object.entries(rows).map(([title, row]) =>
    line([title, ...columns.map((column) => row[column] ?? '')])
  )
  return [line(['', ...columns]), line(['-', ...columns.map(() => '-')]), ...lines].join('')
}

/**
 * Prints rows as a Markdown table. With `--write`, the table also replaces the one of this name in the
 * documents, between `<!-- bench NAME -->` and `<!-- /bench -->`; there it has only the columns of `shown`.
 */
export function printTable(name: string, rows: Record<string, Row>, note = '', shown?: string[]) {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))]
  const date = new Date().toISOString().slice(0, 10)
  const under = `\n${[machine, date, note].filter(Boolean).join('; ')}.\n`
  console.log(`\n${name}\n\n${tableOf(rows, columns)}${under}`)
  if (!process.argv.includes('--write')) return
  write(name, tableOf(rows, shown ? columns.filter((it) => shown.includes(it)) : columns) + under)
}

/** Replaces a table in the documents that have one of this name. */
function write(name: string, text: string) {
  for (const file of ['README.md', 'docs/performance.md']) {
    const url = new URL(`../../${file}`, import.meta.url)
    const block = new RegExp(`(<!-- bench ${name} -->\n\n).*?(\n<!-- /bench -->)`, 's')
    const before = readFileSync(url, 'utf8')
    writeFileSync(
      url,
      before.replace(block, (_all, start, end) => start + text + end)
    )
  }
}
