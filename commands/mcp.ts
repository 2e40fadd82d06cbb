import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { catalog, isErrorCode } from '../schemas/errors.ts'
import { type Commands, UsageError } from './command.ts'
import { causeOf, serviceOf, tokenFor } from './credentials.ts'

/** How many messages may wait for an answer at once. */
const maxConcurrent = 32

/** The parts of a JSON-RPC message that decide how it is sent. */
interface Message {
  id?: string | number | null
  method?: string
  params?: { name?: string; uri?: string; _meta?: Record<string, unknown> }
}

export const mcpCommands: Commands = {
  mcp: {
    operands: [],
    options: { url: 'URL' },
    isRemote: true,
    about:
      'Bridge standard input and output to the MCP endpoint of a running service, such as http://127.0.0.1:3000/mcp, for clients that start programs. SVC_MCP_TOKEN has the token; without it, the access of `login` is used.',
    async run({ options: { url: text } }, load) {
      if (text === undefined) throw new UsageError('mcp needs --url URL')
      const { SVC_MCP_TOKEN: given, SVC_INSECURE_LINKS: mayBeRead } = load()
      const url = serviceOf(text, mayBeRead)
      // The URL names the service only.
      if (url.pathname === '/') url.pathname = '/mcp'
      const tokens = given ? async () => given : (refused?: string) => tokenFor(url, refused)
      // Says at once if there is none.
      await tokens()
      await bridge(url, tokens)
      return ''
    }
  }
}

/** Sends each line of standard input, and writes each answer as a line, until the input ends. */
async function bridge(url: URL, tokens: (refused?: string) => Promise<string>) {
  const underWay = new Set<Promise<void>>()
  let version: string | undefined
  // All that this client changes is one run, unless it names another.
  const run = `mcp-${randomUUID()}`

  async function pass(line: string) {
    const message = parse(line)
    const answer = message
      ? await send(line, message)
      : failed(null, -32700, 'The line is not JSON.')
    if (answer === undefined) return
    if (message?.method === 'initialize') {
      const { result } = JSON.parse(answer) as { result?: { protocolVersion?: string } }
      version = result?.protocolVersion ?? version
    }
    process.stdout.write(`${answer}\n`)
  }

  /** The answer as one line; undefined if there is none. */
  async function send(line: string, message: Message): Promise<string | undefined> {
    const { id = null, method } = message
    // Notifications and responses are not. What is no message at all is: its sender waits.
    const isAnswered = (method === undefined) === (message.id === undefined)
    try {
      const post = (token: string) =>
        fetch(url, {
          method: 'POST',
          headers: headersOf(message, { token, version, run }),
          body: line,
          // A redirect would send the token to another service.
          redirect: 'error'
        })
      const token = await tokens()
      let response = await post(token)
      if (response.status === 401) {
        const next = await tokens(token)
        if (next !== token) response = await post(next)
      }
      const body = (await response.text()).trim()
      if (!isAnswered) return undefined
      if (response.headers.get('content-type')?.startsWith('application/json')) {
        const value = JSON.parse(body)
        if (value.jsonrpc === '2.0') return JSON.stringify({ ...value, id: value.id ?? id })
        const { errorCode: code, message, retry_after_seconds: wait } = value.Data ?? {}
        if (isErrorCode(code)) {
          const remedy = wait === undefined ? catalog[code].remedy : `Wait ${wait} seconds.`
          return failed(id, -32000, `${code}: ${message ?? catalog[code].message} ${remedy}`)
        }
      }
      return failed(id, -32000, `${url.origin} answered ${response.status}, which is not MCP.`)
    } catch (error) {
      return isAnswered
        ? failed(id, -32000, `${url.origin} cannot be reached: ${causeOf(error)}`)
        : undefined
    }
  }

  for await (const line of createInterface({
    input: process.stdin,
    crlfDelay: Number.POSITIVE_INFINITY
  })) {
    // `trim` takes a byte order mark away, too.
    const message = line.trim()
    if (message === '') continue
    const passing = pass(message).finally(() => underWay.delete(passing))
    underWay.add(passing)
    // Wait: this message agrees on the protocol revision that the next ones must name.
    if (line.includes('"initialize"')) await passing
    if (underWay.size >= maxConcurrent) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

function parse(line: string): Message | undefined {
  try {
    return Object(JSON.parse(line))
  } catch {
    return undefined
  }
}

const failed = (id: string | number | null, code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

/** The headers of Streamable HTTP. In revisions without `initialize`, their values are in the message. */
function headersOf(
  { method, params }: Message,
  connection: { token: string; version: string | undefined; run: string }
) {
  const { token, version: agreed, run } = connection
  const claimed = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  const version = typeof claimed === 'string' ? claimed : agreed
  const name = params?.name ?? params?.uri
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(params?._meta?.run === undefined && { 'x-run-id': run }),
    ...(version !== undefined && { 'mcp-protocol-version': version }),
    ...(claimed !== undefined && method !== undefined && { 'mcp-method': method }),
    ...(claimed !== undefined && name !== undefined && { 'mcp-name': name })
  }
}
