import { setImmediate } from 'node:timers/promises'
import fp from 'fastify-plugin'
import fastq from 'fastq'
import { inOwnTrace } from '../../schemas/traced.ts'

/** `signal` tells the job that the service is closing. */
type Job = (signal: AbortSignal) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    background: {
      /** Runs `job` after the answer. Returns false, without running it, if the queue is full. */
      add(name: string, job: Job): boolean
      /** Resolves when nothing is waiting or running. */
      idle(): Promise<void>
      /** How many jobs wait or run. */
      size(): number
    }
  }
}

/** How many jobs may wait or run. */
export const maxJobs = 1000
const maxRunning = 4
/** Milliseconds from the beginning of a shutdown until jobs are told to stop waiting. */
const hurryMs = 3000
/** Milliseconds until unfinished jobs are given up: the process must end within 10 s. */
const giveUpMs = 8000

/**
 * A queue in memory for work after the answer, so that callers do not wait for it and cannot see from
 * the time whether there was any. It is bounded, and drained at shutdown. `signal` tells a job not to
 * wait for its next try.
 */
export default fp(
  async (app) => {
    const queue = fastq.promise((work: () => Promise<void>) => work(), maxRunning)
    const hurry = new AbortController()
    const givenUp = Promise.withResolvers<void>()

    async function run(name: string, job: Job) {
      // Lets the answer go first.
      await setImmediate()
      try {
        await job(hurry.signal)
      } catch (err) {
        app.log.error({ err, job: name }, 'background job failed')
      }
    }

    app.decorate('background', {
      add(name, job) {
        if (app.background.size() >= maxJobs) {
          app.log.error({ job: name }, 'background queue is full')
          return false
        }
        void queue.push(inOwnTrace(() => run(name, job)))
        return true
      },
      idle: () => queue.drained(),
      size: () => queue.running() + queue.length()
    })

    const timers: NodeJS.Timeout[] = []
    // In preClose, because onClose would first wait for the running requests.
    app.addHook('preClose', async () => {
      timers.push(setTimeout(() => hurry.abort(), hurryMs))
      timers.push(setTimeout(() => givenUp.resolve(), giveUpMs))
    })
    app.addHook('onClose', async () => {
      await Promise.race([queue.drained(), givenUp.promise])
      for (const timer of timers) clearTimeout(timer)
      const undone = app.background.size()
      if (undone > 0) app.log.error({ undone }, 'background jobs were abandoned')
      queue.kill()
    })
  },
  { name: 'background', fastify: '5.x', dependencies: ['database', 'mail'] }
)
