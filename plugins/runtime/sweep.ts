import { setImmediate, setTimeout } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Repositories } from '../../db/repositories/index.ts'
import { DatabaseUnavailable } from '../../db/unavailable.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sweep: {
      /**
       * Adds a job that deletes expired rows or files. It runs at start and every ten minutes, and gets
       * the time in milliseconds since the epoch. The plugin or area that owns the rows adds it.
       */
      add(name: string, job: Job): void
      /**
       * Removes rows in steps of `size`, until a step finds fewer. Others write between two steps. One statement for all could meet the time limit of the database each time, and remove
       * nothing.
       */
      inSteps(remove: (limit: number) => Promise<readonly unknown[]>, size?: number): Promise<void>
    }
  }
}

type Job = (now: number, repos: Repositories) => Promise<unknown>

const everyMs = 10 * 60_000
/** The start does not wait longer for the first sweep. */
const startMs = 5000

/** Deletes expired rows and files. A job that fails runs again with the next sweep. */
export default fp(
  async (app) => {
    const jobs: { name: string; job: Job }[] = []
    let isClosing = false
    app.decorate('sweep', {
      add: (name, job) => jobs.push({ name, job }),
      async inSteps(remove, size = 500) {
        for (;;) {
          const removed = await remove(size)
          if (removed.length < size || isClosing) return
          await setImmediate()
        }
      }
    })

    async function sweep() {
      const now = app.now()
      for (const { name, job } of jobs) {
        if (isClosing) return
        try {
          await job(now, app.db.repos)
        } catch (err) {
          // The other jobs would fail in the same way.
          if (err instanceof DatabaseUnavailable) {
            return app.log.error(`the sweep ended at ${name}: ${err.message}`)
          }
          app.log.error({ err, job: name }, 'sweep failed')
        }
      }
    }
    let sweeping: Promise<void> | undefined
    /** One sweep at a time: the last one may take long. */
    const begin = () => {
      sweeping ??= sweep().finally(() => {
        sweeping = undefined
      })
      return sweeping
    }
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      timer = setInterval(begin, everyMs).unref()
      await Promise.race([begin(), setTimeout(startMs, undefined, { ref: false })])
    })
    app.addHook('preClose', async () => {
      isClosing = true
      clearInterval(timer)
    })
    // Before the database closes, which a job that runs still needs.
    app.addHook('onClose', () => sweeping)
  },
  { name: 'sweep', fastify: '5.x', dependencies: ['clock', 'database'] }
)
