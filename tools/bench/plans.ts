import { furnishedPlace, signIn, startService, writer } from './place.ts'
import { median, printTable } from './report.ts'

/** How many of each are sent in a round. */
const perRound = 40
const steps = Array.from({ length: 10 }, (_, n) => ({
  operation: 'createTodo',
  arguments: { title: `Buy oat milk ${n}` }
}))

interface Answer {
  status: string
  plan?: { id: number }
  token?: string
}

/**
 * The CPU time of the service: a plan of ten creates, proposed and applied, beside one create, and a create by a
 * token with a budget of changes beside one by a token without.
 */
export async function measurePlans(rounds: number) {
  const target = await startService(await furnishedPlace())
  const session = await signIn(target.port, writer.user_id)
  const post = async (path: string, body?: object, headers: Record<string, string> = session) => {
    const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(target.base + path, init)
    const { Data } = (await answer.json()) as { Data: Answer }
    if (Data.status !== 'success') throw new Error(`${path}: ${JSON.stringify(Data)}`)
    return Data
  }
  const bearer = async (changes_max: number | null) => {
    const wanted = { name: 'bench', scopes: ['todo:write'], changes_max }
    const { token } = await post('/accesstoken/index', wanted)
    return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  }
  const create = (headers?: Record<string, string>) =>
    post('/todo/index', { title: 'Buy oat milk' }, headers)
  async function plan() {
    const proposed = await post('/plan/index', { purpose: 'Shopping', steps })
    await post(`/plan/apply/id_${proposed.plan?.id}`)
  }
  const [unlimited, limited] = [await bearer(null), await bearer(1_000_000)]
  async function cpuOf(work: () => Promise<unknown>) {
    const before = await target.cpu()
    for (let n = 0; n < perRound; n++) await work()
    return ((await target.cpu()) - before) / perRound
  }
  async function beside(one: () => Promise<unknown>, other: () => Promise<unknown>) {
    for (const work of [one, other]) for (let n = 0; n < 3; n++) await cpuOf(work)
    const ratios: number[] = []
    const figures: number[] = []
    for (let round = 0; round < rounds; round++) {
      const [less, more] = [await cpuOf(one), await cpuOf(other)]
      ratios.push(more / less)
      figures.push(more)
    }
    return { ratio: median(ratios).toFixed(2), µs: median(figures).toFixed(0) }
  }
  const rows = {
    'plan of ten creates, proposed and applied, to a create': {
      ...(await beside(() => create(), plan)),
      'at most': '25'
    },
    'create by a token, to one by a session': {
      ...(await beside(
        () => create(),
        () => create(unlimited)
      )),
      'at most': '-'
    },
    'create by a token with a budget, to one without': {
      ...(await beside(
        () => create(unlimited),
        () => create(limited)
      )),
      'at most': '-'
    }
  }
  const note = `rounds: ${rounds} of ${perRound}; µs of CPU time`
  printTable('plans', rows, note)
}
