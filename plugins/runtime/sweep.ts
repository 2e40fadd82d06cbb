import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    sweep: {
      /**
       * Adds a job that deletes expired rows or files. It runs at start and every ten minutes, and gets
       * the time in milliseconds since the epoch. The plugin or area that owns the rows adds it.
       */
      add(name: string, job: (now: number) => Promise<unknown>): void
    }
  }
}

const everyMs = 10 * 60_000

/** Deletes expired rows and files. A job that fails runs again with the next sweep. */
export default fp(
  async (app) => {
    const jobs: { name: string; job: (now: number) => Promise<unknown> }[] = []
    app.decorate('sweep', { add: (name, job) => jobs.push({ name, job }) })

    async function sweep() {
      const now = app.now()
      for (const { name, job } of jobs) {
        try {
          await job(now)
        } catch (err) {
          app.log.error({ err, job: name }, 'sweep failed')
        }
      }
    }
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      await sweep()
      timer = setInterval(sweep, everyMs).unref()
    })
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'sweep', fastify: '5.x', dependencies: ['clock'] }
)
