import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Caller, Request } from './caller.ts'
import type { Random } from './random.ts'
import type { Done, Reply } from './reply.ts'
import type { Report } from './report.ts'

/** A killed process holds its keys for 30 s. After this time, the answer must have come. */
const patienceMs = 60_000

interface Sent<T> {
  operation: string
  request: Request
  settle: (reply: Reply<T>) => void
  since: number
}

/** A body that is none of those that are sent, and the codes that it is refused with. */
type Other = Required<Pick<Request, 'body' | 'fails'>>

/**
 * Requests with an `Idempotency-Key`. If an answer was lost, the request is sent again until it has one.
 * If it has its answer, it must get the same answer again.
 */
export class Once<T> {
  #pending: Sent<T>[] = []
  readonly #answered: (Sent<T> & { bytes: Buffer })[] = []
  readonly #caller: Caller
  readonly #random: Random
  readonly #report: Report
  readonly #other: Other

  /** `other` must not be taken under a key that was used. */
  constructor(caller: Caller, random: Random, report: Report, other: Other) {
    this.#caller = caller
    this.#random = random
    this.#report = report
    this.#other = other
  }

  /** `settle` is called if an answer is lost, and later with the answer. `fails` are codes of the first answer. */
  async send(operation: string, request: Request, settle: (reply: Reply<T>) => void) {
    const headers = { ...request.headers, 'idempotency-key': randomUUID() }
    const sent = { operation, request: { ...request, headers }, settle, since: Date.now() }
    // Sometimes twice at once: only one of the two may act.
    const copies = this.#random.chance(0.2) ? 2 : 1
    const replies = await Promise.all(Array.from({ length: copies }, () => this.#try(sent)))
    const done = replies.filter((reply) => reply.kind === 'done')
    const [first, second] = done
    if (first && second) this.#compare(first, second, sent)
    if (first) return this.#settle(sent, first)
    const refused = replies.find((reply) => reply.kind === 'refused' && reply.code !== 'CONFLICT')
    if (refused) return settle(refused)
    settle({ kind: 'unknown' })
    this.#pending.push(sent)
  }

  /** Sends one request again; if there is one without an answer, that one. */
  async replay() {
    const [sent] = this.#pending
    if (sent) return this.#resolve(sent)
    const answered = this.#random.pick(this.#answered)
    if (!answered) return
    const isSame = this.#random.chance(0.7)
    const { operation, request } = answered
    const change = isSame ? { fails: [] } : this.#other
    const reply = await this.#caller.send<T>(operation, { ...request, ...change })
    if (reply.kind !== 'done') return
    if (isSame) this.#compare(answered, reply, answered)
    else this.#report.problem(`${operation}: a key was taken with another body`)
  }

  /** Ends when every request has its answer. */
  async finish() {
    while (this.#pending[0]) {
      await this.#resolve(this.#pending[0])
      if (this.#pending.length > 0) await wait(500)
    }
  }

  async #resolve(sent: Sent<T>) {
    this.#pending = this.#pending.filter((it) => it !== sent)
    const reply = await this.#try(sent)
    if (reply.kind === 'done') return this.#settle(sent, reply)
    if (reply.kind === 'refused' && reply.code !== 'CONFLICT') return sent.settle(reply)
    if (Date.now() > sent.since + patienceMs) {
      this.#report.problem(`${sent.operation}: no answer to a repeated key within a minute`)
    } else {
      this.#pending.push(sent)
    }
  }

  #try({ operation, request }: Sent<T>) {
    const { fails = [] } = request
    return this.#caller.send<T>(operation, { ...request, fails: [...fails, 'CONFLICT'] })
  }

  #settle(sent: Sent<T>, reply: Done<T>) {
    sent.settle(reply)
    this.#answered.push({ ...sent, bytes: reply.bytes })
    if (this.#answered.length > 20) this.#answered.shift()
  }

  #compare(first: { bytes: Buffer }, second: { bytes: Buffer }, { operation }: Sent<T>) {
    if (first.bytes.equals(second.bytes)) return
    this.#report.problem(`${operation}: a key gave ${first.bytes}, then ${second.bytes}`)
  }
}
