import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Config } from '../../schemas/config.ts'
import { localShared } from './local.ts'
import { type Count, Listeners, type Shared } from './shared.ts'

/** One step, so that no key is left without an end. */
const countScript = `
local current = redis.call('INCR', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return { current, ttl }`

type RedisOptions = Pick<Config, 'SVC_REDIS_URL' | 'SVC_REDIS_PREFIX'>

/**
 * For several processes or machines. While Redis is away, limits go on with counters of this
 * process alone: a limit then holds for each process, and nobody is refused for it. Resolves once
 * it is connected, or has failed to.
 * @param onChange Told when Redis goes away and when it is back.
 */
export async function redisShared(
  { SVC_REDIS_URL: url, SVC_REDIS_PREFIX: prefix }: RedisOptions,
  onChange: (state: 'away' | 'back') => void = () => {}
): Promise<Shared> {
  const options = {
    // A request does not wait for Redis to come back.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    commandTimeout: 250,
    retryStrategy: (tries: number) => Math.min(tries * 100, 2000)
  }
  const commands = new Redis(url, options)
  // The subscriber waits for its connection: its one command is sent again after each.
  const subscriber = new Redis(url, {
    ...options,
    enableOfflineQueue: true,
    commandTimeout: 10_000
  })
  const fallback = localShared(Date.now)
  const listeners = new Listeners()
  const self = crypto.randomUUID()
  let closing = false
  let away = false

  const report = (state: 'away' | 'back') => {
    if (closing || away === (state === 'away')) return
    away = state === 'away'
    onChange(state)
  }
  /** A command that failed on an open connection: Redis is there, and too slow. */
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
    async count(key, windowMs): Promise<Count> {
      try {
        const answer = await commands.eval(countScript, 1, `${prefix}count:${key}`, windowMs)
        const [current, ttl] = answer as [number, number]
        report('back')
        return { current, ttl }
      } catch {
        reportSlow()
        return fallback.count(key, windowMs)
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
