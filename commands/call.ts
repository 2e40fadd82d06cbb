import { buffer } from 'node:stream/consumers'
import { tagOf } from '../schemas/common.ts'
import { adviceOf, type ConflictReason, type ErrorCode, isErrorCode } from '../schemas/errors.ts'
import type { Detail } from '../schemas/failures.ts'
import { writtenText } from '../schemas/written-text.ts'
import { type Commands, columns, program, UsageError } from './command.ts'
import { send, serviceOf, signedIn, tokenFor } from './credentials.ts'

/** How long an answer may take: a request may ask to wait for 30 seconds. */
const answerMs = 60_000

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Parameter {
  $ref?: string
  in: string
  name: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Operation {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

interface Argument {
  place: string
  /** Its name there. */
  field: string
  schema: Schema
  isRequired: boolean
  description: string
}

/** The arguments for headers; those of sender and form are not for the caller to set. */
const headers: Readonly<Record<string, string>> = {
  'if-match': 'if_match',
  'idempotency-key': 'idempotency_key',
  'x-run-id': 'run',
  prefer: 'prefer'
}

export const callCommands: Commands = {
  call: {
    operands: ['OPERATION'],
    options: { NAME: 'VALUE', json: 'TEXT|-', url: 'URL' },
    isRemote: true,
    isFree: true,
    about:
      'Call an operation of a running service, such as listTodos, with its arguments by name, or as JSON (- reads standard input). Prints what it answers as JSON; of a failure, or a batch that was done in part, with the exit code 1. `call --help` lists the operations, `call OPERATION --help` its arguments. URL is the service, named before OPERATION where that has an argument `url`; by default that of `login`, else http://127.0.0.1 with SVC_PORT. The credential is that of `login`, else SVC_MCP_TOKEN.',
    async run({ operands }, load) {
      const { words, given, service } = parse(operands)
      const [operationId, more] = words
      if (more !== undefined) throw new UsageError('call takes one OPERATION')
      const wantsHelp = given.delete('help')
      const { SVC_PORT, SVC_MCP_TOKEN: token, SVC_INSECURE_LINKS: mayBeRead } = load()
      const usual = () => serviceOf(usualService(SVC_PORT), mayBeRead)
      // With --json, arguments stand there.
      const isAmbiguous = service === undefined && given.has('url') && !given.has('json')
      const isArgument =
        service !== undefined || (isAmbiguous && (await takesUrl(operationId, usual)))
      const named = isArgument ? service : given.get('url')
      if (!isArgument) given.delete('url')
      const url = named === undefined ? usual() : serviceOf(named, mayBeRead)
      if (operationId === undefined) {
        if (wantsHelp) return listed(await documentOf(url))
        throw new UsageError('call needs OPERATION')
      }
      const document = await documentOf(url, operationId)
      const found = operationOf(document, operationId)
      if (!found) {
        throw new UsageError(`there is no operation ${operationId}: call --help lists them`)
      }
      const known = argumentsOf(document, found.operation)
      if (wantsHelp) return described(document, found.operation, known)
      const values = await valuesOf(given, known)
      const bearer = signedIn().includes(url.origin) ? await tokenFor(url) : token
      return call(url, found, { known, values, bearer })
    }
  }
}

/** Whether an operation of the usual service has an argument `url`; not if that service is not known, or away. */
async function takesUrl(operationId: string | undefined, usual: () => URL) {
  try {
    const document = await documentOf(usual(), operationId)
    const found = operationOf(document, operationId)
    return found !== undefined && argumentsOf(document, found.operation).has('url')
  } catch {
    return false
  }
}

/** Words, the values of options by name, and the service that is named before the first word. */
function parse(args: readonly string[]) {
  const words: string[] = []
  let service: string | undefined
  const given = new Map<string, string>()
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word === '-h' ? '--help' : word) ?? []
    if (name === undefined) {
      words.push(word)
      continue
    }
    if (given.has(name)) throw new UsageError(`--${name} is given twice: write a list as JSON`)
    if (name === 'help') {
      given.set(name, '')
      continue
    }
    if (value === undefined) index += 1
    const text = value ?? args[index]
    // A value that begins like an option is written `--name=--value`.
    if (text === undefined || (value === undefined && text.startsWith('--')))
      wrong(`--${name} needs a value`)
    if (name === 'url' && words.length === 0) service = text
    else given.set(name, text)
  }
  return { words, given, service }
}

function wrong(message: string): never {
  throw new UsageError(message)
}

/** The service that the user is signed in to, else the one on this machine. */
function usualService(port: number) {
  const origins = signedIn()
  if (origins.length > 1) throw new UsageError(`say which service: --url ${origins.join(', ')}`)
  return origins[0] ?? `http://127.0.0.1:${port}`
}

/** The description of a service, or of one operation. */
async function documentOf(url: URL, operation?: string): Promise<Document> {
  const part = operation === undefined ? '' : `?operation=${encodeURIComponent(operation)}`
  const { status, text } = await send(new URL(`/api-docs/json${part}`, url), {})
  // There is no such operation.
  if (status === 422 && operation !== undefined) return { paths: {}, components: {} }
  if (status !== 200) throw new Error(`${url.origin} answered ${status}, and no description`)
  return JSON.parse(text)
}

/** What a reference of the document stands for. */
function resolved<Part extends { $ref?: string }>({ components }: Document, part: Part): Part {
  const [, , kind = '', name = ''] = part.$ref?.split('/') ?? []
  return part.$ref ? (components[kind]?.[name] as Part) : part
}

/** Every operation that answers JSON, and takes none but JSON. */
const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const success = Object.entries(operation.responses).find(([status]) => status[0] === '2')?.[1]
      const answers = success && resolved(document, success).content
      const sends = operation.requestBody?.content ?? { 'application/json': {} }
      const isJson = answers && 'application/json' in answers && 'application/json' in sends
      return isJson ? [{ path, method: method.toUpperCase(), operation }] : []
    })
  )

const operationOf = (document: Document, operationId: string | undefined) =>
  operationsOf(document).find(({ operation }) => operation.operationId === operationId)

/** The arguments of an operation: the members of path, query and body side by side, and some headers. */
function argumentsOf(document: Document, { parameters = [], requestBody }: Operation) {
  const known = new Map<string, Argument>()
  for (const reference of parameters) {
    const { in: place, name: field, required = false, ...rest } = resolved(document, reference)
    const name = place === 'header' ? headers[field.toLowerCase()] : field
    if (name === undefined) continue
    const { schema, description = '' } = rest
    known.set(name, { place, field, schema, isRequired: required, description })
  }
  const body = requestBody?.content['application/json']?.schema
  const { properties, required = [], anyOf, oneOf = [] } = body ? resolved(document, body) : {}
  // Of a choice, the members of all branches.
  const branches = anyOf ?? oneOf
  const members = properties ?? Object.assign({}, ...branches.map((one) => one.properties))
  for (const [field, member] of Object.entries<Schema>(members)) {
    const schema = resolved(document, member)
    const description = member.description ?? schema.description ?? ''
    const isRequired = required.includes(field)
    known.set(field, { place: 'body', field, schema, isRequired, description })
  }
  return known
}

/** What standard input has. @throws Error if it is not UTF-8 */
const inputText = async () => writtenText(await buffer(process.stdin))

/** The values of the arguments: of `--json`, and those given by name, read as the type that the document says. */
async function valuesOf(given: Map<string, string>, known: Map<string, Argument>) {
  const json = given.get('json')
  const values = new Map<string, unknown>()
  // An operation may have an argument of that name.
  if (json !== undefined && !known.has('json')) {
    given.delete('json')
    const text = json === '-' ? await inputText() : json
    for (const [name, value] of Object.entries(parsed(text) ?? wrong('--json needs an object'))) {
      values.set(name, value)
    }
  }
  for (const [name, text] of given) {
    const types = [known.get(name)?.schema.type].flat()
    const isText = types.includes('string') || types[0] === undefined
    values.set(name, isText ? text : (parsed(text) ?? text))
  }
  for (const name of values.keys()) {
    if (known.has(name)) continue
    throw new UsageError(`there is no argument ${name}: choose ${[...known.keys()].join(', ')}`)
  }
  for (const [name, { place, isRequired }] of known) {
    if (isRequired && place === 'path' && !values.has(name)) wrong(`--${name} is missing`)
  }
  return values
}

/** What a JSON text says; undefined if it is none, and for null. */
function parsed(text: string) {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

interface Call {
  known: Map<string, Argument>
  values: Map<string, unknown>
  bearer: string
}

/** Sends the request. Returns `Data` as JSON, and of a failure code, message and remedy. */
async function call(
  url: URL,
  { path, method }: { path: string; method: string },
  { known, values, bearer }: Call
) {
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  const sent = new Headers({ 'content-type': 'application/json' })
  if (bearer) sent.set('authorization', `Bearer ${bearer}`)
  let filled = path
  for (const [name, value] of values) {
    const { place = 'body', field = name } = known.get(name) ?? {}
    if (place === 'body') body[field] = value
    else if (place === 'query') query.set(field, String(value))
    else if (name === 'if_match') sent.set(field, tagOf(String(value)) ?? String(value))
    else if (place === 'header') sent.set(field, String(value))
    else filled = filled.replace(`{${field}}`, encodeURIComponent(String(value)))
  }
  const hasBody = [...known.values()].some(({ place }) => place === 'body')
  const target = new URL(`${filled}${query.size > 0 ? `?${query}` : ''}`, url)
  const { status, text } = await send(
    target,
    { method, headers: sent, ...(hasBody && { body: JSON.stringify(body) }) },
    answerMs
  )
  const data = parsed(text)?.Data
  if (!data) throw new Error(`${url.origin} answered ${status}, and not as this service does`)
  const stdout = `${JSON.stringify(data)}\n`
  if (data.status === 'success') return stdout
  if (data.status !== 'failure') return { code: 1, stdout }
  const { errorCode, errorMessage, message, details = [] } = data
  const about = details.map(({ field, message }: Detail) => `${field} ${message}.`)
  const problem = [`${errorCode}: ${message ?? errorMessage}`, ...about, remedyOf(data)]
  return { code: 1, stdout, problem: problem.filter(Boolean).join(' ') }
}

/** What to do, if the catalog speaks of what only HTTP has. */
const ofCommands: Partial<Record<ErrorCode, string>> = {
  'SESSION-CLOSED':
    'Sign in with `gatehouse login URL`, or set SVC_MCP_TOKEN to an access token; some operations take neither.',
  'ACCESS-TOKEN-INVALID':
    'Sign in again with `gatehouse login URL`, or set SVC_MCP_TOKEN to another access token.',
  'PRECONDITION-REQUIRED': 'Read it, and pass its `version` as --if_match.',
  'PRECONDITION-FAILED':
    'Read it again, apply the change to what it says now, and pass its new `version` as --if_match.'
}

/** The remedy of a failure; what the catalog says of headers is said of options. */
function remedyOf({ errorCode, reason }: { errorCode: unknown; reason?: ConflictReason }) {
  if (!isErrorCode(errorCode)) return ''
  const remedy = ofCommands[errorCode] ?? adviceOf(errorCode, reason).remedy
  return Object.entries(headers).reduce(
    (text, [header, name]) =>
      text.replaceAll(new RegExp(`\`${header}(:.*?)?\``, 'gi'), `--${name}`),
    remedy.replaceAll('`Data.', '`')
  )
}

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const listed = (document: Document) =>
  columns(
    operationsOf(document).map(({ path, method, operation }) => [
      operation.operationId,
      `${method} ${path}`,
      operation.summary
    ])
  )

/** What a value is: one of some words, or its type. */
const typeOf = ({ enum: words, type = 'any' }: Schema) => (words ?? [type].flat()).join('|')

/** A line for an argument, and for each field of its items. */
function rowsOf(
  document: Document,
  name: string,
  { schema, isRequired, description }: Omit<Argument, 'place' | 'field'>
): string[][] {
  const items = schema.items && resolved(document, schema.items)
  const type = `${typeOf(schema)}${items?.enum ? ` of ${typeOf(items)}` : ''}`
  const fields = Object.entries(items?.properties ?? {}).flatMap(([field, member]) => {
    const of = resolved(document, member)
    const isNeeded = items?.required?.includes(field) ?? false
    const about = member.description ?? of.description ?? ''
    return rowsOf(document, `      ${field}`, {
      schema: of,
      isRequired: isNeeded,
      description: about
    })
  })
  return [[name, `${type}${isRequired ? ', required' : ''}`, firstLine(description)], ...fields]
}

function described(
  document: Document,
  { operationId, summary }: Operation,
  known: Map<string, Argument>
) {
  const rows = [...known].flatMap(([name, argument]) => rowsOf(document, `  --${name}`, argument))
  return `Usage: ${program} call ${operationId} [--NAME VALUE]...  ${summary}\n${columns(rows)}`
}
