import { parse } from 'csv-parse'
import type { Field, Fields } from '../../../schemas/area/field.ts'
import { maxFields } from '../../../schemas/area/language.ts'
import { jsonNumber, maxJsonBytes } from '../../../schemas/common.ts'
import { unguarded } from './formats.ts'

/** A row of a file, or what is wrong with it there. */
export interface Found {
  line: number
  value?: unknown
  problem?: string
}

/** The most characters of one row, and the most columns. */
const maxLength = 1024 ** 2
const maxColumns = 2 * maxFields
/** So many characters of CSV are parsed at once: thousands of short rows would take a while. */
const piece = 2 ** 12

/** Says at which line a file has bytes that are no letters: nobody could tell later what they were. */
class NotUtf8 extends Error {
  lines: number
  constructor(lines: number) {
    super('is not UTF-8: save the file as UTF-8')
    this.lines = lines
  }
}

/** The text of a file, without a byte order mark. @throws NotUtf8 */
async function* textOf(chunks: AsyncIterable<Buffer>) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 1
  const linesIn = (text: string) => text.split('\n').length - 1
  function decode(bytes: Buffer, stream: boolean) {
    try {
      return decoder.decode(bytes, { stream })
    } catch {
      const [before = ''] = bytes.toString().split('\ufffd', 1)
      throw new NotUtf8(lines + linesIn(before))
    }
  }
  for await (const chunk of chunks) {
    const text = decode(chunk, true)
    lines += linesIn(text)
    yield text
  }
  yield decode(Buffer.alloc(0), false)
}

/** The rows of a file: a list of JSON, lines of JSON, or CSV with a header. Its beginning tells which. */
export async function* recordsOf(
  chunks: AsyncIterable<Buffer>,
  fields: Fields
): AsyncGenerator<Found> {
  const texts = textOf(chunks)
  try {
    yield* foundIn(texts, fields)
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error
    yield { line: error.lines, problem: error.message }
  } finally {
    // Closes a file whose rest nobody wants.
    await texts.return(undefined)
  }
}

async function* foundIn(texts: AsyncGenerator<string>, fields: Fields): AsyncGenerator<Found> {
  let start = ''
  let isEnd = false
  while (!isEnd && start.trim() === '') {
    if (start.length > maxLength) return yield tooLong(1)
    const { value, done = false } = await texts.next()
    isEnd = done
    start += value ?? ''
  }
  async function* rest() {
    yield start
    for (let next = await texts.next(); !next.done; next = await texts.next()) yield next.value
  }
  const [first] = start.trimStart()
  if (first === '[') yield* elementsOf(rest())
  else if (first === '{') yield* linesOf(rest())
  else yield* ofCsv(rest(), fields)
}

function parsed(line: number, text: string): Found {
  try {
    return { line, value: JSON.parse(text) }
  } catch {
    return { line, problem: 'is no JSON' }
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<Found> {
  let line = 1
  let open = ''
  for await (const text of texts) {
    const lines = (open + text).split('\n')
    open = lines.pop() ?? ''
    for (const one of lines) {
      if (one.trim() !== '') yield parsed(line, one)
      line++
    }
    if (open.length > maxLength) return yield tooLong(line)
  }
  if (open.trim() !== '') yield parsed(line, open)
}

const tooLong = (line: number): Found => ({
  line,
  problem: `is longer than ${maxLength} characters`
})

/** Texts, brackets, commas, white space, and what else there is; at last the beginning of a text that goes on. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|(".*)|[[\]{},]|[ \t\r\n]+|[^"[\]{}, \t\r\n]+/gs

const more = 'is more than one list'

/** The elements of a list, each as soon as it has ended. What is between them is judged here, all else by `JSON.parse`. */
async function* elementsOf(texts: AsyncIterable<string>): AsyncGenerator<Found> {
  let line = 1
  let depth = 0
  let count = 0
  let isEnd = false
  let open = ''
  let element = ''
  /** The line on which it began. */
  let began: number | undefined
  for await (const text of texts) {
    const whole = open + text
    open = ''
    for (const [token, unfinished] of whole.matchAll(tokens)) {
      if (unfinished !== undefined) open = unfinished
      else if (/^[ \t\r\n]/.test(token)) {
        line += token.split('\n').length - 1
        element += token
      } else if (isEnd) return yield { line, problem: more }
      else if (depth === 0 && token === '[') depth = 1
      else if (depth === 1 && [',', ']', '}'].includes(token)) {
        isEnd = token === ']'
        // Only an empty list has nothing before its end.
        if (began !== undefined || count > 0 || !isEnd) yield parsed(began ?? line, element)
        if (token === '}') return yield { line, problem: 'is no JSON' }
        count++
        element = ''
        began = undefined
      } else {
        if (token === '[' || token === '{') depth++
        if (token === ']' || token === '}') depth--
        began ??= line
        element += token
      }
    }
    if (element.length + open.length > maxLength) return yield tooLong(began ?? line)
  }
  if (open !== '' || !isEnd) yield { line, problem: isEnd ? more : 'the list does not end' }
}

/** `;` and tabs come from spreadsheets of countries whose numbers have commas, and from the clipboard. */
const delimiterOf = (header: string) =>
  [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ','

function wrong(message: string, lines = 1): never {
  throw Object.assign(new Error(message), { lines })
}

/** The names of columns. @throws Error if two are the same */
function named(header: string[]) {
  const names = header.map((name) => name.trim())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) wrong(`the column ${twice} is there twice`)
  return names
}

async function* ofCsv(texts: AsyncIterable<string>, fields: Fields): AsyncGenerator<Found> {
  const iterator = texts[Symbol.asyncIterator]()
  const { value: start = '' } = await iterator.next()
  const parser = parse({
    delimiter: delimiterOf(start.split('\n', 1)[0] ?? ''),
    columns: named,
    // Before the row has ended.
    cast: (text, { index, lines }) =>
      index < maxColumns ? text : wrong(`there are more than ${maxColumns} columns`, lines),
    ...{ info: true, skip_empty_lines: true, max_record_size: maxLength }
  })
  async function write(text: string) {
    for (let at = 0; at < text.length; at += piece) {
      if (parser.write(text.slice(at, at + piece))) continue
      await new Promise((resolve) => parser.once('drain', resolve))
    }
  }
  async function feed() {
    await write(start)
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      await write(next.value)
    }
    parser.end()
  }
  const fed = feed()
  fed.catch((error) => parser.destroy(error))
  try {
    for await (const { record, info } of parser) {
      const inside = Object.values<string>(record).join('').split('\n').length - 1
      yield { line: info.lines - inside, value: valuesOf(record, fields) }
    }
  } catch (error) {
    yield {
      line: 'lines' in Object(error) ? Object(error).lines : 1,
      problem: error instanceof Error ? error.message : String(error)
    }
  }
}

/** The values of a line; an empty one is absent. */
function valuesOf(record: { [name: string]: string }, fields: Fields) {
  const given = Object.entries(record).filter(([, text]) => text !== '')
  return Object.fromEntries(
    given.map(([name, text]) => [
      name,
      Object.hasOwn(fields, name) ? typed(fields[name], text) : text
    ])
  )
}

function jsonOf(text: string): unknown {
  try {
    return text.length > maxJsonBytes ? text : JSON.parse(text)
  } catch {
    return text
  }
}

/** As it is validated: what is no value of its type stays a text. */
function typed(field: Field | undefined, text: string): unknown {
  switch (field?.type) {
    case 'integer':
    case 'number':
    case 'ref':
      return jsonNumber.test(text) ? Number(text) : text
    case 'boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text
    case 'users':
    case 'json':
      return jsonOf(text)
    default:
      return unguarded(text)
  }
}
