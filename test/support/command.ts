import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { runCommand } from '../../commands/index.ts'

export const hasVariable = (name: string) => process.env[name] !== undefined

/** Sets a variable of the environment until the end of the test. */
export function setVariable(t: Test, name: string, value: string) {
  const before = process.env[name]
  process.env[name] = value
  t.teardown(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })
}

/**
 * Runs the command line in this process, with these variables more; `input` is its standard input. One
 * at a time. The working folder must have no `.env`.
 */
export async function runInProcess(env: Record<string, string>, args: string[], input = '') {
  const given = { SVC_ENV: 'test', SVC_BCRYPT_COST: '4', ...env }
  const own = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  Object.assign(process.env, given)
  const value = Readable.from([Buffer.from(input)])
  Object.defineProperty(process, 'stdin', { value, configurable: true })
  try {
    return await runCommand(args)
  } finally {
    Object.defineProperty(process, 'stdin', own)
    for (const name of Object.keys(given)) delete process.env[name]
  }
}
