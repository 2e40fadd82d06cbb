import cluster, { type Worker } from 'node:cluster'
import type { EventEmitter } from 'node:events'
import type { Declaration } from '../../../schemas/area/declaration.ts'
import { type Count, Listeners, type Peers } from './index.ts'
import { localPeers } from './local.ts'

/** What a worker sends to the primary process. */
type Request =
  | { kind: 'count'; id: number; key: string; windowMs: number; by: number }
  | { kind: 'peek'; id: number; keys: readonly string[] }
  | { kind: 'publish'; topic: string; message: string }
  | { kind: 'metrics'; id: number }
  | { kind: 'areas' }

/** What the primary process sends to a worker. */
type Response =
  | { kind: 'count'; id: number; count: Count }
  | { kind: 'peek'; id: number; counts: (Count | null)[] }
  | { kind: 'publish'; topic: string; message: string }
  | { kind: 'metrics'; id: number; text: string }
  | { kind: 'areas'; areas: readonly Declaration[] }
  | { kind: 'close' }

/** The channel of a worker. */
type Primary = EventEmitter & { send?(request: Request): unknown }

/** In the primary process: keeps the counters of the workers, forwards their messages, and tells them the declared areas. */
export function serveWorkers(areas: () => readonly Declaration[]) {
  const counters = localPeers(Date.now)
  const load = async () => new (await import('prom-client')).AggregatorRegistry()
  let aggregator: ReturnType<typeof load> | undefined
  const send = (worker: Worker, response: Response) => {
    // It may have been killed since it asked: then nobody waits for the answer.
    if (worker.isConnected()) worker.send(response, () => {})
  }
  cluster.on('message', async (sender, request: Request) => {
    if (request.kind === 'count') {
      const count = await counters.count(request.key, request.windowMs, request.by)
      send(sender, { kind: 'count', id: request.id, count })
    } else if (request.kind === 'peek') {
      const counts = await counters.peek(request.keys)
      send(sender, { kind: 'peek', id: request.id, counts })
    } else if (request.kind === 'areas') {
      send(sender, { kind: 'areas', areas: areas() })
    } else if (request.kind === 'metrics') {
      aggregator ??= load()
      const text = await (await aggregator).clusterMetrics().catch(() => '')
      send(sender, { kind: 'metrics', id: request.id, text })
    } else if (request.kind === 'publish') {
      for (const worker of Object.values(cluster.workers ?? {})) {
        if (worker && worker !== sender) send(worker, request)
      }
    }
  })
}

/** In a worker: the declared areas as the primary process has read them, so that all workers have the same. */
export async function areasOfPrimary(primary: Primary = process) {
  const { promise, resolve } = Promise.withResolvers<readonly Declaration[]>()
  const onMessage = (response: Response) => {
    if (response.kind === 'areas') resolve(response.areas)
  }
  primary.on('message', onMessage)
  primary.send?.({ kind: 'areas' })
  const areas = await promise
  primary.off('message', onMessage)
  return areas
}

/** In the primary process: lets a worker end in order. Windows has no signals: there one would kill it. */
export function closeWorker(worker: Worker) {
  if (process.platform !== 'win32') worker.process.kill('SIGTERM')
  else worker.send({ kind: 'close' } satisfies Response, () => {})
}

/** In a worker on Windows: calls `close` when the primary process wants its end. */
export function onCloseWorker(close: () => void, primary: Primary = process) {
  primary.on('message', (response: Response) => {
    if (response.kind === 'close') close()
  })
}

/** How long a worker waits for a count, in milliseconds. The primary process does nothing else that takes time. */
const countMs = 1000
/** prom-client waits 5 seconds for the workers. */
const metricsMs = 10_000

/**
 * In a worker: counters, messages and metrics go through the primary process. While that does not
 * answer, each worker counts by itself.
 */
export function workerPeers(primary: Primary = process): Peers {
  const waiting = new Map<number, (response: Response) => void>()
  const listeners = new Listeners()
  const fallback = localPeers(Date.now)
  let lastId = 0

  const onMessage = (response: Response) => {
    if (response.kind === 'publish') listeners.tell(response.topic, response.message)
    else if (response.kind !== 'areas' && response.kind !== 'close')
      waiting.get(response.id)?.(response)
  }
  primary.on('message', onMessage)
  const send = (request: Request) => primary.send?.(request)

  /** Undefined if there is no answer in time. */
  async function ask(limitMs: number, request: (id: number) => Request) {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<Response | undefined>()
    waiting.set(id, resolve)
    const timer = setTimeout(() => resolve(undefined), limitMs)
    send(request(id))
    const response = await promise
    clearTimeout(timer)
    waiting.delete(id)
    return response
  }

  return {
    async count(key, windowMs, by = 1) {
      const response = await ask(countMs, (id) => ({ kind: 'count', id, key, windowMs, by }))
      return response?.kind === 'count' ? response.count : fallback.count(key, windowMs, by)
    },
    async peek(keys) {
      const response = await ask(countMs, (id) => ({ kind: 'peek', id, keys }))
      return response?.kind === 'peek' ? response.counts : fallback.peek(keys)
    },
    publish: (topic, message) => send({ kind: 'publish', topic, message }),
    subscribe: (topic, listener) => listeners.add(topic, listener),
    async gatherMetrics(own) {
      const { AggregatorRegistry } = await import('prom-client')
      // Its constructor makes this worker answer when the primary process collects metrics.
      new AggregatorRegistry()
      AggregatorRegistry.setRegistries([own])
      return async () => {
        const response = await ask(metricsMs, (id) => ({ kind: 'metrics', id }))
        return response?.kind === 'metrics' ? response.text : ''
      }
    },
    async close() {
      primary.off('message', onMessage)
    }
  }
}
