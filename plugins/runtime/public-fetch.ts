import { BlockList, isIP, isIPv4, type LookupFunction, type Socket } from 'node:net'
import type { RequestInit } from 'undici'
import { unbracketed } from '../../schemas/host.ts'
import { makeLookup } from './lookup.ts'

/** Addresses of special use (RFC 6890), which are not in the public internet. */
const special = new BlockList()
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']
]) {
  const [address = '', prefix] = network.split('/')
  special.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** All that is public of IPv6. What stands for an IPv4 address, in any way, is not in it. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

export const isPublic = (address: string) =>
  isIPv4(address)
    ? !special.check(address, 'ipv4')
    : isIP(address) === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')

/** A host has an address that may not be connected to. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} has no public address`)
  }
}

/**
 * Connects to where somebody else has said: to public addresses only, so that nobody reaches the machines
 * around this one through it (SSRF). Fails with NotPublic. A test gives other names, addresses and times.
 * Loads undici, which most processes never need.
 * @param onConnect Gets each new connection, and to which host it leads.
 */
export async function makePublicAgent({
  lookup = makeLookup(),
  isAllowed = isPublic,
  timeoutMs = 5000,
  onConnect = (_socket: Socket, _host: string) => {}
} = {}) {
  const { Agent, buildConnector } = await import('undici')
  /** Finds the addresses that are then connected to, and refuses a name with any that is not public. */
  const lookupPublic: LookupFunction = (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (!first || !addresses.every(({ address }) => isAllowed(address))) {
          callback(new NotPublic(hostname), [])
        } else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, [])
    )
  }
  const connect = buildConnector({ lookup: lookupPublic, timeout: timeoutMs })
  return new Agent({
    connect(options, callback) {
      const host = unbracketed(options.hostname)
      // An address is connected to without a look-up.
      if (isIP(host) && !isAllowed(host)) return callback(new NotPublic(host), null)
      connect(options, (...outcome) => {
        if (outcome[1]) onConnect(outcome[1], host)
        callback(...outcome)
      })
    }
  })
}

/** Makes `publicFetch`. `timeoutMs` is for the whole of a request: connection, headers and body. */
export function makePublicFetch({
  timeoutMs = 5000,
  ...options
}: Parameters<typeof makePublicAgent>[0] = {}) {
  let agent: ReturnType<typeof makePublicAgent> | undefined
  return async (url: string | URL, init: RequestInit = {}) => {
    agent ??= makePublicAgent({ timeoutMs, ...options })
    const dispatcher = await agent
    const { fetch } = await import('undici')
    const signal = AbortSignal.timeout(timeoutMs)
    return fetch(url, { ...init, dispatcher, redirect: 'manual', signal })
  }
}

/**
 * Fetches a URL that somebody else has chosen, from public addresses, without redirects and within 5 s.
 * Anybody may ask for it, so two names are looked up at a time: webhooks have look-ups of their own.
 */
export const publicFetch = makePublicFetch({
  lookup: makeLookup({ atOnce: 2, rememberMs: 10_000 })
})
