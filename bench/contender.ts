import { load, type Request } from './load.ts'
import { median } from './report.ts'

export interface Plan {
  launches: number
  rounds: number
  seconds: number
  warmUpSeconds: number
}

/** A server that is measured; it can report its CPU time. */
export interface Server {
  readonly port: number
  /** CPU time so far, in microseconds. */
  cpu(): Promise<number>
}

/** A server in a comparison, the request that it gets, and the results. */
export class Contender {
  readonly #server: Server
  readonly #request: Request | Request[]
  readonly #perSecond: number[] = []
  readonly #cpu: number[] = []

  constructor(server: Server, request: Request | Request[]) {
    this.#server = server
    this.#request = request
  }

  warmUp(callers: number, seconds: number) {
    return load(this.#server.port, this.#request, callers, seconds)
  }

  async sample(callers: number, seconds: number) {
    const before = await this.#server.cpu()
    const { answers, perSecond } = await load(this.#server.port, this.#request, callers, seconds)
    this.#cpu.push(((await this.#server.cpu()) - before) / answers)
    this.#perSecond.push(perSecond)
  }

  /** Answers per second, the median. */
  get perSecond() {
    return median(this.#perSecond)
  }

  /** Microseconds of the server's CPU per answer, the median. */
  get cpu() {
    return median(this.#cpu)
  }
}

/** Measures servers in turn, so that a slow moment of the machine affects all of them. */
export async function takeTurns(contenders: Contender[], callers: number, plan: Plan) {
  // Warm up with many callers: with one, it would take minutes until V8 has compiled the code.
  for (const contender of contenders) {
    await contender.warmUp(Math.max(callers, 64), plan.warmUpSeconds)
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const contender of contenders) await contender.sample(callers, plan.seconds)
  }
}

export const list: Request = { method: 'GET', path: '/todo/index' }
export const read: Request = { method: 'GET', path: '/todo/item/id_5' }
export const create: Request = {
  method: 'POST',
  path: '/todo/index',
  body: '{"title":"Buy oat milk"}'
}
