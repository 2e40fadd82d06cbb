import { furnishedPlace, signIn, startService, writer } from './place.ts'
import { median, printTable } from './report.ts'

/** How many of each are sent in a round. */
const perRound = 40
const steps = Array.from({ length: 10 }, (_, n) => ({
  operation: 'createTodo',
  arguments: { title: `Buy oat milk ${n}` }
}))

/** A plan of ten creates, proposed and applied, beside one create: the CPU time of the service. */
export async function measurePlans(rounds: number) {
  const target = await startService(await furnishedPlace())
  const headers = await signIn(target.port, writer.user_id)
  const post = async (path: string, body?: object) => {
    const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(target.base + path, init)
    const { Data } = (await answer.json()) as { Data: { status: string; plan?: { id: number } } }
    if (Data.status !== 'success') throw new Error(`${path}: ${JSON.stringify(Data)}`)
    return Data
  }
  const create = () => post('/todo/index', { title: 'Buy oat milk' })
  async function plan() {
    const proposed = await post('/plan/index', { purpose: 'Shopping', steps })
    await post(`/plan/apply/id_${proposed.plan?.id}`)
  }
  async function cpuOf(work: () => Promise<unknown>) {
    const before = await target.cpu()
    for (let n = 0; n < perRound; n++) await work()
    return ((await target.cpu()) - before) / perRound
  }
  for (const work of [create, plan]) for (let n = 0; n < 3; n++) await cpuOf(work)
  const ratios: number[] = []
  const figures: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [one, ten] = [await cpuOf(create), await cpuOf(plan)]
    ratios.push(ten / one)
    figures.push(ten)
  }
  const row = {
    'CPU to a create': median(ratios).toFixed(1),
    'at most': '25',
    µs: median(figures).toFixed(0)
  }
  const note = `rounds: ${rounds} of ${perRound}; µs of CPU time`
  printTable('plans', { 'plan of ten creates, proposed and applied': row }, note, Object.keys(row))
}
