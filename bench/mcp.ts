/**
 * Part of `npm run bench`, alone with `--tools`: what a tool call costs beside the HTTP request that
 * it stands for, in CPU of the server.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contender, create, type Plan, read, takeTurns } from './contender.ts'
import { reader } from './data.ts'
import type { Request } from './load.ts'
import { judge, printTable, type Row } from './report.ts'
import { startService, withoutLimits } from './service.ts'

/** Most that a tool call may cost, as a multiple of the request. */
const goal = 2.2

const cases: [string, Request, tool: string, args: object][] = [
  ['read one', read, 'get_todo', { id: 5 }],
  // Of the caller's todos there are more: warming up makes some.
  ['list of 10', { method: 'GET', path: '/todo/index?limit=10' }, 'list_todos', { limit: 10 }],
  ['create', create, 'create_todo', { title: 'Buy oat milk' }]
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
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args }
  })
})

/** Prints the table. Two differences of a few µs are compared, so each round is shorter and there are more. */
export async function measureTools({ rounds, seconds, ...rest }: Plan) {
  const plan = { ...rest, rounds: rounds * 3, seconds: seconds / 3 }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const token = randomBytes(32).toString('hex')
  const target = await startService(folder, {
    ...withoutLimits,
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: reader.user_id
  })
  const as = (request: Request) =>
    new Contender(target, {
      ...request,
      headers: { authorization: `Bearer ${token}`, ...ofFetch, ...request.headers }
    })
  try {
    const pairs = cases.map(([name, request, tool, args]) => ({
      name,
      http: as(request),
      mcp: as(callOf(tool, args))
    }))
    // Else the first would pay for compiling what all share.
    for (const { http, mcp } of pairs) {
      await http.warmUp(64, plan.warmUpSeconds)
      await mcp.warmUp(64, plan.warmUpSeconds)
    }
    const rows: Record<string, Row> = {}
    for (const { name, http, mcp } of pairs) {
      await takeTurns([http, mcp], 16, plan)
      const ratio = mcp.cpu / http.cpu
      rows[name] = {
        'HTTP µs': http.cpu.toFixed(1),
        'tool µs': mcp.cpu.toFixed(1),
        ratio: ratio.toFixed(2),
        'met (goal)': judge(ratio, goal, true)
      }
    }
    printTable('tools', rows)
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
