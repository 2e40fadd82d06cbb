import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
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
}

/** The official client, signed in as an administrator with an access token. */
export async function connect(
  t: Test,
  { app }: { app: App },
  { mode = 'legacy', user_id = 'admin', scopes = all, bearer }: Options = {}
) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = bearer ?? (await makeAccessToken(app, { user_id, scopes })).bearer
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const { port } = app.server.address() as { port: number }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers }
    })
  )
  t.teardown(() => client.close())
  return client
}
