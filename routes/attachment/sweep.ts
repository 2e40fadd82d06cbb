import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/**
 * A file without a row counts as abandoned if nobody has written to it for this long. No request lasts
 * half as long (`requestTimeout`), so no process is still working on it.
 */
const abandonedMs = 10 * 60_000
/** Together, what a crash leaves is gone within 15 minutes. */
const everyMs = 5 * 60_000
const allEveryMs = 24 * 3_600_000

/** Whether a file was abandoned. By the clock of the system, as the time of the file is. */
async function isAbandoned(path: string) {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtimeMs <= Date.now() - abandonedMs
}

/** Removes files in `uploads/` and `uploads/tmp/` that a crash left without a row. */
export class FileSweep {
  readonly #app: Pick<FastifyInstance, 'repos' | 'log'>
  readonly #folder: string
  readonly #temporary: string
  /** Kept files without a row that were too young to be removed when they were found. */
  #young: string[] = []
  #isStopped = false

  constructor(app: Pick<FastifyInstance, 'repos' | 'log'>, folder: string) {
    this.#app = app
    this.#folder = folder
    this.#temporary = join(folder, 'tmp')
  }

  stop() {
    this.#isStopped = true
  }

  /** Sweeps both folders completely. With millions of files, that takes a while. */
  async all() {
    await this.#run(this.#filesIn(this.#folder))
  }

  /** Sweeps temporary files, and the kept files that were too young before. */
  async recent() {
    await this.#run(this.#young)
  }

  async #run(kept: AsyncIterable<string> | string[]) {
    try {
      await this.#removeTemporary()
      await this.#removeKept(kept)
    } catch (err) {
      this.#app.log.error({ err }, 'sweep of uploads failed')
    }
  }

  async *#filesIn(folder: string) {
    for await (const entry of await opendir(folder)) {
      if (this.#isStopped) return
      if (entry.isFile()) yield entry.name
    }
  }

  async #removeTemporary() {
    for await (const file of this.#filesIn(this.#temporary)) {
      const path = join(this.#temporary, file)
      if (await isAbandoned(path)) await rm(path, { force: true })
    }
  }

  async #removeKept(candidates: AsyncIterable<string> | string[]) {
    const { attachments } = this.#app.repos
    // An empty database beside files may be the wrong one, and what is removed cannot be restored.
    const mayRemove = await attachments.hasAny()
    const young: string[] = []
    let files = 0
    for await (const file of candidates) {
      if (await attachments.hasFile({ file })) continue
      const path = join(this.#folder, file)
      if (!(await isAbandoned(path))) young.push(file)
      else if (mayRemove) await rm(path, { force: true })
      else files += 1
    }
    this.#young = young
    if (files > 0) {
      this.#app.log.error(
        { files, folder: this.#folder },
        'there are uploaded files but no attachments in the database: none were removed. If this is the wrong database, stop the service and name the right one (docs/deploy.md, Back-up and restore)'
      )
    }
  }
}

/** Sweeps once the service listens, then recent files every five minutes, and all once a day. */
export function scheduleSweeps(app: FastifyInstance, folder: string) {
  const sweep = new FileSweep(app, folder)
  let sweeping = Promise.resolve()
  const timers: NodeJS.Timeout[] = []
  const every = (ms: number, work: () => Promise<void>) =>
    setInterval(() => {
      sweeping = sweeping.then(work)
    }, ms).unref()
  // Not before: a start that fails should not have removed anything.
  app.addHook('onListen', async () => {
    // Not awaited: nothing depends on it.
    sweeping = sweep.all()
    timers.push(
      every(everyMs, () => sweep.recent()),
      every(allEveryMs, () => sweep.all())
    )
  })
  app.addHook('preClose', async () => {
    sweep.stop()
    for (const timer of timers) clearInterval(timer)
    await sweeping
  })
}
