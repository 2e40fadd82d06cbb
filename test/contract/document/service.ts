import { createHmac } from 'node:crypto'
import type { Test } from 'tap'
import type { App } from '../../../app.ts'
import type { Scope } from '../../../schemas/access-token.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { boundary, formBytes, samples } from '../../support/form.ts'
import { startService } from '../../support/helper.ts'
import { makeJwt, secret } from '../../support/jwt.ts'
import { startMailServer, tokenOf } from '../../support/mail-server.ts'
import { ofAreas } from './areas.ts'
import { type Answer, type Operation, operationOf, operations, takes } from './operations.ts'

/** A request of an operation: parameters as they are in the URL, the body as it is sent. */
export interface Call {
  params: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  body: string | Buffer | undefined
}

let callers = 0
/** A new address for each call, so that no limit by address interferes. */
export function nextCaller() {
  callers += 1
  return `198.51.${(callers >> 8) & 255}.${callers & 255}`
}

/** Signs in; returns the credentials of the new session. */
export async function signIn({ app }: { app: App }, user_id: string, user_pass = user_id) {
  const response = await app.inject({
    method: 'POST',
    url: '/session/login',
    payload: { user_id, user_pass },
    remoteAddress: nextCaller()
  })
  const cookie = `PHPSESSID=${response.cookies.at(-1)?.value}`
  return { cookie, 'x-csrf-token': String(response.json().Data.csrfToken) }
}

const webhookSecret = 'a-secret-of-the-sender-and-of-us!'
const agentToken = 'the-token-of-the-agent'

/** A service with every area on, and the credentials of each kind of caller. */
export async function startEverything(
  t: Test,
  env: Record<string, string> = {},
  extend?: (app: App) => void
) {
  const mail = await startMailServer(t)
  const config = {
    SVC_JWT_SECRET: secret,
    SVC_WEBHOOK_SECRET: webhookSecret,
    SVC_AGENT_BEARER_TOKEN: agentToken,
    SVC_SMTP_URL: mail.url,
    SVC_LOCKOUT_FAILURES: '1000',
    SVC_UPLOAD_MAX_BYTES: '10000',
    SVC_USER_UPLOAD_BYTES: '30000',
    SVC_LOG_LEVEL: 'silent',
    ...env
  }
  const service = await startService(t, config, extend)
  const { app, clock } = service
  const seededAt = clock.now

  const demo = await signIn(service, 'demo')
  const token = async (...scopes: Scope[]) =>
    (await makeAccessToken(app, { user_id: 'admin', ...(scopes.length > 0 && { scopes }) })).bearer
  const limited = async (limits: { asks: true } | { changes_max: number }) =>
    (await makeAccessToken(app, { user_id: 'admin', ...limits })).bearer
  const tokens = {
    'access token': await token(),
    'token to read todos': await token('todo:read'),
    'token to read memos': await token('memo:read'),
    'token that asks': await limited({ asks: true }),
    'token without changes': await limited({ changes_max: 0 })
  }
  async function signInAll() {
    const admin = await signIn(service, 'admin')
    const now = clock.now / 1000
    const jwt = makeJwt({ sub: '1', role: 'admin', iat: now, exp: now + 3600, pwd: seededAt })
    return {
      admin,
      demo,
      'admin without CSRF token': { cookie: admin.cookie },
      'admin with a wrong CSRF token': { ...admin, 'x-csrf-token': 'f'.repeat(64) },
      agent: { authorization: `Bearer ${agentToken}` },
      jwt: { authorization: `Bearer ${jwt}` },
      ...tokens,
      'a wrong access token': { authorization: `Bearer gth_${'x'.repeat(49)}` },
      'a wrong token': { authorization: 'Bearer wrong' },
      'an empty token': { authorization: 'Bearer' },
      nobody: {}
    }
  }
  return { ...service, mail, ways: await signInAll(), signInAll }
}

export type Everything = Awaited<ReturnType<typeof startEverything>>
export type Caller = keyof Everything['ways']

/** A caller who may call an operation. */
export function callerOf(operation: Operation): Caller {
  if (takes(operation, 'sessionCookie')) return 'admin'
  if (takes(operation, 'bearerAuth')) return 'jwt'
  return takes(operation, 'accessToken') ? 'access token' : 'nobody'
}

export async function send(
  { app, ways, clock }: Everything,
  { method, path, operationId }: Operation,
  { params, query, headers, body }: Call,
  as: Caller,
  remoteAddress = nextCaller()
): Promise<Answer & { headers: Record<string, unknown>; rawPayload: Buffer }> {
  const segments = path.replaceAll(/\{(\w+)\}/g, (_all, name) => params[name] ?? '')
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  const signed: Record<string, string> = { ...headers }
  if (operationId === 'receiveWebhook') signed['x-webhook-signature'] ??= sign(body ?? '', clock)
  return app.inject({
    method,
    url: pairs.length > 0 ? `${segments}?${pairs.join('&')}` : segments,
    headers: { ...ways[as], ...signed },
    remoteAddress,
    ...(body !== undefined && { payload: body })
  })
}

function sign(body: string | Buffer, clock: { now: number }) {
  const time = Math.floor(clock.now / 1000)
  return `t=${time},v1=${createHmac('sha256', webhookSecret).update(`${time}.`).update(body).digest('hex')}`
}

/** The call as in the document's examples: required parameters and the body, nothing prepared. */
export function exampleCall(operation: Operation): Call {
  const values = (place: string) =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, example = '1' }) => [name, encodeURIComponent(String(example))])
    )
  const { body } = operation
  return {
    params: values('path'),
    query: values('query'),
    headers: {},
    body: body && !body.isForm ? JSON.stringify(body.example) : undefined
  }
}

/** Calls an operation as its example does, with these changes. */
export function sendExample(
  service: Everything,
  id: string,
  changes: Partial<Call> = {},
  as: Caller = 'admin'
) {
  const operation = operationOf(id)
  return send(service, operation, { ...exampleCall(operation), ...changes }, as)
}

/** Gives a call this body. */
export const json = (body: unknown) => (call: Call) => {
  call.body = JSON.stringify(body)
}

/** For each operation: makes what its example lacks to succeed. */
export type Preparations = Record<string, (call: Call, service: Everything) => unknown>

/** Makes a row by POST to the `index` of an area. @returns Its key; undefined if there is no such operation. */
async function newIdFor(path: string, service: Everything): Promise<number | undefined> {
  const index = `${path.replace(/\/(batch|remove)$/, '')}/index`
  const creator = operations.find(({ path, method }) => path === index && method === 'POST')
  if (!creator) return undefined
  const { body } = await send(service, creator, await validCall(creator, service), 'admin')
  const [made] = Object.values(JSON.parse(body).Data).filter((value) => value instanceof Object)
  return made && 'id' in made ? Number(made.id) : undefined
}

/** Of batches: what they change or delete is made first. */
async function prepareBatch({ method, path }: Operation, call: Call, service: Everything) {
  const isRemoval = path.endsWith('/remove')
  if (!isRemoval && !(method === 'PATCH' && path.endsWith('/batch'))) return
  const id = await newIdFor(path, service)
  const { items } = JSON.parse(String(call.body))
  json(isRemoval ? { ids: [id] } : { items: [{ ...items[0], id }] })(call)
}

function withPicture(call: Call) {
  call.headers['content-type'] = `multipart/form-data; boundary=${boundary}`
  call.body = formBytes([{ filename: 'dot.png', content: samples.png }])
}

const preparations: Preparations = {
  createAttachment: withPicture,
  planAttachment: withPicture,
  async restoreAttachment(call, service) {
    const { params } = call
    await send(service, operationOf('deleteAttachment'), { ...call, params }, 'admin')
  },
  async downloadAttachment(call, service) {
    const link = operationOf('getAttachmentLink')
    const { body } = await send(service, link, { ...call, query: {} }, 'admin')
    call.query = Object.fromEntries(new URL(JSON.parse(body).Data.url).searchParams)
  },
  async resetPassword(call, service) {
    const body = JSON.stringify({ email: 'demo@example.com' })
    // Wait for earlier mails: they could arrive after the one that is read here.
    await service.app.background.idle()
    // Past the limit of mails in an hour.
    await service.sql(`UPDATE password_resets SET created_at = '2020-01-01T00:00:00.000Z'`)
    await sendExample(service, 'requestPasswordReset', { body }, 'nobody')
    await service.app.background.idle()
    call.params.token = tokenOf(service.mail.mails.at(-1))
  },
  replaceMemo: (call) => Object.assign(call.headers, { 'if-match': '"v1"' }),
  changeMemo: (call) => Object.assign(call.headers, { 'if-match': '"v1"' }),
  deleteMemo: (call) => Object.assign(call.headers, { 'if-match': '"v1"' }),
  async logout(_call, service) {
    service.ways = await service.signInAll()
  }
}

/** A call that succeeds. What `{id}` names is created by POST to the `index` of its controller. */
export async function validCall(operation: Operation, service: Everything): Promise<Call> {
  const call = exampleCall(operation)
  if ('id' in call.params) {
    const id = await newIdFor(operation.path.replace(/\/[^/]+\/[^/]+$/, ''), service)
    if (id !== undefined) call.params.id = String(id)
  }
  await prepareBatch(operation, call, service)
  await { ...preparations, ...(await ofAreas<Preparations[string]>('prepare')) }[
    operation.operationId
  ]?.(call, service)
  return call
}
