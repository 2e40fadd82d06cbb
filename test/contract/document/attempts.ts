import { formBytes, samples } from '../../support/form.ts'
import { holdTransaction } from '../../support/helper.ts'
import { described, isOpen, type Operation, takes } from './operations.ts'
import { type Call, type Caller, callerOf, type Everything, send, validCall } from './service.ts'

/** A change to a valid call, and the statuses that it may get. Without `expected`, any documented one. */
export interface Attempt {
  name: string
  as?: Caller
  expected?: number[]
  change?: (call: Call, service: Everything) => unknown
}

const failures = ({ statuses }: Operation) => [...statuses].filter((status) => status >= 400)
const successes = ({ statuses }: Operation) => [...statuses].filter((status) => status < 400)

/** Every kind of caller, with good and with bad credentials (contract BEARER-1, JWT-2). */
export function byCaller(operation: Operation): Attempt[] {
  const good = successes(operation)
  const attempts: Attempt[] = [
    { name: 'a user', as: 'demo' },
    { name: 'the agent', as: 'agent' },
    isOpen(operation)
      ? { name: 'nobody', as: 'nobody', expected: good }
      : { name: 'nobody', as: 'nobody', expected: [401] }
  ]
  if (takes(operation, 'sessionCookie')) attempts.push({ name: 'a session', expected: good })
  if (takes(operation, 'bearerAuth')) {
    attempts.push(
      { name: 'a JWT', as: 'jwt', expected: good },
      { name: 'a wrong token', as: 'a wrong token', expected: [401] },
      { name: 'an empty token', as: 'an empty token', expected: [401] }
    )
  }
  if (takes(operation, 'accessToken')) {
    attempts.push(
      { name: 'an access token', as: 'access token', expected: good },
      { name: 'a wrong access token', as: 'a wrong access token', expected: [401] }
    )
  }
  const { 'x-scope': scope } = operation
  if (scope) {
    const as = scope === 'todo:read' ? 'token to read memos' : 'token to read todos'
    attempts.push({ name: 'a token without the scope', as, expected: [403] })
  }
  if (takes(operation, 'csrfToken')) {
    for (const as of ['admin without CSRF token', 'admin with a wrong CSRF token'] as const) {
      attempts.push({ name: as, as, expected: [403] })
    }
  }
  return attempts
}

const megabyte = 1024 ** 2
const long = 'y'.repeat(5000)

/** Bodies that are not JSON, and JSON of every shape (contract E2). */
export function byBody(operation: Operation): Attempt[] {
  const isRead = ['POST', 'PUT', 'PATCH'].includes(operation.method)
  if (!isRead || operation.body?.isForm) return []
  const send = (body: string | Buffer) => (call: Call) => {
    call.body = body
  }
  const broken = ['{', 'user_id=demo', '{"__proto__":{}}', '{} {}', Buffer.from('"\xff"', 'latin1')]
  const attempts: Attempt[] = [
    ...broken.map((body) => ({ name: `body ${body}`, change: send(body), expected: [400] })),
    { name: 'large body', change: send(`"${'x'.repeat(megabyte)}"`), expected: [413] }
  ]
  if (!operation.body) return attempts
  const { schema, example } = operation.body
  for (const body of ['', 'null', '[]', '"text"', '7', 'true', '{}']) {
    attempts.push({ name: `body ${body}`, change: send(body) })
  }
  for (const [field, { type, enum: values = [] }] of Object.entries(described.membersOf(schema))) {
    const others = [null, '', ' ', long, -1, 1.5, 1e300, true, [], ...values]
    for (const value of [undefined, ...others]) {
      const body = JSON.stringify({ ...example, [field]: value })
      attempts.push({ name: `body ${body.slice(0, 60)}`, change: send(body) })
    }
    const body = JSON.stringify({ ...example, [field]: [type].flat().includes('object') ? 1 : {} })
    attempts.push({ name: `body ${body}`, change: send(body), expected: failures(operation) })
  }
  return attempts
}

const pathValues = ['-1', '1.5', '999999', '9007199254740993', 'x%00', '%F0%9F%92%A9', long, '%2F']
const queryValues = ['', 'abc', '-1', '0', '1.5', '501', '9'.repeat(25), '%00', '1&limit=2']
const headerValues = ['', 'x', '"v1"', '"v9"', 'W/"v1"', '*', 'bytes=0-1', 'bytes=99999-', long]

/** Values of every parameter of path, query and headers. */
export function byParameter(operation: Operation): Attempt[] {
  const strict: Attempt = {
    name: 'strict, with an unknown parameter',
    change(call) {
      call.query.unknown = '1'
      call.headers.prefer = 'handling=strict'
    },
    // A signed URL allows no further parameter.
    ...(operation.operationId !== 'downloadAttachment' && { expected: [422] })
  }
  const attempts = operation.parameters.flatMap(({ in: place, name, schema }) => {
    const put = (value: string) => (call: Call) => {
      const values = { path: call.params, query: call.query, header: call.headers }[place]
      values[name] = value
    }
    const values = { path: pathValues, query: queryValues, header: headerValues }[place]
    const attempts: Attempt[] = values.map((value) => ({
      name: `${place} ${name}=${value.slice(0, 40)}`,
      change: put(value)
    }))
    if (place === 'path') {
      attempts.push({ name: 'bad percent-encoding', change: put('%zz'), expected: [400] })
      if (schema.type === 'integer') {
        const expected = failures(operation)
        attempts.push({ name: 'not a number', change: put('abc'), expected })
        attempts.push({ name: 'no value', change: put(''), expected })
      }
    }
    if (place !== 'path') {
      attempts.push({
        name: `without ${name}`,
        change(call) {
          delete call.query[name]
          delete call.headers[name]
        }
      })
    }
    return attempts
  })
  return [strict, ...attempts]
}

/** The same idempotency key twice at once, once more, then with another body (contract IDEMPOTENCY-1). */
export async function conflict(operation: Operation, service: Everything) {
  const call = await validCall(operation, service)
  call.headers['idempotency-key'] = 'once'
  const { release } = holdTransaction(service.app)
  const { promise, resolve } = Promise.withResolvers<void>()
  service.mail.hold = promise
  const as = callerOf(operation)
  const both = [send(service, operation, call, as), send(service, operation, call, as)]
  // One is held; the other is answered.
  await Promise.race(both)
  release()
  resolve()
  const body = Buffer.isBuffer(call.body)
    ? formBytes([{ filename: 'other.png', content: samples.png }])
    : JSON.stringify({ ...JSON.parse(String(call.body)), more: 1 })
  return [
    ...(await Promise.all(both)),
    await send(service, operation, call, as),
    await send(service, operation, { ...call, body }, as)
  ]
}
