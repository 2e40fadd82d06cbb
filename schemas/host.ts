import { BlockList, isIP, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** A host as a URL writes it, with an IPv6 address in brackets (RFC 3986 §3.2.2). */
export const bracketed = (host: string) => (isIPv6(host) ? `[${host}]` : host)

/** A host as sockets take it: an IPv6 address without the brackets of a URL. */
export const unbracketed = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** Whether a host, with or without brackets, is this machine: 127.0.0.0/8, ::1, or `localhost` (RFC 6761 §6.3). */
export function isLoopback(host: string): boolean {
  const name = unbracketed(host).toLowerCase()
  const family = isIP(name)
  if (family === 0) return /^([a-z0-9-]+\.)*localhost\.?$/.test(name)
  return loopback.check(name, family === 4 ? 'ipv4' : 'ipv6')
}
