import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    background: {
      /** Runs `job` after the answer. False, and nothing is kept, where the queue is full. */
      add(name: string, job: (signal: AbortSignal) => Promise<void>): boolean
      /** Resolves when nothing is waiting or running. */
      idle(): Promise<void>
      /** How many jobs wait or run. */
      size(): number
    }
  }
}

const maxWaiting = 1000
const maxRunning = 4
/** Into a shutdown, when jobs are told to stop waiting for a better moment. */
const hurryMs = 3000
/** Into a shutdown, when what is not done is given up: the process has to end within 10 s. */
const giveUpMs = 8000

/**
 * Work that is done after the answer, so that it shows in no response time: a bounded queue in
 * memory, drained at shutdown. `signal` tells a job to stop waiting between its tries.
 */
export default fp(
  async (app) => {
    const waiting: { name: string; job: (signal: AbortSignal) => Promise<void> }[] = []
    const hurry = new AbortController()
    const givenUp = Promise.withResolvers<void>()
    let running = 0
    let idle = Promise.withResolvers<void>()
    idle.resolve()

    async function work() {
      if (running === maxRunning) return
      running += 1
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          await next.job(hurry.signal)
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
      idle: () => idle.promise,
      size: () => running + waiting.length
    })

    const timers: NodeJS.Timeout[] = []
    // Counted from here, because onClose first waits for the requests under way.
    app.addHook('preClose', async () => {
      timers.push(setTimeout(() => hurry.abort(), hurryMs))
      timers.push(setTimeout(() => givenUp.resolve(), giveUpMs))
    })
    app.addHook('onClose', async () => {
      await Promise.race([idle.promise, givenUp.promise])
      for (const timer of timers) clearTimeout(timer)
      const undone = app.background.size()
      if (undone > 0) app.log.error({ undone }, 'background jobs were given up')
      waiting.length = 0
    })
  },
  { name: 'background', fastify: '5.x', dependencies: ['database', 'mail'] }
)
