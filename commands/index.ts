import { parseArgs } from 'node:util'
import { loadConfig, loadWithoutFile } from '../fastify.config.ts'
import { keepPrivate } from '../plugins/runtime/private-folder.ts'
import { auditCommands } from './audit.ts'
import { clientCommands } from './client.ts'
import {
  CannotRun,
  type Commands,
  printable,
  printableLines,
  program,
  UsageError
} from './command.ts'
import { databaseCommands } from './database.ts'
import { loginCommands } from './login.ts'
import { mcpCommands } from './mcp.ts'
import { tokenCommands } from './token.ts'
import { userCommands } from './user.ts'
import { verifyCommands } from './verify/index.ts'

const commands: Commands = {
  ...userCommands,
  ...tokenCommands,
  ...clientCommands,
  ...databaseCommands,
  ...auditCommands,
  ...loginCommands,
  ...mcpCommands,
  ...verifyCommands
}

const isOf = (area: string, name: string) => `${name} `.startsWith(`${area} `.trimStart())

/** Help for a command, for those of an area, such as `user`, or for all. */
function help(area: string) {
  const shown = Object.entries(commands).filter(([name]) => isOf(area, name))
  const usage = shown.map(([name, { operands, options = {}, about }]) => {
    const optional = Object.entries(options).map(([option, value]) =>
      `[--${option} ${value}`.trimEnd().concat(']')
    )
    return `  ${[name, ...operands, ...optional].join(' ')}\n      ${about}\n`
  })
  const alone = program === 'gatehouse' ? ' (without one, it runs the service)' : ''
  return `Usage: ${program} COMMAND${alone}\n\n${usage.join('')}
Passwords are prompted for or read from the first line of standard input; never from arguments.
SVC_* variables select the database, as for the service. The service may be running.
`
}

function parse(args: string[]) {
  const known = Object.values(commands).flatMap(({ options = {} }) => Object.entries(options))
  const types = Object.fromEntries(
    known.map(([name, value]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const) }
    ])
  )
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...types, help: { type: 'boolean' } },
      allowPositionals: true
    })
    const { help, ...given } = values
    const options: Partial<Record<string, string>> = {}
    for (const [name, value] of Object.entries(given))
      options[name] = value === true ? '' : `${value}`
    return { help, options, positionals }
  } catch (error) {
    // Only the first line: Node adds advice below it.
    throw new UsageError(String(error).replace(/^.*?\]: |[.\n].*/gs, ''))
  }
}

async function run(args: string[]) {
  const { help: wantsHelp, options, positionals } = parse(args)
  // A command is two words (`user add`) or one (`audit`).
  const words = Object.hasOwn(commands, String(positionals[0])) ? 1 : 2
  const name = positionals.slice(0, words).join(' ')
  const operands = positionals.slice(words)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const isArea = Object.keys(commands).some((known) => isOf(name, known))
  if (wantsHelp && isArea) return help(name)
  if (!command) throw new UsageError(isArea ? 'a command is missing' : `unknown command ${name}`)

  const foreign = Object.keys(options).find((option) => !(option in (command.options ?? {})))
  if (foreign) throw new UsageError(`${name} takes no option --${foreign}`)
  const missing = command.operands[operands.length]
  if (missing) throw new UsageError(`${name} needs ${missing}`)
  // The message does not repeat extra words: one may be a password.
  if (operands.length > command.operands.length) throw new UsageError('too many arguments')
  return command.run({ operands, options }, () => {
    if (command.isRemote) return loadWithoutFile()
    const config = loadConfig()
    keepPrivate(config.SVC_DATA_DIR)
    return config
  })
}

/**
 * Runs the command line: the words after the name of the program. Returns what is left to print, and the
 * exit code: 2 if the command could not begin, as for a wrong command line, 1 for any other failure.
 */
export async function runCommand(args: string[]) {
  try {
    const result = await run(args)
    const { code, stdout } = typeof result === 'string' ? { code: 0, stdout: result } : result
    return { code, stdout: printableLines(stdout), stderr: '' }
  } catch (error) {
    const message = printable(error instanceof Error ? error.message : String(error), 2000)
    const isUsage = error instanceof UsageError
    const stderr = `gatehouse: ${message}${isUsage ? ' (see --help)' : ''}\n`
    return { code: error instanceof CannotRun ? 2 : 1, stdout: '', stderr }
  }
}
