import type { AreaTraffic, Client, Traffic, World } from '../client.ts'
import { Rows } from '../row.ts'

type Token = { id: number; name: string }

const most = 8

/** A user who makes access tokens, uses them and revokes them. */
function accessTokenTraffic({ caller, random, report, name }: Client): Traffic {
  const rows = new Rows<{ live: true }>(`token ${name}`, report)
  /** The tokens whose answer came, by the name of their row. */
  const tokens = new Map<string, string>()
  const bearer = (row: { name: string }) => ({
    authorization: `Bearer ${tokens.get(row.name)}`
  })

  async function create() {
    if (rows.live.length >= most) return revoke()
    const row = rows.add()
    const body = { name: row.name, scopes: ['todo:read'] }
    const reply = await caller.send<{ access_token: Token; token: string }>('createAccessToken', {
      body
    })
    row.wrote({ live: true }, reply)
    if (reply.kind !== 'done') return
    row.id = reply.data.access_token.id
    tokens.set(row.name, reply.data.token)
  }

  async function use() {
    const row = random.pick(rows.live.filter((it) => tokens.has(it.name)))
    if (!row) return
    const request = { params: { limit: 1 }, headers: bearer(row), isAnonymous: true }
    await caller.send('listTodos', request)
  }

  async function useBeyondScope() {
    const row = random.pick(rows.live.filter((it) => tokens.has(it.name)))
    if (!row) return
    const fails = ['SCOPE-INSUFFICIENT']
    const request = { headers: bearer(row), isAnonymous: true, fails }
    const reply = await caller.send('listMemos', request)
    if (reply.kind === 'done') report.problem(`${row.name}: reads memos without the scope`)
  }

  async function revoke() {
    const row = random.pick(rows.live)
    if (!row) return
    const reply = await caller.send('revokeAccessToken', { params: { id: row.id } })
    row.wrote(null, reply)
    if (reply.kind !== 'done' || !tokens.has(row.name)) return
    const fails = ['ACCESS-TOKEN-INVALID']
    const again = await caller.send('listTodos', { headers: bearer(row), isAnonymous: true, fails })
    if (again.kind === 'done') report.problem(`${row.name}: was revoked, and is taken`)
  }

  async function list() {
    const reply = await caller.send<{ access_tokens: Token[] }>('listAccessTokens')
    if (reply.kind !== 'done') return
    const found = reply.data.access_tokens
    rows.compare(found.map((it) => ({ name: it.name, id: it.id, value: { live: true } })))
  }

  return { actions: [create, create, use, use, useBeyondScope, revoke, list], check: list }
}

export default function accessToken({ audit }: World): AreaTraffic {
  audit.expect({
    createAccessToken: 'access-token-created',
    revokeAccessToken: 'access-token-revoked'
  })
  return { callers: ['user'], traffic: accessTokenTraffic }
}
