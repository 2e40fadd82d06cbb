import type { TObject } from '@sinclair/typebox'
import t from 'tap'
import type { App } from '../../app.ts'
import { adviceOf, catalog, type ErrorCode, errorCodes } from '../../schemas/errors.ts'
import { boundary, formBytes, samples } from '../support/form.ts'
import { holdTransaction } from '../support/helper.ts'
import { ofAreas } from './document/areas.ts'
import { missingHeaders, operationOf } from './document/operations.ts'
import {
  callerOf,
  type Everything,
  exampleCall,
  send,
  sendExample,
  startEverything,
  validCall
} from './document/service.ts'
import { call, type Trigger } from './document/triggers.ts'

/** Repeats a call; returns the last answer. */
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

/** Makes a call after `ms` have passed; with `isDone`, for the second time. */
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

/** The codes of a missing and an unknown id, from the schema of each area's `GET .../item/id_{id}`. */
const ofIds = ({ operations }: App): Partial<Record<ErrorCode, Trigger>> =>
  Object.fromEntries(
    operations.flatMap(({ id: operationId, method, url, schema }) => {
      if (method !== 'GET' || !url.endsWith('/item/id_:id')) return []
      const { properties } = schema.params as TObject
      const codes = properties.id?.['x-error-codes']
      if (!codes?.type || !codes.maximum) return []
      return [
        [codes.type, call(operationId, { params: noId })],
        [codes.maximum, call(operationId, { params: id })]
      ]
    })
  )

/** For each other code, a request that is answered with it. Their order matters: they share one service. */
const triggers: Partial<Record<ErrorCode, Trigger>> = {
  ...(await ofAreas<Trigger>('triggers')),
  'SESSION-CLOSED': call('listTodos', { as: 'nobody' }),
  'LOGIN-FAILED': call('login', { json: { user_id: 'demo', user_pass: 'wrong' } }),
  'CSRF-TOKEN-INVALID': call('createTodo', { as: 'admin without CSRF token' }),
  'METHOD-NOT-ALLOWED': get('/todo/index', 'PUT'),
  'NOT-FOUND': get('/no/such'),
  'INTERNAL-ERROR': get('/sample/broken'),
  'ROUTE-CONFLICT': get('/sample/twice'),
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
  FORBIDDEN: call('listAuditEvents', { as: 'demo' }),
  'INVALID-TRANSITION': call('moveMemo', { json: { to_state: 'archived' } }),
  'JWT-INVALID': call('getTokenClaims', { as: 'nobody' }),
  'ACCESS-TOKEN-INVALID': call('listMemos', { as: 'a wrong access token' }),
  'ACCESS-TOKEN-NOT-FOUND': call('revokeAccessToken', { params: id }),
  'APPROVAL-NEEDED': call('createTodo', { as: 'token that asks' }),
  'BUDGET-SPENT': call('createTodo', { as: 'token without changes' }),
  'SCOPE-INSUFFICIENT': call('createTodo', { as: 'token to read todos' }),
  'PRECONDITION-FAILED': call('replaceMemo', { headers: { 'if-match': '"v9"' } }),
  async 'PRECONDITION-REQUIRED'(service) {
    const { params } = await validCall(operationOf('getMemo'), service)
    return sendExample(service, 'replaceMemo', { params })
  },
  'RATE-LIMIT-EXCEEDED': often(11, 'requestPasswordReset', { remoteAddress: '203.0.113.9' }),
  'CHANGES-GONE': async (service) => {
    await service.sql('INSERT INTO forgotten_changes (user_id, id) SELECT id, 99999 FROM users')
    return call('listActivity', { query: { after: '0' } })(service)
  },
  'SIGNED-URL-INVALID': call('downloadAttachment', { query: { signature: '0'.repeat(64) } }),
  'SIGNED-URL-EXPIRED': repeated('downloadAttachment', { ms: hour + 1000 }),
  'TOKEN-ALREADY-USED': repeated('resetPassword', { isDone: true }),
  'TOKEN-EXPIRED': repeated('resetPassword', { ms: hour }),
  'VALIDATION-FAILED': call('createTodo', { json: { title: 7 } }),
  'WEBHOOK-SIGNATURE-INVALID': call('receiveWebhook', { headers: { 'x-webhook-signature': 'x' } }),
  'REQUEST-INVALID': get('/todo/item/id_%zz'),
  'BODY-INVALID': call('createTodo', { body: '{' }),
  'BODY-TOO-LARGE': call('createTodo', { json: { title: 'x'.repeat(1024 ** 2) } }),
  'RANGE-NOT-SATISFIABLE': call('downloadAttachment', {
    headers: { range: `bytes=${samples.png.length}-` }
  }),
  'USER-NOT-FOUND': call('sendMail', {
    json: { user_id: 'nobody', subject: 'x', text: 'x' }
  }),
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

t.test('for every code there is a request that is answered with it (contract E6)', async (t) => {
  const service = await startEverything(t, { SVC_LOCKOUT_FAILURES: '3' }, addSamples)
  const { now } = service.clock
  const all = { ...triggers, ...ofIds(service.app) }
  t.same(Object.keys(all).sort(), [...errorCodes].sort())
  for (const [code, trigger] of Object.entries(all) as [ErrorCode, Trigger][]) {
    const answer = await trigger(service)
    service.clock.now = now
    const { status, message } = catalog[code]
    t.equal(answer.statusCode, status, code)
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8', code)
    t.same(missingHeaders(answer), [], code)
    const { Result, Data } = JSON.parse(answer.body)
    const { retry } = adviceOf(code, Data.reason)
    const query = code === 'CONFLICT' ? `?reason=${Data.reason}` : ''
    t.match(answer.headers.link, `</error/item/code_${code}${query}>; rel="help"`, code)
    t.equal(answer.headers['retry-after'] !== undefined, retry === 'later', `${code}: ${retry}`)
    t.same(
      [Result, Data.status, Data.errorCode, Data.errorMessage],
      [true, 'failure', code, message],
      code
    )
  }
})
