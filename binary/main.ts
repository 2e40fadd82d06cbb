/** What the executable runs: with arguments a command of cli.ts, without any the service. */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'

try {
  // As `npm start` does.
  if (existsSync('.env')) process.loadEnvFile('.env')
} catch (error) {
  process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

// A worker of the service is started with arguments too.
if (cluster.isPrimary && process.argv.length > 2) await import('../cli.ts')
else await import('../server.ts')
