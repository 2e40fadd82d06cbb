import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { openDatabase } from '../db/open.ts'
import type { Config } from '../schemas/config.ts'

/**
 * Builds the whole service for `work`, which answers nobody. In place of the data folder it gets a new one, so it may run
 * beside the service. `databaseIn`: the folder of a database that is there, in place of a new one.
 */
export async function onScratchApp<T>(
  config: Config,
  work: (app: App) => T | Promise<T>,
  databaseIn?: string
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))
  try {
    const ofCheck: Config = {
      ...config,
      SVC_DATA_DIR: folder,
      // The store belongs to the database of the service.
      SVC_FILES_URL: '',
      SVC_LOG_LEVEL: 'silent',
      OTEL_SDK_DISABLED: 'true'
    }
    const { buildApp } = await import('../app.ts')
    const database = await openDatabase({
      ...ofCheck,
      ...(databaseIn && { SVC_DATA_DIR: databaseIn })
    })
    const app = await buildApp({ config: ofCheck, database })
    try {
      await app.ready()
      return await work(app)
    } finally {
      await app.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
