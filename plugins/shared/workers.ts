import cluster, { type Worker } from 'node:cluster'
import { localShared } from './local.ts'
import { type Count, Listeners, type Shared } from './shared.ts'

/** What a worker sends to the primary process. */
type Request =
  | { kind: 'count'; id: number; key: string; windowMs: number }
  | { kind: 'publish'; topic: string; message: string }

/** What the primary process sends to a worker. */
type Response =
  | { kind: 'count'; id: number; count: Count }
  | { kind: 'publish'; topic: string; message: string }

/** In the primary process: keeps the counters of its workers and passes their messages on. */
export function serveWorkers() {
  const counters = localShared(Date.now)
  const send = (worker: Worker, response: Response) => {
    if (worker.isConnected()) worker.send(response)
  }
  cluster.on('message', async (sender, request: Request) => {
    if (request.kind === 'count') {
      const count = await counters.count(request.key, request.windowMs)
      send(sender, { kind: 'count', id: request.id, count })
    } else if (request.kind === 'publish') {
      for (const worker of Object.values(cluster.workers ?? {})) {
        if (worker && worker !== sender) send(worker, request)
      }
    }
  })
}

/** In a worker: counters and messages go through the primary process. */
export function workerShared(): Shared {
  const waiting = new Map<number, (count: Count) => void>()
  const listeners = new Listeners()
  let lastId = 0

  const hear = (response: Response) => {
    if (response.kind === 'publish') listeners.tell(response.topic, response.message)
    else if (response.kind === 'count') {
      waiting.get(response.id)?.(response.count)
      waiting.delete(response.id)
    }
  }
  process.on('message', hear)
  const send = (request: Request) => process.send?.(request)

  return {
    count(key, windowMs) {
      lastId += 1
      const id = lastId
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ kind: 'count', id, key, windowMs })
      })
    },
    publish: (topic, message) => send({ kind: 'publish', topic, message }),
    subscribe: (topic, listener) => listeners.add(topic, listener),
    async close() {
      process.off('message', hear)
    }
  }
}
