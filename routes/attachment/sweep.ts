import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { FileStore } from './stores/index.ts'

/**
 * A file without a row counts as abandoned if nobody has written to it for this long. No request lasts
 * half as long (`requestTimeout`), so no process is still working on it.
 */
const abandonedMs = 10 * 60_000
/** Together, what a crash leaves is gone within 15 minutes. */
const everyMs = 5 * 60_000
const allEveryMs = 24 * 3_600_000

/** By the clock of the system, as the time of a file is. */
const isAbandoned = (modified: number) => modified <= Date.now() - abandonedMs

interface Places {
  store: FileStore
  /** The folder of temporary files. */
  temporary: string
}

/** Removes files that a crash left without a row: those in the store, and temporary ones. */
export class FileSweep {
  readonly #app: Pick<FastifyInstance, 'repos' | 'log'>
  readonly #store: FileStore
  readonly #temporary: string
  /** Kept files without a row that were too young to be removed when they were found. */
  #young: string[] = []
  #isStopped = false

  constructor(app: Pick<FastifyInstance, 'repos' | 'log'>, { store, temporary }: Places) {
    this.#app = app
    this.#store = store
    this.#temporary = temporary
  }

  stop() {
    this.#isStopped = true
  }

  /** Sweeps everything. With millions of files, that takes a while. */
  async all() {
    await this.#run(this.#store.list())
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

  async #removeTemporary() {
    for await (const entry of await opendir(this.#temporary)) {
      if (this.#isStopped) return
      const path = join(this.#temporary, entry.name)
      const found = await stat(path).catch(() => undefined)
      if (found?.isFile() && isAbandoned(found.mtimeMs)) await rm(path, { force: true })
    }
  }

  async #removeKept(candidates: AsyncIterable<string> | string[]) {
    const { attachments } = this.#app.repos
    // An empty database beside files may be the wrong one, and what is removed cannot be restored.
    const mayRemove = await attachments.hasAny()
    const young: string[] = []
    let files = 0
    for await (const file of candidates) {
      if (this.#isStopped) return
      if (await attachments.hasFile({ file })) continue
      const found = await this.#store.find(file)
      if (!found) continue
      if (!isAbandoned(found.modified)) young.push(file)
      else if (mayRemove) await this.#store.remove(file)
      else files += 1
    }
    this.#young = young
    if (files > 0) {
      this.#app.log.error(
        { files, store: this.#store.name },
        'there are uploaded files but no attachments in the database: none were removed. If this is the wrong database, stop the service and name the right one (docs/deploy.md, Back-up and restore)'
      )
    }
  }
}

/** Sweeps once the service listens, then recent files every five minutes, and all once a day. */
export function scheduleSweeps(app: FastifyInstance, places: Places) {
  const sweep = new FileSweep(app, places)
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
