import t from 'tap'
import type { App } from '../../app.ts'
import { catalog, type ErrorCode, errorCodes } from '../../schemas/errors.ts'
import { boundary, formBytes, samples } from '../form.ts'
import { holdTransaction } from '../helper.ts'
import { type Answer, missingHeaders, operationOf } from './document/operations.ts'
import {
  type Call,
  type Caller,
  callerOf,
  type Everything,
  exampleCall,
  send,
  startEverything,
  validCall
} from './document/service.ts'

type Trigger = (service: Everything) => Promise<Answer>

/** What is different from a valid call. */
interface Change extends Partial<Call> {
  as?: Caller
  json?: unknown
}

/** A valid call of an operation, but for what is said. */
const call =
  (id: string, { as, json, params, query, headers, body }: Change = {}): Trigger =>
  async (service) => {
    const operation = operationOf(id)
    const valid = await validCall(operation, service)
    const changed = {
      params: { ...valid.params, ...params },
      query: { ...valid.query, ...query },
      headers: { ...valid.headers, ...headers },
      body: json === undefined ? (body ?? valid.body) : JSON.stringify(json)
    }
    return send(service, operation, changed, as ?? callerOf(operation))
  }

/** The same call again and again: the last answer. */
const often =
  (
    times: number,
    id: string,
    { json, remoteAddress }: { json?: unknown; remoteAddress?: string }
  ) =>
  async (service: Everything) => {
    const operation = operationOf(id)
    const valid = exampleCall(operation)
    const body = json === undefined ? valid.body : JSON.stringify(json)
    const ask = () =>
      send(service, operation, { ...valid, body }, callerOf(operation), remoteAddress)
    for (let i = 1; i < times; i++) await ask()
    return ask()
  }

const get =
  (url: string, method: 'GET' | 'PUT' = 'GET'): Trigger =>
  ({ app }) =>
    app.inject({ method, url, headers: { accept: 'application/json' } })

const upload = (content: string, name = 'file') =>
  call('createAttachment', {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: formBytes([{ name, filename: 'a.png', content }])
  })

/** The mail server refuses the next mails. */
const refusing =
  (mails: number, trigger: Trigger): Trigger =>
  (service) => {
    service.mail.refuse = mails
    return trigger(service)
  }

/** The call, once it was done and the clock went on. */
const repeated =
  (id: string, { ms = 0, isDone = false }): Trigger =>
  async (service) => {
    const operation = operationOf(id)
    const valid = await validCall(operation, service)
    const ask = () => send(service, operation, valid, callerOf(operation))
    if (isDone) await ask()
    service.clock.now += ms
    return ask()
  }

const hour = 3_600_000
const id = { id: '999999' }
const noId = { id: 'x' }

/** For each code a request that ends with it; later ones find what earlier ones left. */
const triggers: Record<ErrorCode, Trigger> = {
  'SESSION-CLOSED': call('listTodos', { as: 'nobody' }),
  'LOGIN-FAILED': call('login', { json: { user_id: 'demo', user_pass: 'wrong' } }),
  'CSRF-TOKEN-INVALID': call('createTodo', { as: 'admin without CSRF token' }),
  'METHOD-NOT-ALLOWED': get('/todo/index', 'PUT'),
  'NOT-FOUND': get('/no/such'),
  'INTERNAL-ERROR': get('/sample/broken'),
  'ROUTE-CONFLICT': get('/sample/twice'),
  'TODO-ID-REQUIRED': call('getTodo', { params: noId }),
  'TODO-NOT-FOUND': call('getTodo', { params: id }),
  'TODO-TITLE-REQUIRED': call('createTodo', { json: { title: ' ' } }),
  'UPLOAD-FILE-REQUIRED': upload('x', 'other'),
  'UPLOAD-TOO-LARGE': upload('x'.repeat(20_000)),
  'UPLOAD-MIME-REJECTED': upload('<svg/>'),
  'ACCOUNT-LOCKED': often(4, 'login', { json: { user_id: 'somebody', user_pass: 'wrong' } }),
  'BATCH-ITEM-FAILED': call('createTodos', { json: { items: [{}] } }),
  'BATCH-TOO-LARGE': call('createTodos', { json: { items: Array(101).fill({ title: 'x' }) } }),
  'DOWNSTREAM-FAILED': refusing(1, call('sendMail')),
  'CIRCUIT-OPEN': refusing(5, often(6, 'sendMail', {})),
  async CONFLICT(service) {
    const same = { headers: { 'idempotency-key': 'once' } }
    const once = () => call('createTodo', same)(service)
    const { entered, release } = holdTransaction(service.app)
    const first = once()
    await entered
    const second = await once()
    release()
    await first
    return second
  },
  FORBIDDEN: call('listFeatureFlags', { as: 'demo' }),
  'INVALID-TRANSITION': call('moveMemo', { json: { to_state: 'archived' } }),
  'JWT-INVALID': call('getTokenClaims', { as: 'nobody' }),
  'PRECONDITION-FAILED': call('replaceMemo', { headers: { 'if-match': '"v9"' } }),
  async 'PRECONDITION-REQUIRED'(service) {
    const { params } = await validCall(operationOf('getMemo'), service)
    const operation = operationOf('replaceMemo')
    return send(service, operation, { ...exampleCall(operation), params }, 'admin')
  },
  'RATE-LIMIT-EXCEEDED': often(11, 'requestPasswordReset', { remoteAddress: '203.0.113.9' }),
  'SIGNED-URL-INVALID': call('downloadAttachment', { query: { signature: '0'.repeat(64) } }),
  'SIGNED-URL-EXPIRED': repeated('downloadAttachment', { ms: hour + 1000 }),
  'TOKEN-ALREADY-USED': repeated('resetPassword', { isDone: true }),
  'TOKEN-EXPIRED': repeated('resetPassword', { ms: hour }),
  'VALIDATION-FAILED': call('createTodo', { json: { title: 7 } }),
  'WEBHOOK-SIGNATURE-INVALID': call('receiveWebhook', { headers: { 'x-webhook-signature': 'x' } }),
  'REACTION-TYPE-INVALID': call('toggleReaction', { params: { reactionType: 'boo' } }),
  'REACTION-NOT-FOUND': call('removeReaction', { params: { targetId: '999999' } }),
  'REQUEST-INVALID': get('/todo/item/id_%zz'),
  'BODY-INVALID': call('createTodo', { body: '{' }),
  'BODY-TOO-LARGE': call('createTodo', { json: { title: 'x'.repeat(1024 ** 2) } }),
  'MEMO-ID-REQUIRED': call('getMemo', { params: noId }),
  'MEMO-NOT-FOUND': call('getMemo', { params: id }),
  'ATTACHMENT-ID-REQUIRED': call('getAttachment', { params: noId }),
  'ATTACHMENT-NOT-FOUND': call('getAttachment', { params: id }),
  'RANGE-NOT-SATISFIABLE': call('downloadAttachment', {
    headers: { range: `bytes=${samples.png.length}-` }
  }),
  'FLAG-NOT-FOUND': call('setFlagOverride', { json: { flag_name: 'none', is_enabled: true } }),
  'USER-NOT-FOUND': call('setFlagOverride', { params: id }),
  'SERVICE-OVERLOADED': (service) => {
    service.app.db.ping = () => Promise.reject(new Error('the database is gone'))
    return call('getHealth')(service)
  }
}

function addSamples(app: App) {
  const anyone = { config: { allow: ['anyone'] } } as const
  app.get('/sample/broken', anyone, async () => {
    throw new Error('a secret of the handler')
  })
  app.get('/sample/twice', anyone, async () => ({ Result: true }))
  app.get('/sample/twice', anyone, async () => ({ Result: true }))
}

t.setTimeout(120_000)

t.test('every code is the answer to a request over HTTP (contract: Errors)', async (t) => {
  const service = await startEverything(t, { SVC_LOCKOUT_FAILURES: '3' }, addSamples)
  const { now } = service.clock
  t.same(Object.keys(triggers).sort(), [...errorCodes].sort())
  for (const [code, trigger] of Object.entries(triggers) as [ErrorCode, Trigger][]) {
    const answer = await trigger(service)
    service.clock.now = now
    const { status, message } = catalog[code]
    t.equal(answer.statusCode, status, code)
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8', code)
    t.same(missingHeaders(answer), [], code)
    const { Result, Data } = JSON.parse(answer.body)
    t.same(
      [Result, Data.status, Data.errorCode, Data.errorMessage],
      [true, 'failure', code, message],
      code
    )
  }
})
