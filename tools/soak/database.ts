import { hash } from 'node:crypto'
import { readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type Place, runSql } from '../bench/place.ts'
import type { Report } from './report.ts'

const uploadsOf = ({ SVC_DATA_DIR }: Place) => join(SVC_DATA_DIR, 'uploads')

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
export async function abandonFiles(place: Place) {
  const entries = await readdir(uploadsOf(place), { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 0, 0)
  }
}

/** Checks that each row has its file, each file its row, and that there are no other files. */
export async function checkFiles(place: Place, report: Report) {
  const uploads = uploadsOf(place)
  const rows = await runSql(place, 'SELECT name, file, sha256 FROM attachments')
  const names = new Set(rows.map((row) => String(row.file)))
  for (const entry of await readdir(uploads, { withFileTypes: true })) {
    if (entry.isFile() && !names.has(entry.name)) report.problem(`no row has file ${entry.name}`)
  }
  for (const { name, file, sha256 } of rows) {
    const content = await readFile(join(uploads, String(file))).catch(() => null)
    if (!content) report.problem(`${name}: its file is gone`)
    else if (hash('sha256', content) !== sha256) report.problem(`${name}: its file has changed`)
  }
}
