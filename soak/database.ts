import { readdir, utimes } from 'node:fs/promises'
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

export type Cells = Record<string, string | number | boolean | null>

/** Runs one query and returns its rows. */
export type Read = (sql: string) => Promise<Cells[]>

/** Reads the database directly, without the service: runs one query and returns its rows. */
export async function readDatabase({ folder, databaseUrl }: Place, sql: string): Promise<Cells[]> {
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
