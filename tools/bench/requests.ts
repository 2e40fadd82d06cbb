import { randomBytes } from 'node:crypto'
import { databaseFile } from '../../db/sqlite/file.ts'
import { asEach, create, list, read } from './measure.ts'
import { furnishedPlace, nameOf, reader, signIn, startService, writer } from './place.ts'
import { freePort, node, start, type Target } from './target.ts'

const lists = { callers: 32, request: list }
const creates = { callers: 64, request: create }
/** `plain`: a route as most people would write it is measured too (bare.ts). */
const cases = {
  sqlite: [
    { name: 'list of 10, session', least: 0.65, ...lists, as: 'session', plain: true },
    { name: 'list of 10, agent token', least: 0.65, ...lists, as: 'agent' },
    { name: 'list of 10, access token', least: 0.65, ...lists, as: 'accessToken' },
    { name: 'list of 10, JWT', least: 0.6, ...lists, as: 'jwt' },
    { name: 'read one, session', least: 0.52, callers: 32, request: read, as: 'session' },
    { name: 'create, 1 caller', least: 0.7, callers: 1, request: create, as: 'writer' },
    { name: 'create, 64 callers', least: 4.5, ...creates, as: 'writer' }
  ],
  postgres: [
    { name: 'list of 10, session', least: 0.7, ...lists, as: 'session', plain: true },
    { name: 'create, 64 callers, one user', least: 2, ...creates, as: 'writer', plain: true },
    { name: 'create, 64 users', least: 2.4, ...creates, as: 'users', plain: true }
  ]
} as const

const agentToken = randomBytes(32).toString('hex')

/** Headers of signed-in callers; the bare routes need none. */
async function signInAll({ base, port }: Target, users: number) {
  const post = async (path: string, body: object, headers = {}) => {
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await answer.json()) as { Data: Record<string, string> }).Data
  }
  const { user_id } = reader
  const sessions = []
  for (let n = 0; n < lists.callers; n++) sessions.push(await signIn(port, user_id))
  const jwt = await post('/token/issue', { user_id, user_pass: user_id })
  const wanted = { name: 'bench', scopes: ['todo:read'] }
  const made = await post('/accesstoken/index', wanted, sessions[0])
  const many = []
  for (let n = 0; n < users; n++) many.push(await signIn(port, nameOf(n)))
  const bearer = (token = '') => [{ authorization: `Bearer ${token}` }]
  return {
    session: sessions,
    agent: bearer(agentToken),
    accessToken: bearer(made.token),
    jwt: bearer(jwt.access_token),
    writer: [await signIn(port, writer.user_id)],
    users: many
  }
}

/**
 * Both servers on fresh databases, of SQLite or of a PostgreSQL server. `only`: the cases whose name contains
 * this. `profile`: the folder for a V8 CPU profile of the service.
 */
export async function requestCases(only: string, profile = '', server = '') {
  const beside = await furnishedPlace({ server })
  const port = await freePort()
  const database = beside.SVC_DATABASE_URL || databaseFile(beside.SVC_DATA_DIR)
  const bare = await start(node('tools/bench/bare.ts', port, database), port)
  const more = server ? 64 : 0
  const target = await startService(await furnishedPlace({ server, more }), {
    SVC_AGENT_BEARER_TOKEN: agentToken,
    SVC_AGENT_BEARER_USER: reader.user_id,
    SVC_JWT_SECRET: randomBytes(32).toString('hex'),
    NODE_OPTIONS: profile && `--cpu-prof --cpu-prof-dir=${profile}`
  })
  const credentials = await signInAll(target, more)
  const wanted = cases[server ? 'postgres' : 'sqlite'].filter(({ name }) => name.includes(only))
  return wanted.map(({ name, least, callers, request, as, ...rest }) => {
    const plain = { ...request, path: `/plain${request.path}` }
    const contenders = {
      service: { target, requests: asEach(request, credentials[as]) },
      bare: { target: bare, requests: [request] },
      ...('plain' in rest && { plain: { target: bare, requests: [plain] } })
    }
    return { name, callers, contenders, goal: { to: 'bare', least } }
  })
}
