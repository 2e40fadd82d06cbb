import { runCommand } from './commands/index.ts'

const { code, stdout, stderr } = await runCommand(process.argv.slice(2))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = code
