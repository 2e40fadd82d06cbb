import { createInterface } from 'node:readline'
import { isSea } from 'node:sea'
import { Writable } from 'node:stream'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import type { Repositories } from '../db/repositories/index.ts'
import { printable } from '../plugins/runtime/printable.ts'
import type { Config } from '../schemas/config.ts'

/** The command could not begin its work: the exit code is 2. For any other failure it is 1. */
export class CannotRun extends Error {}
/** A wrong command line. */
export class UsageError extends CannotRun {}

/** What was typed after the name of a command: its operands and options. A switch has an empty text. */
interface Words {
  operands: readonly string[]
  options: Readonly<Partial<Record<string, string>>>
}

interface Command {
  /** What follows its name. Of the last one there may be several, if it ends with `...`. */
  operands: readonly string[]
  /** Options it takes, each with the placeholder that help shows for its value; a switch has none. */
  options?: Readonly<Record<string, string>>
  about: string
  /** Talks to a running service only: the local data folder is not touched. */
  isRemote?: boolean
  /** All words after its name are operands: it reads options by itself. */
  isFree?: boolean
  /**
   * Checks the words, then loads the configuration. Returns the text to print, the exit code if it is not 0, and what
   * went wrong.
   */
  run(
    words: Words,
    load: () => Config
  ): Promise<string | { code: number; stdout: string; problem?: string }>
}

/** Commands by name, such as `user add`. */
export type Commands = Readonly<Record<string, Command>>

/** Returns the word. `form` says what it must be. @throws UsageError if it is not. */
export function checked(what: string, word: string, pattern: RegExp, form: string) {
  if (!pattern.test(word)) throw new UsageError(`${what} is not valid: it must be ${form}`)
  return word
}

/** Opens the database for `work`, and closes it also if `work` fails. */
export async function onDatabase<T>(config: Config, work: (database: Database) => Promise<T>) {
  const database = await openDatabase(config, { isEager: false })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** What a login name is. */
export const loginForm = 'a login name of up to 255 characters, without spaces'

export const unknownUser = (login: string) => new Error(`there is no user ${login}`)

/** The user of this name. @throws Error if there is none. */
export async function knownUser({ users }: Repositories, login: string) {
  const user = await users.findNamed(login)
  if (!user) throw unknownUser(login)
  return user
}

/** How this program is started. */
export const program = isSea() ? 'gatehouse' : 'npm run cli --'

/** Left-aligned columns, two spaces apart. */
export function columns(texts: string[][]) {
  const rows = texts.map((row) => row.map((cell) => printable(cell)))
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(width(i))).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

/**
 * Lets `work` ask for passwords: without echo on a terminal, otherwise a line of standard input for each.
 * @throws Error if there is none.
 */
export async function withSecrets<T>(
  work: (ask: (prompt: string) => Promise<string>, isTerminal: boolean) => Promise<T>
) {
  const { stdin: input, stderr } = process
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = input.isTTY === true
  const reader = createInterface({ input, output, terminal, historySize: 0 })
  const lines = reader[Symbol.asyncIterator]()
  const ask = async (prompt: string) => {
    if (terminal) stderr.write(prompt)
    const line = await lines.next()
    if (terminal) stderr.write('\n')
    if (line.done) throw new Error('no password was given')
    // What stands for bytes that are not UTF-8: nobody could type such a password again.
    if (line.value.includes('\uFFFD')) throw new Error('standard input is not UTF-8')
    return line.value.replace(/^\uFEFF/, '')
  }
  try {
    return await work(ask, terminal)
  } finally {
    reader.close()
  }
}
