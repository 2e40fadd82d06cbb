/** The start of the executable: without a command it runs the service. */
import cluster from 'node:cluster'
import { startsService } from '../../commands/serve.ts'
import { loadAllNative } from './native.ts'

const words = process.argv.slice(2)
// A worker also has other arguments.
const isService = cluster.isWorker || startsService(words) || startsService(['serve', ...words])

async function main() {
  if (!isService) return import('../../cli.ts')
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
