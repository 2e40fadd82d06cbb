import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    background: {
      /** Runs `job` after the answer. False, and nothing is kept, where the queue is full. */
      add(name: string, job: (signal: AbortSignal) => Promise<void>): boolean
      /** Resolves when nothing is waiting or running. */
      idle(): Promise<void>
    }
  }
}

const maxWaiting = 1000
const maxRunning = 4
/** What a shutdown grants to jobs before it tells them to stop waiting for a better moment. */
const graceMs = 3000

/**
 * Work that is done after the answer, so that it shows in no response time: a bounded queue in
 * memory, drained at shutdown. `signal` tells a job to stop waiting between its tries.
 */
export default fp(
  async (app) => {
    const waiting: { name: string; job: (signal: AbortSignal) => Promise<void> }[] = []
    const closing = new AbortController()
    let running = 0
    let idle = Promise.withResolvers<void>()
    idle.resolve()

    async function work() {
      running += 1
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          await next.job(closing.signal)
        } catch (err) {
          app.log.error({ err, job: next.name }, 'background job failed')
        }
      }
      running -= 1
      if (running === 0) idle.resolve()
    }

    app.decorate('background', {
      add(name, job) {
        if (waiting.length >= maxWaiting) {
          app.log.error({ job: name }, 'background queue is full')
          return false
        }
        if (running === 0 && waiting.length === 0) idle = Promise.withResolvers()
        waiting.push({ name, job })
        if (running < maxRunning) setImmediate(work)
        return true
      },
      idle: () => idle.promise
    })

    app.addHook('onClose', async () => {
      const timer = setTimeout(() => closing.abort(), graceMs)
      await idle.promise
      clearTimeout(timer)
    })
  },
  { name: 'background', fastify: '5.x', dependencies: ['database', 'mail'] }
)
