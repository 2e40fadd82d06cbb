import { median } from '../bench/report.ts'
import type { Report } from './report.ts'
import type { Life } from './service.ts'

/** The age, in seconds, at which processes are compared. */
const age = 10
/** With fewer processes of that age, a comparison would say nothing. */
const leastLives = 6
/** After this age, in seconds, a process has warmed up. */
const warmSeconds = 20
/** How much the memory may grow: of one process in use, and from the first processes to the last. */
const tolerance = { factor: 1.25, mib: 16 }

/** Compares the medians of the first and the last of these, one of so many parts each. */
function compare(report: Report, name: string, values: number[], parts: number) {
  const size = Math.ceil(values.length / parts)
  const before = median(values.slice(0, size))
  const after = median(values.slice(-size))
  const allowed = before * tolerance.factor + tolerance.mib
  report.figures[name] =
    `${before.toFixed(0)} to ${after.toFixed(0)} MiB (at most ${allowed.toFixed(0)})`
  if (after > allowed) report.problem(`${name}: grew beyond ${allowed.toFixed(0)} MiB`)
}

/**
 * Whether memory grew: of one process that was not killed for a while; and, as the data grew, from the
 * first third of all processes to the last third, at the same age.
 */
export function checkMemory(report: Report, lives: Life[], steady: Life | undefined) {
  const atAge = lives.flatMap(({ samples }) => samples.find((it) => it.age >= age)?.rss ?? [])
  if (atAge.length >= leastLives) {
    compare(report, `RSS ${age} s after a start, first third and last`, atAge, 3)
  }
  const warm = steady?.samples.filter((it) => it.age >= warmSeconds).map(({ rss }) => rss) ?? []
  if (warm.length > 0) compare(report, 'RSS of one process, warm and at its end', warm, 5)
}
