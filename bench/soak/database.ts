import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { postgresTypes } from '../../db/postgres.ts'

/** Where the data of a run is. */
export interface Place {
  folder: string
  /** Of PostgreSQL; empty for SQLite in the folder. */
  databaseUrl: string
}

export type Cells = Record<string, string | number | boolean | null>

/** Reads the database behind the service's back: runs one query and returns its rows. */
export async function readDatabase({ folder, databaseUrl }: Place, sql: string): Promise<Cells[]> {
  if (!databaseUrl) {
    const database = new SQLite(join(folder, 'gatehouse.db'), { readonly: true })
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
