/** What the executable runs: with arguments a command of cli.ts, without any the service. */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { loadAllNative } from './native.ts'

// A worker of the service is started with arguments too.
const isCommand = cluster.isPrimary && process.argv.length > 2

try {
  // As `npm start` does.
  if (existsSync('.env')) process.loadEnvFile('.env')
  // Here, so that what is wrong with the folder is not told as something wrong with the database.
  // Commands load what they use: their help needs no folder.
  if (!isCommand) loadAllNative()
} catch (error) {
  process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

if (isCommand) await import('../cli.ts')
else await import('../server.ts')
