import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { referrersOf } from '../../schemas/area/index.ts'
import { outcome } from '../support/helper.ts'
import { ofAreas } from './document/areas.ts'
import { type Attempt, byBody, byCaller, byParameter, conflict } from './document/attempts.ts'
import {
  type Answer,
  document,
  missingHeaders,
  type Operation,
  operationOf,
  operations,
  operationsWith,
  problems,
  violations
} from './document/operations.ts'
import {
  type Call,
  callerOf,
  exampleCall,
  nextCaller,
  send,
  startEverything,
  validCall
} from './document/service.ts'
import { attemptsOf } from './document/special.ts'

const every = operations.map(({ operationId }) => operationId)

/** Documented statuses that no request here gets, and why. */
const outOfReach: { status: number; of: string[]; reason: string }[] = [
  { status: 500, of: every, reason: 'no handler throws; a sample one does in codes.test.ts' },
  {
    status: 503,
    of: every.filter((id) => id !== 'sendMail'),
    reason: 'the database or the disk would have to fail; it does in codes.test.ts'
  },
  {
    status: 409,
    // The area may be removed.
    of: every.filter((id) => id === 'toggleReaction'),
    reason: 'quotas.test.ts has it'
  },
  {
    status: 409,
    of: operations
      .filter(({ method, path }) => {
        const [, kind = '', what] = path.split('/')
        return method === 'DELETE' && what === 'item' && referrersOf(kind).length > 0
      })
      .map(({ operationId }) => operationId),
    reason: 'other rows would have to refer to it; they do in references.test.ts'
  },
  { status: 422, of: ['downloadAttachment'], reason: 'a query that is not valid is not signed' },
  ...[403, 404].map((status) => ({
    status,
    of: ['streamActivity'],
    reason: 'stream.test.ts has it'
  }))
]

const reached = new Set<string>()

/** Notes the status that was reached, and checks the answer against the document. */
function check(t: Test, operation: Operation, answer: Answer, name = operation.name) {
  reached.add(`${operation.name} ${answer.statusCode}`)
  t.same(problems(operation, answer), [], name)
}

const shared = await startEverything(t)

/**
 * They need a service of their own: a password is another then, a user has no space left, mail is off; and
 * earlier operations make administrators, so that none is the last.
 */
const alone = [
  ...['resetPassword', 'createAttachment', 'planAttachment', 'sendMail'],
  ...['changeUser', 'deleteUser', 'removeAccount']
]

for (const operation of operations) {
  t.test(`${operation.name} answers as documented`, async (t) => {
    const isRead = operation.method === 'GET'
    const ofArea = (await ofAreas<Attempt[]>('attempts'))[operation.operationId]
    const ownTries = ofArea ?? attemptsOf(operation)
    const service = alone.includes(operation.operationId) ? await startEverything(t) : shared
    // An earlier one may have moved the clock.
    service.ways = await service.signInAll()
    let ready: Call | undefined

    async function attempt({ name, as = callerOf(operation), change, expected }: Attempt) {
      ready ??= await validCall(operation, service)
      const { params, query, headers } = ready
      const call = {
        ...ready,
        params: { ...params },
        query: { ...query },
        headers: { ...headers }
      }
      await change?.(call, service)
      const answer = await send(service, operation, call, as)
      check(t, operation, answer, name)
      const { statusCode, body } = answer
      if (expected && !expected.includes(statusCode)) {
        t.fail(`${name}: ${statusCode} instead of ${expected} ${body}`)
      }
      // A successful change may have used up what the call needs.
      if (statusCode < 400 && !isRead) ready = undefined
    }

    // What an area says of an attempt replaces what holds for most operations.
    const isOwn = ({ name }: Attempt) => ownTries.some((own) => own.name === name)
    const tries = [...byCaller(operation), ...byBody(operation), ...byParameter(operation)]
    for (const tried of tries.filter((one) => !isOwn(one))) {
      await attempt(tried)
    }
    if (operation.parameters.some(({ name }) => name === 'idempotency-key')) {
      const answers = await conflict(operation, service)
      for (const answer of answers) check(t, operation, answer)
      t.ok(
        answers.some(({ headers }) => headers['idempotent-replayed'] === 'true'),
        'the header is honoured'
      )
    }
    for (const tried of ownTries) {
      ready = undefined
      await attempt(tried)
    }
  })
}

t.test(
  '429 is documented for each operation with a limit, and no other (contract LIMIT-1, LIMIT-2)',
  async (t) => {
    const env = { SVC_RATE_MAX: '1', SVC_LOGIN_RATE_MAX: '1' }
    const service = await startEverything(t, env)
    for (const operation of await operationsWith(env)) {
      const isLimited = operation.statuses.has(429)
      const call = exampleCall(operation)
      const address = nextCaller()
      const ask = () => send(service, operation, call, callerOf(operation), address)
      let answer = await ask()
      for (let i = 0; i < (isLimited ? 10 : 2) && answer.statusCode !== 429; i++) {
        // The previous call may have ended the session.
        service.ways = await service.signInAll()
        answer = await ask()
      }
      t.equal(answer.statusCode === 429, isLimited, operation.name)
      check(t, operation, answer)
    }
  }
)

t.test('a request without Host answers 400 (RFC 9112 §3.2)', async (t) => {
  const { app } = await startEverything(t)
  const origin = await app.listen({ port: 0 })
  for (const operation of operations) {
    const { method, path, name } = operation
    const asked = request(origin + path, { method, setHost: false, agent: false }).end()
    const [response]: [IncomingMessage] = (await once(asked, 'response')) as never
    const answer = { statusCode: Number(response.statusCode), headers: response.headers }
    t.equal(answer.statusCode, 400, name)
    check(t, operation, { ...answer, body: await text(response) })
  }
})

t.test('an account that is locked answers 423', async (t) => {
  const service = await startEverything(t, { SVC_LOCKOUT_FAILURES: '1' })
  // An old session is asked for the password.
  await service.sql(`UPDATE sessions SET created_at = '2020-01-01T00:00:00.000Z'`)
  // An answer of a passkey is no guess: it locks nobody (contract PASSKEY-2).
  const guessed = operations.filter(
    ({ statuses, operationId }) => statuses.has(423) && operationId !== 'signInWithPasskey'
  )
  for (const operation of guessed) {
    const body = JSON.stringify({ ...operation.body?.example, user_pass: 'wrong' })
    for (const expected of [401, 423]) {
      const call = { ...exampleCall(operation), body }
      const answer = await send(service, operation, call, callerOf(operation))
      check(t, operation, answer)
      t.ok([expected, 423].includes(answer.statusCode), operation.name)
    }
  }
})

t.test('other methods of a documented path answer 405 with Allow (contract E4)', async (t) => {
  const { app } = shared
  for (const [path, known] of Object.entries(document.paths)) {
    const url = path.replaceAll(/\{\w+\}/g, '1')
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      // A page answers the methods of its path that no operation has.
      if (method.toLowerCase() in known || app.hasRoute({ method, url: route })) continue
      const answer = await app.inject({ method, url })
      for (const operation of operations.filter((it) => it.path === path)) {
        check(t, operation, answer)
      }
      t.equal(outcome(answer), '405 METHOD-NOT-ALLOWED', `${method} ${path}`)
      t.same(missingHeaders(answer), [], `${method} ${path}`)
      const methods = Object.keys(known).map((name) => name.toUpperCase())
      const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()
      t.equal(answer.headers.allow, allowed.join(', '), path)
    }
  }
})

t.test('HEAD answers as GET does, without a body', async (t) => {
  shared.ways = await shared.signInAll()
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const call = await validCall(operation, shared)
    const get = await send(shared, operation, call, callerOf(operation))
    const head = await send(
      shared,
      { ...operation, method: 'HEAD' as 'GET' },
      call,
      callerOf(operation)
    )
    t.same([head.statusCode, head.body], [get.statusCode, ''], operation.name)
    t.same(missingHeaders(head), [], operation.name)
  }
})

t.test('every request and every answer has an example, which its schema allows', async (t) => {
  for (const { name, requestBody, responses } of operations) {
    const bodies = Object.entries(requestBody?.content ?? {})
    const answers = Object.values(responses).flatMap(({ content = {} }) => Object.entries(content))
    for (const [type, { schema, example }] of [...bodies, ...answers]) {
      if (type === '*/*') continue
      t.not(example, undefined, `${name} ${type}`)
      t.same(violations(schema, example), [], name)
    }
  }
})

t.test(
  'the example of 200 has no failed item, that of 207 has one (contract BATCH-1)',
  async (t) => {
    for (const { name, responses } of operations) {
      if (!responses[207]) continue
      for (const [status, isPartial] of [
        [200, false],
        [207, true]
      ] as const) {
        const example = responses[status]?.content?.['application/json']?.example
        const text = JSON.stringify(example)
        t.match(text, /"index":0,"status":"success"|"undone":\[\{/, `${name} ${status}`)
        const isFailed = /"status":"failure"|"failed":[1-9]|"conflicts":\[\{/.test(text)
        t.equal(isFailed, isPartial, `${name} ${status}`)
      }
    }
  }
)

/** Their members are named by what there is. */
const maps = new Set(['by_type', 'flags', 'circuits'])

/** Names of the members of `Data`, and of those of an object in it; a list may be empty, or not. */
const membersOf = (body: { Data: object }) =>
  Object.entries(body.Data).map(([name, value]) =>
    value instanceof Object && !Array.isArray(value) && !maps.has(name)
      ? `${name}: ${Object.keys(value).sort()}`
      : name
  )

t.test('an example of a success has the members of a real one', async (t) => {
  const service = await startEverything(t)
  let compared = 0
  for (const operation of operations) {
    // The previous call may have ended the session.
    service.ways = await service.signInAll()
    const call = await validCall(operation, service)
    const answer = await send(service, operation, call, callerOf(operation))
    const media = operation.responses[answer.statusCode]?.content?.['application/json']
    const example = media?.example as { Data: object } | undefined
    if (!example) continue
    compared += 1
    t.same(membersOf(example).sort(), membersOf(JSON.parse(answer.body)).sort(), operation.name)
  }
  t.ok(compared > 20, `${compared}`)
})

t.test('every documented status was reached, except these', async (t) => {
  const unreached = operations.flatMap((operation) =>
    [...operation.statuses]
      .map((status) => `${operation.name} ${status}`)
      .filter((name) => !reached.has(name))
  )
  const excused = outOfReach.flatMap(({ status, of, reason }) => {
    t.comment(`${status} of ${of.length} operations: ${reason}`)
    return of
      .map(operationOf)
      .filter((operation) => operation.statuses.has(status))
      .map(({ name }) => `${name} ${status}`)
  })
  for (const name of unreached) t.comment(`not reached: ${name}`)
  t.same(unreached.sort(), excused.sort())
})
