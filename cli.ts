import { needsAreas, startsService } from './commands/serve.ts'

const words = process.argv.slice(2)

/** Before the commands are loaded, which are made from the kinds of rows. */
async function declare() {
  const { loadConfig } = await import('./fastify.config.ts')
  const { areasFolder, readDeclarations } = await import('./plugins/runtime/declarations.ts')
  const { declareAreas } = await import('./schemas/area/declared.ts')
  declareAreas(readDeclarations(areasFolder(loadConfig())))
}

async function main() {
  // Not through the table of commands: a service would keep their code in memory.
  if (startsService(words)) return import('./server.ts')
  if (needsAreas(words)) await declare()
  const { runCommand } = await import('./commands/index.ts')
  const { code, stdout, stderr } = await runCommand(words)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
}

main().catch((error) => {
  process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
