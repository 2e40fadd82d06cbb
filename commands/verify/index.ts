import { randomInt } from 'node:crypto'
import { printable } from '../../plugins/runtime/printable.ts'
import { CannotRun, type Commands, checked, columns, UsageError, withSecrets } from '../command.ts'
import { serviceOf } from '../credentials.ts'
import type { Report } from './report.ts'

export const verifyCommands: Commands = {
  verify: {
    operands: ['URL'],
    options: { token: 'TOKEN', write: '', user: 'LOGIN', seed: 'NUMBER', json: '' },
    isRemote: true,
    about:
      'Compare a running service with its own OpenAPI document and with the rules of HTTP. It only reads; with --write it also makes, changes and removes things of its own, with --user in a session as well. NUMBER repeats a run. Exit code 0: all rules are kept; 1: one is broken; 2: it could not run to its end.',
    async run({ operands: [text = ''], options }, load) {
      const { token, write, user, seed: number = `${randomInt(2 ** 31)}`, json } = options
      const isWrite = write !== undefined
      if (user !== undefined && !isWrite) throw new UsageError('--user needs --write: it signs in')
      if (token !== undefined)
        checked('TOKEN', token, /^[\x21-\x7e]+$/, 'visible ASCII characters without spaces')
      const seed = Number(checked('NUMBER', number, /^\d{1,10}$/, 'up to ten digits'))
      const base = serviceOf(text, load().SVC_INSECURE_LINKS || (!token && !user))
      const password = user && (await withSecrets((ask) => ask('Password: ')))
      // Loaded here: nothing else needs what it needs.
      const { verify, Unreachable } = await import('./verification.ts')
      const interruption = new AbortController()
      const interrupt = () => interruption.abort()
      process.once('SIGINT', interrupt)
      try {
        const report = await verify(base, {
          ...{ token, isWrite, seed, progress },
          bounds: { signal: interruption.signal },
          user: user ? { user_id: user, user_pass: password ?? '' } : undefined
        })
        const stdout = json === undefined ? table(report) : `${JSON.stringify(report)}\n`
        return { code: report.failures.length > 0 ? 1 : report.stopped ? 2 : 0, stdout }
      } catch (error) {
        if (error instanceof Unreachable) throw new CannotRun(error.message)
        throw error
      } finally {
        process.off('SIGINT', interrupt)
        show('')
      }
    }
  }
}

/** Replaces the line of progress, if somebody sees it. */
function show(line: string) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
}

const progress = (step: string, requests: number, broken: number) =>
  show(`${step}: ${requests} requests, ${broken} broken`)

/** The report for people: the failures, then every rule. */
function table({ url, seed, requests, seconds, stopped, notes, rules, failures }: Report) {
  const found = failures.map(
    ({ rule, where, message, curl, count }) =>
      `${rule}: ${printable(where)}${count > 1 ? ` (${count} times)` : ''}\n  ${printable(message, 1000)}\n  ${printable(curl, 4000)}\n\n`
  )
  const rows = rules.map(({ rule, about, checked, broken }) => [
    rule,
    checked === 0 ? '-' : broken > 0 ? `${broken} broken` : 'kept',
    `${checked}`,
    about
  ])
  const counts = `${requests} requests in ${seconds} s to ${url}, --seed ${seed}\n`
  const end = stopped === null ? '' : `It ended early: ${stopped}.\n`
  const left = notes.map((note) => `${printable(note, 1000)}\n`)
  return [
    ...found,
    columns([['RULE', '', 'CHECKED', ''], ...rows]),
    '\n',
    ...left,
    end,
    counts
  ].join('')
}
