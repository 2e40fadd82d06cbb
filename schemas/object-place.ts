import { FormatRegistry } from '@sinclair/typebox'
import { isLoopback } from './host.ts'

/** Where an object store keeps the files of attachments. */
export interface ObjectPlace {
  bucket: string
  /** What every name begins with: empty, or ending with `/`. */
  prefix: string
  region: string
  /** Address of a store that is not AWS's; its buckets are addressed by path. */
  endpoint: string | undefined
}

/** Also the names of AWS, in which a bucket is a part of the host's name. */
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixPattern = /^([\w!*'()-][\w.!*'()-]*\/)*$/
const regionPattern = /^[A-Za-z0-9-]{1,64}$/

function isEndpoint(text: string) {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return url.username === '' && url.password === '' && !/[?#]/.test(text)
}

/** Reads `s3://bucket/prefix?region=...&endpoint=...`. Undefined if it is not such a URL. */
export function objectPlaceOf(text: string): ObjectPlace | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) {
    return undefined
  }
  const given = Object.fromEntries(url.searchParams)
  const { region, endpoint, ...others } = given
  const isClear = url.searchParams.size === Object.keys(given).length
  const prefix = url.pathname.replace(/^\/|\/$/g, '').replace(/.$/, '$&/')
  const isPlace =
    isClear &&
    Object.keys(others).length === 0 &&
    bucketPattern.test(url.hostname) &&
    prefixPattern.test(prefix) &&
    (region === undefined ? endpoint !== undefined : regionPattern.test(region)) &&
    (endpoint === undefined || isEndpoint(endpoint))
  if (!isPlace) return undefined
  // Stores without regions take any; this is the usual one.
  return { bucket: url.hostname, prefix, region: region ?? 'us-east-1', endpoint }
}

FormatRegistry.Set('object-store-url', (text) => text === '' || objectPlaceOf(text) !== undefined)

/** Whether the connection to an object store uses TLS or stays on this machine. */
export function isPrivateStore(text: string): boolean {
  const endpoint = objectPlaceOf(text)?.endpoint
  if (endpoint === undefined) return true
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'https:' || isLoopback(hostname)
}
