import { randomBytes } from 'node:crypto'
import type { Request } from './load.ts'
import { asEach, create, list } from './measure.ts'
import { furnishedPlace, reader, startService } from './place.ts'

const made = { items: [{ title: 'Buy oat milk' }] }

const cases: [string, Request, tool: string, args: object][] = [
  ['read one', { ...list, path: '/todo/index?id=5' }, 'list_todos', { id: 5 }],
  // Of the caller's todos there are more: warming up makes some.
  ['list of 10', { ...list, path: '/todo/index?limit=10' }, 'list_todos', { limit: 10 }],
  ['create', { ...create, path: '/todo/batch', body: JSON.stringify(made) }, 'create_todos', made]
]

/** What `fetch` of Node.js adds to each request, as clients of both kinds do. */
const ofFetch = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate'
}

const callOf = (name: string, args: object): Request => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25'
  },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name, arguments: args }
  })
})

/** A tool call, and the HTTP request that it stands for. */
export async function toolCases() {
  const token = randomBytes(32).toString('hex')
  const target = await startService(await furnishedPlace(), {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: reader.user_id
  })
  const caller = { authorization: `Bearer ${token}`, ...ofFetch }
  return cases.map(([name, request, tool, args]) => ({
    name,
    callers: 16,
    contenders: {
      'tool call': { target, requests: asEach(callOf(tool, args), [caller]) },
      request: { target, requests: asEach(request, [caller]) }
    },
    goal: { to: 'request', most: 2.2 }
  }))
}
