import type { FastifyInstance } from 'fastify'
import { Failure, fail } from '../../../plugins/http/errors/index.ts'
import { retryAfter } from '../../../plugins/http/pressure/index.ts'
import { StoreFailure } from './failure.ts'
import { callMs, type FileStore } from './index.ts'
import { ofAnother, openFolder, openObjects, type StoreOptions } from './open.ts'

/** How often an object store is asked for its mark, after it has answered and while it does not, in milliseconds. */
const watchMs = { well: 30_000, away: 3000 }

/**
 * Where the service keeps files. Around an object store stands the circuit `files`; a call that fails is
 * SERVICE-OVERLOADED, so that callers come again. A store that is away does not stop the start.
 * @throws Error if a setting is wrong, or if the store belongs to another database
 */
export async function openFileStore(
  app: FastifyInstance,
  options: StoreOptions
): Promise<FileStore> {
  if (!options.SVC_FILES_URL) return openFolder(options)
  const run = app.circuit('files', (call: () => Promise<void>) => call(), {
    timeoutMs: callMs + 1000
  })
  const store = await openObjects(options, {
    mark: () => app.markOf('files'),
    async guard<T>(call: () => Promise<T>) {
      const { promise, resolve } = Promise.withResolvers<T>()
      try {
        await run(async () => resolve(await call()))
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'DOWNSTREAM-FAILED') throw error
        fail('SERVICE-OVERLOADED', { headers: retryAfter, cause: error.cause })
      }
      return promise
    }
  })
  app.addHook('onClose', async () => store.close?.())

  try {
    if (!(await store.isOurs())) throw new Error(ofAnother)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.cause instanceof StoreFailure && error.cause.isMistake) throw error.cause
    app.log.warn({ err: error.cause }, 'the object store does not answer')
  }

  // Closes the circuit again although nobody calls, and opens it before somebody does.
  let timer: NodeJS.Timeout | undefined
  async function watch() {
    let pause = watchMs.well
    try {
      if (!(await store.isOurs())) app.log.error({ store: store.name }, ofAnother)
    } catch {
      pause = watchMs.away
    }
    if (timer) timer = setTimeout(watch, pause).unref()
  }
  app.addHook('onListen', async () => {
    timer = setTimeout(watch, watchMs.away).unref()
  })
  app.addHook('preClose', async () => {
    clearTimeout(timer)
    timer = undefined
  })
  return store
}
