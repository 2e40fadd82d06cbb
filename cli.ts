import { runCommand } from './commands/index.ts'

async function main() {
  const { code, stdout, stderr } = await runCommand(process.argv.slice(2))
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
}

void main()
