import type { FastifyInstance } from 'fastify'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import type { Minute } from '../../../plugins/reporting/metrics/last-hour.ts'
import { maxJobs } from '../../../plugins/runtime/background.ts'
import { clockTime, duration, type Plot, spreads, stacks } from './plots.ts'

/** In the order of `statusClasses`. */
const statuses = [
  { kind: 'good', head: '2xx', text: '2xx done' },
  { kind: 'quiet', head: '3xx', text: '3xx unchanged, moved' },
  { kind: 'refused', head: '4xx', text: '4xx refused' },
  { kind: 'failed', head: '5xx', text: '5xx failed' }
]

/** In the order of `outcomes`. */
const signIns = [
  { kind: 'good', head: 'Signed in', text: 'Signed in' },
  { kind: 'refused', head: 'Wrong', text: 'Wrong name or password' },
  { kind: 'quiet', head: 'Second factor', text: 'Second factor asked for' },
  { kind: 'failed', head: 'Locked', text: 'Locked' },
  { kind: 'failed', head: 'Too many', text: 'Too many tries' },
  { kind: 'failed', head: 'Other', text: 'Other failures' }
]

const number = (count: number) => count.toLocaleString('en')
const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

/** The state of the service, and the last hour of this process, drawn. */
export const hour = (app: FastifyInstance): Page => ({
  url: '/admin/hour',
  title: 'Last hour',
  view: 'routes/admin/pages/hour',
  async load() {
    const { state } = await app.health()
    const { minutes, whole } = app.lastHour.read()
    const [from, to] = [clockTime(minutes[0]?.at ?? 0), clockTime(minutes.at(-1)?.at ?? 0)]
    const span = `by minute, ${from} to ${to} UTC`

    /** Counts of several kinds. */
    function counted(
      title: string,
      series: { kind: string; head: string; text: string }[],
      counts: (minute: Pick<Minute, 'statuses' | 'signIns'>) => number[]
    ): Plot {
      const totals = counts(whole).map((total, index) => ({
        kind: series[index]?.kind ?? '',
        text: series[index]?.text ?? '',
        value: number(total)
      }))
      const kinds = series.map(({ kind }) => kind)
      const parts = totals.map(({ text, value }) => `${text} ${value}`)
      return {
        title,
        label: `${title} ${span}. ${parts.join(', ')}.`,
        ...stacks(minutes, kinds, counts),
        legend: totals,
        ...table(
          series.map(({ head }) => head),
          (minute) => sum(counts(minute)) > 0 && counts(minute).map(number)
        )
      }
    }

    /** The minutes as a table, newest first. A minute without values is left out. */
    function table(head: string[], cells: (minute: Minute) => string[] | false) {
      const rows = minutes.toReversed().flatMap((minute) => {
        const row = cells(minute)
        return row ? [[clockTime(minute.at), ...row]] : []
      })
      return { head: ['Minute, UTC', ...head], rows }
    }

    const time = (ms: number | null) => (ms === null ? 'none' : duration(ms))
    const halves = { kind: 'middle', text: 'Half within', value: time(whole.p50) }
    const slowest = { kind: 'spread', text: '99 of 100 within', value: time(whole.p99) }
    const latency: Plot = {
      title: 'Time to answer',
      label: `Time to answer ${span}. Half within ${halves.value}, 99 of 100 within ${slowest.value}.`,
      ...spreads(minutes),
      legend: [halves, slowest],
      ...table(
        [halves.text, slowest.text],
        ({ p50, p99 }) => p50 !== null && [time(p50), time(p99)]
      )
    }
    return {
      health: { ...state, isOverloaded: app.isOverloaded(), jobs: app.background.size(), maxJobs },
      from,
      to,
      requests: number(whole.requests),
      since: app.lastHour.since > (minutes[0]?.at ?? 0) ? clockTime(app.lastHour.since) : null,
      plots: [
        counted('Requests', statuses, ({ statuses }) => statuses),
        counted('Sign-ins', signIns, ({ signIns }) => signIns),
        latency
      ]
    }
  }
})
