/**
 * Another process on a SQLite database. It runs the SQL of each line, and answers when it is committed.
 * `other-process.ts FILE`.
 */
import { createInterface } from 'node:readline'
import SQLite from 'better-sqlite3'

const [file = ''] = process.argv.slice(2)
const database = new SQLite(file, { timeout: 5000 })
// Need not survive a power failure here: without waiting for the disk, a test can do more rounds.
database.pragma('synchronous = OFF')

for await (const sql of createInterface({ input: process.stdin })) {
  database.exec(sql)
  process.stdout.write('done\n')
}
