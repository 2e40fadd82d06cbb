import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isPooled } from '../../../db/postgres/session.ts'
import type { Config } from '../../../schemas/config.ts'
import { Listeners, type Peers } from './index.ts'

/** All processes on one database are one service, so one channel is enough. */
const channel = 'gatehouse'
const retryMs = 1000
/** Messages that wait for the connection; beyond it, they are dropped. */
const maxWaiting = 100

/**
 * Sends messages through the PostgreSQL database that the processes share, on a connection of its own;
 * counters stay with `local`. While the connection is lost, so are messages. Resolves when the first
 * attempt to connect has succeeded or failed. Through a pooler nobody can listen: without an URL past it, only `local`
 * is left, and every listener looks into the database from time to time.
 * @param onPooler Called in that case.
 */
export async function postgresPeers(
  config: Pick<Config, 'SVC_DATABASE_URL'> & Partial<Pick<Config, 'SVC_DATABASE_DIRECT_URL'>>,
  local: Peers,
  onPooler: () => void = () => {}
): Promise<Peers> {
  const connectionString = config.SVC_DATABASE_DIRECT_URL || config.SVC_DATABASE_URL
  const listeners = new Listeners()
  const self = crypto.randomUUID()
  const closing = new AbortController()
  const tried = Promise.withResolvers<void>()
  let client: pg.Client | undefined
  let waiting = 0
  let isDeaf = false

  async function listen() {
    const next = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 2000,
      // A message does not wait for the answer to the one before.
      pipeline: true
    })
    const lost = new Promise((resolve) => next.once('end', resolve).on('error', resolve))
    next.on('notification', ({ payload = '' }) => {
      const [from, topic = '', message = ''] = payload.split(' ')
      if (from !== self) listeners.tell(topic, message)
    })
    try {
      await next.connect()
      isDeaf = !config.SVC_DATABASE_DIRECT_URL && (await isPooled(next))
      if (isDeaf) throw new Error('a pooler loses LISTEN')
      await next.query(`LISTEN ${channel}`)
      client = next
      tried.resolve()
      await lost
    } catch {
      // Tried again below.
    }
    client = undefined
    tried.resolve()
    next.end().catch(() => {})
  }
  async function keepListening() {
    while (!closing.signal.aborted) {
      await listen()
      if (isDeaf) return onPooler()
      await wait(retryMs, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }
  const running = keepListening()
  await tried.promise
  if (isDeaf) return local

  return {
    ...local,
    isAlone: false,
    publish(topic, message) {
      if (!client || waiting === maxWaiting) return
      waiting += 1
      client
        .query('SELECT pg_notify($1, $2)', [channel, `${self} ${topic} ${message}`])
        .catch(() => {})
        .finally(() => {
          waiting -= 1
        })
    },
    subscribe: (topic, listener) => listeners.add(topic, listener),
    async close() {
      closing.abort()
      await client?.end().catch(() => {})
      await running
      await local.close()
    }
  }
}
