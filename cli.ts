import { startsService } from './commands/serve.ts'

const words = process.argv.slice(2)

async function main() {
  // Not through the table of commands: a service would keep their code in memory.
  if (startsService(words)) return import('./server.ts')
  const { runCommand } = await import('./commands/index.ts')
  const { code, stdout, stderr } = await runCommand(words)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
}

void main()
