import { hash } from 'node:crypto'
import { readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { postgresTypes } from '../db/postgres/index.ts'
import { databaseFile } from '../db/sqlite/file.ts'
import type { Report } from './report.ts'

/** The location of a run's data. */
export interface Place {
  folder: string
  /** Of PostgreSQL; empty for SQLite in the folder. */
  databaseUrl: string
}

type Cells = Record<string, string | number | boolean | null>

/** Reads the database directly, without the service: runs one query and returns its rows. */
async function readDatabase({ folder, databaseUrl }: Place, sql: string): Promise<Cells[]> {
  if (!databaseUrl) {
    const database = new SQLite(databaseFile(folder), { readonly: true })
    try {
      return database.prepare<[], Cells>(sql).all()
    } finally {
      database.close()
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl, types: postgresTypes })
  await client.connect()
  try {
    return (await client.query<Cells>(sql)).rows
  } finally {
    await client.end()
  }
}

/** The problems that SQLite finds in its own file. */
export async function checkIntegrity(place: Place, report: Report) {
  if (place.databaseUrl) return
  for (const pragma of ['integrity_check', 'foreign_key_check']) {
    for (const it of await readDatabase(place, `PRAGMA ${pragma}`)) {
      if (it.integrity_check !== 'ok') report.problem(`${pragma}: ${JSON.stringify(it)}`)
    }
  }
}

/** Makes files that a kill left look old, so that the next start removes them at once. */
export async function abandonFiles({ folder }: Place) {
  const entries = await readdir(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 0, 0)
  }
}

/** Checks that each row has its file, each file its row, and that there are no other files. */
export async function checkFiles(place: Place, report: Report) {
  const uploads = join(place.folder, 'uploads')
  const rows = await readDatabase(place, 'SELECT name, file, sha256 FROM attachments')
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
