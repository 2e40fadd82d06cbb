import {
  type CallToolResult,
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport
} from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import type { App } from '../../app.ts'
import { scopes as all, type Scope } from '../../schemas/access-token.ts'
import { makeAccessToken } from './access-token.ts'

interface Options {
  /** `legacy` begins with `initialize`, `auto` does without it. */
  mode?: 'legacy' | 'auto'
  /** The user of the token; by default an administrator. */
  user_id?: string
  /** The scopes of a new access token; by default all that an administrator may have. */
  scopes?: readonly Scope[]
  /** Another credential, used instead of a new access token. */
  bearer?: { authorization: string }
  /** What the person answers who is asked; without it the client cannot ask. */
  answer?(message: string): ElicitResult
}

/** Starts to listen, unless the service does so already; returns the port. */
async function portOf(app: App) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  return port
}

/** Sends a message as a client does. */
export const post = (app: App, message: object, headers: object) =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', ...headers },
    payload: message
  })

/** The text of a result. */
export function textOf({ content: [block] }: CallToolResult) {
  return block?.type === 'text' ? block.text : ''
}

/** What a result tells. */
export const toldOf = (result: CallToolResult) => JSON.parse(textOf(result))

/** The official client, signed in as an administrator with an access token. */
export async function connect(
  t: Test,
  { app }: { app: App },
  { mode = 'legacy', user_id = 'admin', scopes = all, bearer, answer }: Options = {}
) {
  const port = await portOf(app)
  const headers = bearer ?? (await makeAccessToken(app, { user_id, scopes })).bearer
  const capabilities = answer ? { elicitation: {} } : {}
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities }
  )
  if (answer)
    client.setRequestHandler('elicitation/create', async ({ params }) => answer(params.message))
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers }
    })
  )
  t.teardown(() => client.close())
  return client
}
