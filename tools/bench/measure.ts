import { load, type Request } from './load.ts'
import { judge, median, printTable } from './report.ts'
import { stopAll, type Target } from './target.ts'

export interface Plan {
  launches: number
  rounds: number
  seconds: number
  warmUpSeconds: number
}

/** A server in a comparison, and the requests that it gets: one for all callers, or shared out among them. */
interface Contender {
  target: Pick<Target, 'port' | 'cpu'>
  requests: Request[]
}

export interface Case {
  name: string
  callers: number
  /** The first is compared with each of the others. */
  contenders: Record<string, Contender>
  /** The least ratio of its answers a second to those of another; or the most of its CPU time. */
  goal?: { to: string; least: number } | { to: string; most: number }
  /** CPU time is not shown: of several processes, only the first reports it. */
  isRateOnly?: boolean
}

type Measurable = 'perSecond' | 'cpu'

/**
 * Measures servers in turn, in short rounds. A ratio is the median of those of each round, because neighbours of a
 * virtual machine can slow it down by half for seconds, and then all of a round alike.
 */
async function takeTurns({ contenders, callers }: Case, { rounds, seconds }: Plan) {
  const all = Object.entries(contenders).map(([name, contender]) => ({
    ...{ name, ...contender, cpu: [] as number[], perSecond: [] as number[] }
  }))
  for (let round = 0; round < rounds; round++) {
    for (const { target, requests, cpu, perSecond } of round % 2 ? all.toReversed() : all) {
      const before = await target.cpu()
      const measured = await load(target.port, requests, callers, seconds)
      cpu.push(((await target.cpu()) - before) / measured.answers)
      perSecond.push(measured.perSecond)
    }
  }
  const figures = (of: string, what: Measurable) =>
    all.find(({ name }) => name === of)?.[what] ?? []
  return {
    figure: (of: string, what: Measurable) => median(figures(of, what)),
    ratio(of: string, to: string, what: Measurable) {
      const others = figures(to, what)
      return median(figures(of, what).map((value, round) => value / (others[round] ?? Number.NaN)))
    }
  }
}

/**
 * Prints the table of these cases: medians of several launches, because ratios differ between launches of the same
 * code. `shown`: the columns in the documents, by default the ratios, the goal and the figures of the first contender.
 */
export async function compare(
  title: string,
  plan: Plan,
  launch: () => Promise<Case[]>,
  shown?: string[]
) {
  const results: (Case & { launches: Awaited<ReturnType<typeof takeTurns>>[] })[] = []
  for (let n = 0; n < plan.launches; n++) {
    const cases = await launch()
    // Warm up with many callers: with one, it would take minutes until V8 has compiled the code.
    for (const { contenders, callers } of cases) {
      for (const { target, requests } of Object.values(contenders)) {
        await load(target.port, requests, Math.max(callers, 64), plan.warmUpSeconds)
      }
    }
    for (const [index, one] of cases.entries()) {
      results[index] ??= { ...one, launches: [] }
      results[index].launches.push(await takeTurns(one, plan))
    }
    await stopAll()
  }
  const rows = results.map(({ name, goal, contenders, launches, isRateOnly }) => {
    const [first = '', ...others] = Object.keys(contenders)
    const isMost = goal !== undefined && 'most' in goal
    const over = (of: string, what: Measurable) =>
      median(launches.map((one) => one.figure(of, what)))
    const ratios = (to: string) =>
      launches.map((one) => one.ratio(first, to, isMost ? 'cpu' : 'perSecond'))
    const cells = others.map((to) => [
      `${isMost ? 'CPU to' : 'to'} ${to}`,
      median(ratios(to)).toFixed(2)
    ])
    const cpus = [first, ...others].map((of) => [`${of}, µs`, over(of, 'cpu').toFixed(1)])
    return [
      name,
      {
        ...Object.fromEntries(cells),
        ...(goal && {
          'each launch': ratios(goal.to)
            .map((ratio) => ratio.toFixed(2))
            .join(', '),
          'met (goal)': judge(median(ratios(goal.to)), isMost ? goal.most : goal.least, isMost)
        }),
        ...(!isRateOnly && Object.fromEntries(cpus)),
        [`${first}, a second`]: Math.round(over(first, 'perSecond'))
      }
    ]
  })
  const note = `launches: ${plan.launches}, rounds: ${plan.rounds} of ${plan.seconds.toFixed(1)} s; µs of CPU time`
  const [first, ...others] = new Set(results.flatMap(({ contenders }) => Object.keys(contenders)))
  const ratios = others.flatMap((to) => [`to ${to}`, `CPU to ${to}`])
  const usual = [...ratios, 'met (goal)', `${first}, µs`, `${first}, a second`]
  printTable(title, Object.fromEntries(rows), note, shown ?? usual)
}

export const list: Request = { method: 'GET', path: '/todo/index' }
export const read: Request = { method: 'GET', path: '/todo/item/id_5' }
export const create: Request = {
  method: 'POST',
  path: '/todo/index',
  body: '{"title":"Buy oat milk"}'
}
/** The same request, by each of these callers. */
export const asEach = (request: Request, callers: Record<string, string>[]): Request[] =>
  callers.map((headers) => ({ ...request, headers: { ...headers, ...request.headers } }))
