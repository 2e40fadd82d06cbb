import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Config } from '../../../schemas/config.ts'
import { type Count, Listeners, type Peers } from './index.ts'
import { localPeers } from './local.ts'

/** Counts and sets the expiry in one step, so that no key stays forever. */
const countScript = `
local current = redis.call('INCRBY', KEYS[1], ARGV[2])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return { current, ttl }`

/** Reads, for each key, its count and the rest of its window, in one step; -2 if no window is running. */
const peekScript = `
local result = {}
for _, key in ipairs(KEYS) do
  result[#result + 1] = tonumber(redis.call('GET', key) or 0)
  result[#result + 1] = redis.call('PTTL', key)
end
return result`

type RedisOptions = Pick<Config, 'SVC_REDIS_URL' | 'SVC_REDIS_PREFIX'>

/**
 * For several processes or machines. While Redis cannot be reached, each process counts by itself: a
 * limit then holds for each process, and no request fails because of Redis. Resolves when the first
 * attempt to connect has succeeded or failed.
 * @param onChange Called when Redis goes away and when it is back.
 */
export async function redisPeers(
  { SVC_REDIS_URL: url, SVC_REDIS_PREFIX: prefix }: RedisOptions,
  onChange: (state: 'away' | 'back') => void = () => {}
): Promise<Peers> {
  const options = {
    // A request does not wait for Redis to come back.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    commandTimeout: 250,
    retryStrategy: (tries: number) => Math.min(tries * 100, 2000)
  }
  const commands = new Redis(url, options)
  // The subscriber queues its one command until it is connected, and sends it again after a reconnect.
  const subscriber = new Redis(url, {
    ...options,
    enableOfflineQueue: true,
    commandTimeout: 10_000
  })
  const fallback = localPeers(Date.now)
  const listeners = new Listeners()
  const self = crypto.randomUUID()
  let closing = false
  let away = false

  const report = (state: 'away' | 'back') => {
    if (closing || away === (state === 'away')) return
    away = state === 'away'
    onChange(state)
  }
  /** Call it if a command failed on an open connection: Redis is there, but too slow. */
  const reportSlow = () => {
    if (commands.status === 'ready') report('away')
  }
  commands.on('error', () => report('away'))
  commands.on('close', () => report('away'))
  commands.on('ready', () => report('back'))
  subscriber.on('error', () => {})
  subscriber.on('ready', () => subscriber.subscribe(`${prefix}messages`).catch(() => {}))
  subscriber.on('message', (_channel, text) => {
    const [from, topic = '', message = ''] = text.split(' ')
    if (from !== self) listeners.tell(topic, message)
  })

  await once(commands, 'ready').catch(() => {})
  return {
    async count(key, windowMs, by = 1): Promise<Count> {
      try {
        const answer = await commands.eval(countScript, 1, `${prefix}count:${key}`, windowMs, by)
        const [current, ttl] = answer as [number, number]
        report('back')
        return { current, ttl }
      } catch {
        reportSlow()
        return fallback.count(key, windowMs, by)
      }
    },
    async peek(keys) {
      try {
        const names = keys.map((key) => `${prefix}count:${key}`)
        const answer = (await commands.eval(peekScript, names.length, ...names)) as number[]
        report('back')
        return keys.map((_key, index) => {
          const [current = 0, ttl = -2] = answer.slice(2 * index)
          return ttl > 0 ? { current, ttl } : null
        })
      } catch {
        reportSlow()
        return fallback.peek(keys)
      }
    },
    publish(topic, message) {
      commands.publish(`${prefix}messages`, `${self} ${topic} ${message}`).catch(reportSlow)
    },
    subscribe: (topic, listener) => listeners.add(topic, listener),
    async close() {
      closing = true
      commands.disconnect()
      subscriber.disconnect()
    }
  }
}
