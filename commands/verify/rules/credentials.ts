import { type Context, callOf, forEach } from '../context.ts'
import { type Answer, headerOf, Unreachable } from '../exchange.ts'

/** How many wrong tokens are sent: they are counted by address. */
const wrongTokens = 3
/** A key that nothing has. */
const nobodys = String(Number.MAX_SAFE_INTEGER)

/** Nobody gets in, and nobody's body is read; 403 is for those who are known. */
export async function checkCredentials(context: Context) {
  const { described, send, judge, ways, isWrite } = context
  const { securitySchemes = {} } = described.document.components ?? {}
  const schemes = Object.entries(securitySchemes)
  const cookie = schemes.find(([, { in: place }]) => place === 'cookie')?.[1].name
  const [tokenScheme, { bearerFormat = '' } = {}] =
    schemes.find(([, scheme]) => scheme.bearerFormat) ?? []
  const guarded = described.operations.filter(
    ({ security, method }) =>
      security.every((way) => way.length > 0) && (method === 'GET' || isWrite)
  )
  let tried = 0
  await forEach(context, guarded, async (operation) => {
    const call = callOf(operation, { params: { id: nobodys } })
    const broken = operation.method === 'GET' ? {} : { body: '{' }
    const refused = (answer: Answer, who: string) =>
      judge('credentials', answer, answer.status !== 401 && `${answer.status} for ${who}`)
    refused(await send({ ...call, ...broken }), 'nobody')
    if (cookie && operation.method === 'GET') {
      refused(await send({ ...call, headers: { cookie: `${cookie}=verify` } }), 'a wrong cookie')
    }
    const takesToken = operation.security.some(([name]) => name === tokenScheme)
    if (!takesToken || operation.method !== 'GET' || tried++ >= wrongTokens) return
    const wrong = bearerFormat.replace('...', 'x'.repeat(49))
    const answer = await send({ ...call, headers: { authorization: `Bearer ${wrong}` } })
    if (!refused(answer, 'a wrong token')) return
    const challenge = headerOf(answer, 'www-authenticate')
    judge('credentials', answer, !/error="/.test(challenge) && `the challenge is ${challenge}`)
  })
  if (!isWrite) return

  const foreign = { origin: 'https://verify.invalid', 'sec-fetch-site': 'cross-site' }
  const login = described.operations.find(({ path }) => path === '/session/login')
  if (login?.body) {
    const answer = await send(callOf(login, { headers: foreign, body: login.body.example }))
    judge('csrf', answer, answer.status !== 403 && `${answer.status} for a foreign page`)
  }
  const { session } = ways
  if (!session) return
  // If the rule is broken these are carried out: so they name what does not exist.
  const changes = described.operations.filter(
    ({ method, security, path }) =>
      method !== 'GET' && security.some((way) => way.length > 1) && path.includes('id_{id}')
  )
  for (const operation of changes) {
    for (const headers of [{}, { 'x-csrf-token': 'f'.repeat(64) }]) {
      const call = callOf(operation, { params: { id: nobodys }, headers })
      const answer = await send({ ...call, as: 'session without CSRF token' })
      judge('csrf', answer, answer.status !== 403 && `${answer.status} without the token`)
    }
  }
}

/** Signs in; returns what signs out. @throws Unreachable if the service refuses. */
export async function signIn(
  { described, send, judge, ways }: Context,
  user_id: string,
  user_pass: string
) {
  const find = (wanted: string) => described.operations.find(({ path }) => path === wanted)
  const [login, logout] = [find('/session/login'), find('/session/logout')]
  if (!login || !logout) throw new Unreachable('the service has no sessions')
  const answer = await send(callOf(login, { body: { user_id, user_pass } }))
  const cookie = [answer.headers['set-cookie'] ?? []].flat().at(-1)?.split(';')[0]
  const { csrfToken, errorCode } = answer.json?.Data ?? {}
  if (answer.status !== 200 || !cookie)
    throw new Unreachable(`${user_id} cannot sign in: ${errorCode}`)
  ways.session = { cookie, 'x-csrf-token': String(csrfToken) }
  ways['session without CSRF token'] = { cookie }
  return async () => {
    await send({ ...callOf(logout, {}, 'session'), isCleanUp: true })
    const again = await send({ ...callOf(logout, {}, 'session'), isCleanUp: true })
    judge(
      'credentials',
      again,
      again.status !== 401 && `${again.status} after the session has ended`
    )
  }
}
