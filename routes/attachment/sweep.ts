import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { FileStore } from './stores/index.ts'
import { ofAnother } from './stores/open.ts'

/**
 * A file without a row counts as abandoned if nobody has written to it for this long. No request lasts
 * half as long (`requestTimeout`), so no process is still working on it.
 */
const abandonedMs = 10 * 60_000
/** Together, what a crash leaves is gone within 15 minutes. */
const everyMs = 5 * 60_000
const allEveryMs = 24 * 3_600_000

interface Places {
  store: FileStore
  /** The folder of temporary files. */
  temporary: string
  /** After how long a file counts as abandoned. */
  afterMs?: number
}

/** Removes files that a crash left without a row: those in the store, and temporary ones. */
export class FileSweep {
  readonly #app: Pick<FastifyInstance, 'repos' | 'log'>
  readonly #store: FileStore
  readonly #temporary: string
  readonly #abandonedMs: number
  /** Files without a row that could not be removed when they were found, because they were too young, for example. */
  readonly #later = new Set<string>()
  #isStopped = false

  constructor(
    app: Pick<FastifyInstance, 'repos' | 'log'>,
    { store, temporary, afterMs = abandonedMs }: Places
  ) {
    this.#app = app
    this.#abandonedMs = afterMs
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

  /** Sweeps temporary files, and the kept files that were left before. */
  async recent() {
    await this.#run([...this.#later])
  }

  /** Lets the next sweep look at a file. */
  leave(file: string) {
    this.#later.add(file)
  }

  /** A file that was written before this time is abandoned. By the clock of the system, as the time of a file is. */
  #before = () => Date.now() - this.#abandonedMs

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
      if (found?.isFile() && found.mtimeMs <= this.#before()) await rm(path, { force: true })
    }
  }

  async #removeKept(candidates: AsyncIterable<string> | string[]) {
    const { attachments } = this.#app.repos
    // What is removed cannot be restored, and the database may be the wrong one.
    if (!(await this.#store.isOurs())) {
      this.#app.log.error({ store: this.#store.name }, ofAnother)
      return
    }
    // So may be one that is empty, beside files.
    const mayRemove = await attachments.hasAny()
    if (mayRemove) await this.#store.endUnfinished?.(this.#before())
    let files = 0
    for await (const file of candidates) {
      if (this.#isStopped) return
      // Not before it is known: the store may fail.
      const found = !(await attachments.hasFile({ file })) && (await this.#store.find(file))
      const isYoung = found && found.modified > this.#before()
      if (found && !isYoung) {
        if (mayRemove) await this.#store.remove(file)
        else files += 1
      }
      if (isYoung) this.#later.add(file)
      else this.#later.delete(file)
    }
    if (files > 0) {
      this.#app.log.error(
        { files, store: this.#store.name },
        'there are uploaded files but no attachments in the database: none were removed. If this is the wrong database, stop the service and name the right one (docs/deploy.md, Back-up and restore)'
      )
    }
  }
}

/** A call to a store that does not answer should not hold up the end of the service. */
const endMs = 2000

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
    await Promise.race([sweeping, wait(endMs, undefined, { ref: false })])
  })
  return sweep
}
