/** The start of the executable: with arguments it runs a command of cli.ts, without them the service. */
import cluster from 'node:cluster'
import { loadAllNative } from './native.ts'

// A worker of the service also has arguments.
const isCommand = cluster.isPrimary && process.argv.length > 2

async function main() {
  if (isCommand) return import('../../cli.ts')
  try {
    // Loaded here, so that a problem with the folder is not reported as one with the database. Commands
    // load what they use at its first use: their help needs no folder.
    loadAllNative()
  } catch (error) {
    process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
  return import('../../server.ts')
}

void main()
