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

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function compare(report: Report, name: string, before: number, after: number) {
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
    const third = Math.ceil(atAge.length / 3)
    const [first, last] = [atAge.slice(0, third), atAge.slice(-third)].map(median)
    compare(report, `RSS ${age} s after a start, first third and last`, first ?? 0, last ?? 0)
  }
  const warm = steady?.samples.filter((it) => it.age >= warmSeconds) ?? []
  const fifth = Math.ceil(warm.length / 5)
  const [begin, end] = [warm.slice(0, fifth), warm.slice(-fifth)].map((part) =>
    median(part.map((it) => it.rss))
  )
  if (begin && end) compare(report, 'RSS of one process, warm and at its end', begin, end)
}
