import { answerChecks } from './answers.ts'
import { requestsOf } from './arbitraries.ts'
import type { Context } from './context.ts'
import { readDocument, validators } from './document.ts'
import { type Answer, type Bounds, createExchange, Stopped, Unreachable } from './exchange.ts'
import { createJudge, type Report } from './report.ts'
import { checkCredentials, signIn } from './rules/credentials.ts'
import { checkItems } from './rules/items.ts'
import { checkProtocol } from './rules/methods.ts'
import { checkOrigins } from './rules/origins.ts'
import { checkReads } from './rules/reads.ts'
import { checkVersions } from './rules/versions.ts'

export { Unreachable } from './exchange.ts'

export interface Options {
  token?: string | undefined
  /** Who signs in, for what only a session may do. Only with `isWrite`. */
  user?: { user_id: string; user_pass: string } | undefined
  /** Also make, change and remove things. */
  isWrite: boolean
  seed: number
  /** How many requests are made up for each operation, of each kind. */
  runs?: number
  bounds?: Partial<Bounds>
  /** Certificates that are trusted in place of the usual ones, as PEM. */
  ca?: string
  /** Told of each step, with the number of requests so far. */
  progress?(step: string, requests: number, broken: number): void
}

/**
 * Compares a running service with its own document.
 * @throws Unreachable if there is no service, or it gives no document or no session.
 */
export async function verify(base: URL, options: Options): Promise<Report> {
  const { token, user, isWrite, seed, runs = 12, progress } = options
  const bounds = { requests: 5000, seconds: 300, ...options.bounds }
  const begin = Date.now()
  const notes: string[] = []
  let observe: (answer: Answer) => void = () => {}
  const exchange = createExchange(base, bounds, (answer) => observe(answer), options.ca)
  const verdict = createJudge(exchange.curlOf)
  const { judge } = verdict
  if (token !== undefined) exchange.ways.token = { authorization: `Bearer ${token}` }
  let stopped: string | null = null
  let signOut = async () => {}
  try {
    const document = await exchange.send({ method: 'GET', path: '/api-docs/json' })
    if (document.status !== 200 || !Object(document.json).paths) {
      throw new Unreachable(`${base.href} gives no document at /api-docs/json (${document.status})`)
    }
    const described = readDocument(JSON.parse(document.body))
    const valid = validators(described)
    observe = answerChecks(judge, described, valid, base.protocol === 'https:')
    const context: Context = {
      ...{ base, document, described, isWrite, judge, seed, runs, breaches: verdict.breaches },
      ...{ send: exchange.send, ways: exchange.ways, requests: requestsOf(described, valid) },
      ...{ good: new Map(), keys: new Map(), note: (text: string) => notes.push(text) }
    }
    if (token !== undefined) {
      const { status } = await exchange.send({
        method: 'GET',
        path: '/session/current',
        as: 'token'
      })
      if (status === 401) throw new Unreachable(`${base.href} refuses the token (401)`)
    }
    if (user) signOut = await signIn(context, user.user_id, user.user_pass)
    const steps = {
      reads: checkReads,
      methods: checkProtocol,
      credentials: checkCredentials,
      versions: checkVersions,
      origins: checkOrigins,
      ...(isWrite && { items: checkItems })
    }
    for (const [name, step] of Object.entries(steps)) {
      progress?.(name, exchange.sent, verdict.breaches())
      await step(context)
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    stopped = error.message
  } finally {
    await signOut()
    await exchange.close()
  }
  const seconds = Math.round((Date.now() - begin) / 100) / 10
  const url = base.href
  return { url, seed, requests: exchange.sent, seconds, stopped, notes, ...verdict.results() }
}
