import { styleText } from 'node:util'
import pino from 'pino'
import { printable, printableLines } from '../runtime/printable.ts'

/** A line of the log, as `loggerOptions` makes it. */
interface Line {
  level: number
  time: number
  msg?: string
  reqId?: string
  method?: string
  route?: string | null
  statusCode?: number
  code?: string
  responseTime?: number
  err?: { type: string; message: string; stack: string }
  [field: string]: unknown
}

const styles: Readonly<Record<string, 'red' | 'yellow'>> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow'
}

function styledLevel(level: number) {
  const name = pino.levels.labels[level] ?? `${level}`
  const text = name.toUpperCase().padEnd(5)
  const style = styles[name]
  return style ? styleText(style, text) : text
}

/** The time of day where the service runs: a terminal shows what happens now. */
function timeOfDay(time: number) {
  const at = new Date(time)
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()]
  const milliseconds = `${at.getMilliseconds()}`.padStart(3, '0')
  return `${parts.map((part) => `${part}`.padStart(2, '0')).join(':')}.${milliseconds}`
}

const isWord = (value: unknown) => typeof value === 'string' && !/\s/.test(value)

/** Fields that say the same in nearly every line of a service on a terminal. */
const left = new Set(['pid', 'hostname', 'ip', 'via', 'trace_id', 'span_id'])

/**
 * A line of the log for people: what happened first, then other fields as `name=value`, and below it the stack of an
 * error. Nothing in it can control the terminal.
 */
export function lineForPeople(json: string) {
  const line: Line = JSON.parse(json)
  const { level, time, msg, reqId, method, route, statusCode, code, responseTime, err, ...rest } =
    line
  const others = Object.entries(rest)
    .filter(([name, value]) => !left.has(name) && value !== null)
    .map(([name, value]) => `${name}=${isWord(value) ? value : JSON.stringify(value)}`)
  const words = [
    msg,
    method,
    // Only a request has a method; without a route, its path is unknown.
    method && (route ?? '-'),
    statusCode,
    code,
    responseTime !== undefined && `${responseTime} ms`,
    ...others,
    // The beginning tells requests apart; the whole `X-Request-Id` is in the answer.
    reqId?.slice(0, 8)
  ].filter((word) => word !== undefined && word !== '' && word !== false)
  const below = err ? `${err.stack || `${err.type}: ${err.message}`}\n` : ''
  // Indented: no text in an error looks like a line of its own.
  const stack = printableLines(below).replace(/^(?=.)/gm, '    ')
  return `${timeOfDay(time)} ${styledLevel(level)} ${printable(words.join(' '), 2000)}\n${stack}`
}
