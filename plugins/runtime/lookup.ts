import { type LookupAddress, NODATA, NOTFOUND, promises } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isLoopback } from '../../schemas/host.ts'

/** Finds the addresses of a name. */
export type Lookup = (name: string) => Promise<LookupAddress[]>

/** How many failures are remembered. */
const maxRemembered = 1000

/** Fails as `getaddrinfo` does: ENOTFOUND if there is no such name, EAI_AGAIN if nobody has said. */
const failure = (code: 'ENOTFOUND' | 'EAI_AGAIN', name: string) =>
  Object.assign(new Error(`${code} ${name}`), { code })

const addressOf = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4
})

const ownHostsFile =
  process.platform === 'win32' ? 'C:/Windows/System32/drivers/etc/hosts' : '/etc/hosts'

/** What the file /etc/hosts says of a name. */
async function inHostsFile(name: string, file: string) {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    return names.some((one) => one.toLowerCase() === name) ? [address] : []
  })
}

/**
 * Looks up names that somebody else has chosen, and whose name servers may never answer. `dns.lookup` would
 * hold a thread of the process until they do, and there are four, which files and the database need as well.
 * `atOnce` look-ups run at a time; others wait `waitMs` for their turn, and then `answerMs` for the answer.
 * A name that was not found fails at once for `rememberMs`.
 */
export function makeLookup({
  atOnce = 64,
  waitMs = 1500,
  answerMs = 2500,
  rememberMs = 0,
  servers = null as readonly string[] | null,
  hostsFile = ownHostsFile
} = {}): Lookup {
  let running = 0
  const waiting: (() => void)[] = []
  const failed = new Map<string, { error: Error; until: number }>()

  async function inTurn<T>(name: string, work: () => Promise<T>) {
    if (running < atOnce) running += 1
    else {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push(resolve)
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(resolve), 1)
        reject(failure('EAI_AGAIN', name))
      }, waitMs)
      await promise.finally(() => clearTimeout(timer))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  async function ask(name: string) {
    // One for each look-up: `cancel` ends all of its own, and a changed /etc/resolv.conf counts.
    const resolver = new promises.Resolver({ timeout: 1000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), answerMs)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    clearTimeout(timer)
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length > 0) return found
    const isAbsent = answers.every(
      (one) => one.status === 'rejected' && [NODATA, NOTFOUND].includes(one.reason.code)
    )
    throw failure(isAbsent ? 'ENOTFOUND' : 'EAI_AGAIN', name)
  }

  async function askOnce(name: string) {
    const known = failed.get(name)
    if (known && known.until > performance.now()) throw known.error
    failed.delete(name)
    try {
      return await ask(name)
    } catch (error) {
      const [oldest] = failed.keys()
      if (oldest !== undefined && failed.size >= maxRemembered) failed.delete(oldest)
      failed.set(name, { error: error as Error, until: performance.now() + rememberMs })
      throw error
    }
  }

  return async function lookup(hostname) {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    if (isLoopback(name)) return ['127.0.0.1', '::1'].map(addressOf)
    const here = await inHostsFile(name, hostsFile)
    const found = here.length > 0 ? here : await inTurn(name, () => askOnce(name))
    return found.map(addressOf)
  }
}
