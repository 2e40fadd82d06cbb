import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { localPeers } from './local.ts'
import { type Count, Listeners, type Peers } from './peers.ts'

/** What a worker sends to the primary process. */
type Request =
  | { kind: 'count'; id: number; key: string; windowMs: number }
  | { kind: 'peek'; id: number; keys: readonly string[] }
  | { kind: 'publish'; topic: string; message: string }
  | { kind: 'metrics'; id: number }

/** What the primary process sends to a worker. */
type Response =
  | { kind: 'count'; id: number; count: Count }
  | { kind: 'peek'; id: number; counts: (Count | null)[] }
  | { kind: 'publish'; topic: string; message: string }
  | { kind: 'metrics'; id: number; text: string }

/** In the primary process: keeps the counters of the workers and forwards their messages. */
export function serveWorkers() {
  const counters = localPeers(Date.now)
  const aggregator = new AggregatorRegistry()
  const send = (worker: Worker, response: Response) => {
    // It may have been killed since it asked: then nobody waits for the answer.
    if (worker.isConnected()) worker.send(response, () => {})
  }
  cluster.on('message', async (sender, request: Request) => {
    if (request.kind === 'count') {
      const count = await counters.count(request.key, request.windowMs)
      send(sender, { kind: 'count', id: request.id, count })
    } else if (request.kind === 'peek') {
      const counts = await counters.peek(request.keys)
      send(sender, { kind: 'peek', id: request.id, counts })
    } else if (request.kind === 'metrics') {
      const text = await aggregator.clusterMetrics().catch(() => '')
      send(sender, { kind: 'metrics', id: request.id, text })
    } else if (request.kind === 'publish') {
      for (const worker of Object.values(cluster.workers ?? {})) {
        if (worker && worker !== sender) send(worker, request)
      }
    }
  })
}

/** In a worker: counters, messages and metrics go through the primary process. */
export function workerPeers(): Peers {
  const waiting = new Map<number, (response: Response) => void>()
  const listeners = new Listeners()
  let lastId = 0

  const hear = (response: Response) => {
    if (response.kind === 'publish') listeners.tell(response.topic, response.message)
    else {
      waiting.get(response.id)?.(response)
      waiting.delete(response.id)
    }
  }
  process.on('message', hear)
  const send = (request: Request) => process.send?.(request)

  function ask(request: (id: number) => Request): Promise<Response> {
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      send(request(id))
    })
  }

  return {
    async count(key, windowMs) {
      const response = await ask((id) => ({ kind: 'count', id, key, windowMs }))
      return response.kind === 'count' ? response.count : { current: 0, ttl: windowMs }
    },
    async peek(keys) {
      const response = await ask((id) => ({ kind: 'peek', id, keys }))
      return response.kind === 'peek' ? response.counts : keys.map(() => null)
    },
    publish: (topic, message) => send({ kind: 'publish', topic, message }),
    subscribe: (topic, listener) => listeners.add(topic, listener),
    gatherMetrics(own) {
      // Its constructor makes this worker answer when the primary process collects metrics.
      new AggregatorRegistry()
      AggregatorRegistry.setRegistries([own])
      return async () => {
        const response = await ask((id) => ({ kind: 'metrics', id }))
        return response.kind === 'metrics' ? response.text : ''
      }
    },
    async close() {
      process.off('message', hear)
    }
  }
}
