import { Histogram, type HistogramConfiguration } from 'prom-client'
import { increase } from './last-hour.ts'

type Label = 'method' | 'route' | 'status'

interface Answers {
  labels: { method: string; route: string; status: number }
  /** How many belong in each bucket and in none before it. */
  counts: number[]
  count: number
  sum: number
}

/**
 * A histogram of answers. They are counted as numbers: `observe` makes a text of the labels and one of the bucket for
 * each, which costs ten times as much.
 */
export class Durations extends Histogram<Label> {
  readonly #config: HistogramConfiguration<Label> & { buckets: number[] }
  readonly #byRoute = new Map<string, Answers[]>()

  constructor(config: HistogramConfiguration<Label> & { buckets: number[] }) {
    super(config)
    this.#config = config
  }

  count(method: string, route: string, status: number, seconds: number) {
    const { buckets } = this.#config
    const ofRoute = this.#byRoute.get(route) ?? []
    if (ofRoute.length === 0) this.#byRoute.set(route, ofRoute)
    let answers = ofRoute.find(({ labels }) => labels.status === status && labels.method === method)
    if (!answers) {
      const labels = { method, route, status }
      answers = { labels, counts: buckets.map(() => 0), count: 0, sum: 0 }
      ofRoute.push(answers)
    }
    const bucket = buckets.findIndex((bound) => seconds <= bound)
    if (bucket !== -1) increase(answers.counts, bucket)
    answers.count += 1
    answers.sum += seconds
  }

  /** What a registry and `get` take the values from. */
  async getForPromString() {
    const { name, help, buckets } = this.#config
    const values = [...this.#byRoute.values()].flat().flatMap((answers) => {
      const { labels: sharedLabels, counts, count, sum } = answers
      const upTo = (index: number) => counts.slice(0, index + 1).reduce((total, one) => total + one)
      const bounds = buckets.map((le, index) => ({ le, value: upTo(index) }))
      return [
        ...[...bounds, { le: '+Inf', value: count }].map(({ le, value }) => ({
          ...{ labels: { le }, sharedLabels, value, metricName: `${name}_bucket` }
        })),
        { labels: {}, sharedLabels, value: sum, metricName: `${name}_sum` },
        { labels: {}, sharedLabels, value: count, metricName: `${name}_count` }
      ]
    })
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}
