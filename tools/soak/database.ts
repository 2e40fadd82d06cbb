import { hash } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { loadConfig } from '../../fastify.config.ts'
import { openFolder, openObjects } from '../../routes/attachment/stores/open.ts'
import { type Place, runSql } from '../bench/place.ts'
import type { Report } from './report.ts'

/** An object store for the files of the service. */
export interface ObjectStore {
  /** The settings of the service. */
  env: Record<string, string>
  /** Where the store keeps its objects. */
  folder: string
}

const openStore = (place: Place, store: ObjectStore | undefined) =>
  store
    ? openObjects(loadConfig({ ...place, ...store.env }), {
        mark: async () => '',
        guard: (call) => call()
      })
    : openFolder(place)

/** The problems that SQLite finds in its own file. */
export async function checkIntegrity(place: Place, report: Report) {
  if (place.SVC_DATABASE_URL) return
  for (const pragma of ['integrity_check', 'foreign_key_check']) {
    for (const it of await runSql(place, `PRAGMA ${pragma}`)) {
      if (it.integrity_check !== 'ok') report.problem(`${pragma}: ${JSON.stringify(it)}`)
    }
  }
}

/** Makes files that a kill left look old, so that the next start removes them at once. */
export async function abandonFiles(place: Place, store: ObjectStore | undefined) {
  for (const folder of [join(place.SVC_DATA_DIR, 'uploads'), ...(store ? [store.folder] : [])]) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 0, 0)
    }
  }
}

/** Checks that each row has its file, each file its row, and that there are no other files. */
export async function checkFiles(
  place: Place,
  objectStore: ObjectStore | undefined,
  report: Report
) {
  const store = await openStore(place, objectStore)
  const rows = await runSql(place, 'SELECT name, file, sha256 FROM attachments')
  const names = new Set(rows.map((row) => String(row.file)))
  for await (const file of store.list()) {
    if (!names.has(file)) report.problem(`no row has file ${file}`)
  }
  for (const { name, file, sha256 } of rows) {
    const content = await store.read(String(file))
    if (!content) report.problem(`${name}: its file is gone`)
    else if (hash('sha256', await buffer(content)) !== sha256) {
      report.problem(`${name}: its file has changed`)
    }
  }
  report.figures.files = `${rows.length} in ${store.name}`
  store.close?.()
}
