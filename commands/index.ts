import { parseArgs } from 'node:util'
import { loadCaller, loadConfig } from '../fastify.config.ts'
import packageJson from '../package.json' with { type: 'json' }
import { printable, printableLines } from '../plugins/runtime/printable.ts'
import { keepPrivate } from '../plugins/runtime/private-folder.ts'
import { areaCommands } from './area.ts'
import { areaCodeCommands } from './area-code.ts'
import { areaRowCommands } from './area-rows.ts'
import { auditCommands } from './audit.ts'
import { backupCommands } from './backup/index.ts'
import { callCommands } from './call.ts'
import { clientCommands } from './client.ts'
import { CannotRun, type Commands, program, UsageError } from './command.ts'
import { databaseCommands } from './database.ts'
import { fileCommands } from './files.ts'
import { flagCommands } from './flag.ts'
import { healthCommands } from './health.ts'
import { loginCommands } from './login.ts'
import { mcpCommands } from './mcp.ts'
import { serveCommands } from './serve.ts'
import { tokenCommands } from './token.ts'
import { userCommands } from './user.ts'
import { verifyCommands } from './verify/index.ts'

const commands: Commands = {
  ...serveCommands,
  ...userCommands,
  ...tokenCommands,
  ...clientCommands,
  ...areaCommands,
  ...areaCodeCommands,
  ...areaRowCommands,
  ...backupCommands,
  ...databaseCommands,
  ...fileCommands,
  ...auditCommands,
  ...flagCommands,
  ...loginCommands,
  ...mcpCommands,
  ...callCommands,
  ...healthCommands,
  ...verifyCommands
}

const isOf = (area: string, name: string) => `${name} `.startsWith(`${area} `.trimStart())

/** What may follow the name of an area, or of none. */
function choice(area: string) {
  const names = Object.keys(commands).filter((name) => isOf(area, name))
  const next = names.map((name) => name.slice(area.length).trimStart().split(' ')[0])
  return `${area && `${area} `}${[...new Set(next)].join(', ')}`
}

/** Help for a command, for those of an area, such as `user`, or for all. */
function help(area: string) {
  const shown = Object.entries(commands).filter(([name]) => isOf(area, name))
  if (shown.length === 0) throw unknown(area)
  const usage = shown.map(([name, { operands, options = {}, about }]) => {
    const optional = Object.entries(options).map(([option, value]) =>
      `[--${option} ${value}`.trimEnd().concat(']')
    )
    return `  ${[name, ...operands, ...optional].join(' ')}\n      ${about}\n`
  })
  const alone = program === 'gatehouse' ? ' (without one, it runs the service)' : ''
  return `Usage: ${program} COMMAND${alone}
       ${program} help [COMMAND], or COMMAND -h
       ${program} --version

${usage.join('')}
Passwords and passphrases are prompted for or read from the first line of standard input; never from arguments.
SVC_* variables select the database, as for the service. Except where a command says so, the service may be running.
`
}

function unknown(name: string) {
  const [first = ''] = name.split(' ')
  const isArea = Object.keys(commands).some((known) => isOf(first, known))
  return new UsageError(`unknown command ${name}: choose ${choice(isArea ? first : '')}`)
}

/** Options that may be given several times: each is a line. */
const repeated = ['about']

/** The options of all commands, and what help shows for their values. */
const knownOptions = Object.fromEntries(
  Object.values(commands).flatMap(({ options = {} }) => Object.entries(options))
)

/** A mistake that `parseArgs` found. Node adds advice below the first line. */
function misuse(error: unknown) {
  const text = String(error).replace(/^.*?\]: |[.\n].*/gs, '')
  const [, option = ''] = /'--([a-z-]+).*(?:missing|ambiguous)/.exec(text) ?? []
  const value = knownOptions[option]
  return new UsageError(value ? `--${option} needs ${value}` : text)
}

function parse(args: string[]) {
  // Two commands can have an option of the same name, one with a value and one without.
  const own = commands[args.slice(0, 2).join(' ')] ?? commands[args[0] ?? '']
  const types = Object.entries({ ...knownOptions, ...own?.options }).map(
    ([name, value]) =>
      [name, { type: value ? 'string' : 'boolean', multiple: repeated.includes(name) }] as const
  )
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        ...Object.fromEntries(types),
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' }
      },
      allowPositionals: true
    })
    const { help, version, ...given } = values
    const options: Partial<Record<string, string>> = {}
    for (const [name, value] of Object.entries(given))
      options[name] = value === true ? '' : [value].flat().join('\n')
    return { help, version, options, positionals }
  } catch (error) {
    throw misuse(error)
  }
}

async function run(args: string[]) {
  const [first = '', ...rest] = args
  const free = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (free?.isFree) {
    const hasUrl = /^--url(?:=|$)/.test(rest[0] ?? '')
    return free.run({ operands: rest, options: {} }, () => loadCaller(hasUrl))
  }
  const { help: wantsHelp, version, options, positionals } = parse(args)
  if (version) return `gatehouse ${packageJson.version}\n`
  if (positionals[0] === 'help') return help(positionals.slice(1).join(' '))
  // A command is two words (`user add`) or one (`audit`).
  const words = Object.hasOwn(commands, String(positionals[0])) ? 1 : 2
  const name = positionals.slice(0, words).join(' ')
  const operands = positionals.slice(words)
  if (wantsHelp) return help(name)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const isArea = Object.keys(commands).some((known) => isOf(name, known))
    throw isArea ? new UsageError(`a command is missing: choose ${choice(name)}`) : unknown(name)
  }

  const foreign = Object.keys(options).find((option) => !(option in (command.options ?? {})))
  if (foreign) throw new UsageError(`${name} takes no option --${foreign}`)
  const missing = command.operands[operands.length]
  if (missing) throw new UsageError(`${name} needs ${missing}`)
  // The message does not repeat extra words: one may be a password.
  const isOpen = command.operands.at(-1)?.endsWith('...')
  if (operands.length > command.operands.length && !isOpen) {
    const taken = command.operands.join(' and ') || 'no argument'
    throw new UsageError(`too many arguments: ${name} takes ${taken}`)
  }
  return command.run({ operands, options }, () => {
    if (command.isRemote) return loadCaller('url' in options || !('url' in (command.options ?? {})))
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
    if (typeof result === 'string') return { code: 0, stdout: printableLines(result), stderr: '' }
    const { code, stdout, problem } = result
    return { code, stdout: printableLines(stdout), stderr: problem ? told(problem) : '' }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const stderr = told(message, error instanceof UsageError ? ' (see --help)' : '')
    return { code: error instanceof CannotRun ? 2 : 1, stdout: '', stderr }
  }
}

const told = (message: string, hint = '') => `gatehouse: ${printable(message, 2000)}${hint}\n`
