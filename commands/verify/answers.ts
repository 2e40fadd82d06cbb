import type { Described, Validators } from './document.ts'
import { type Answer, headerOf } from './exchange.ts'
import type { Judge } from './report.ts'

const jsonType = 'application/json; charset=utf-8'
// Not of a file, whose content is of any type.
const isJson = (answer: Answer) => {
  const { content = {} } = answer.call.operation?.responses[answer.status] ?? {}
  return headerOf(answer, 'content-type').startsWith('application/json') && !('*/*' in content)
}

/** The first that is a text: what is wrong. */
export const first = (...problems: (string | false | undefined)[]) => problems.find(Boolean)

/** What is wrong with an answer of an operation, compared with what the document says of its status. */
function compare(judge: Judge, { ofAnswer, ofText }: Validators, answer: Answer) {
  const { call, status, body, json } = answer
  const described = call.operation?.responses[status]
  if (status === 0 || !call.operation) return
  const isServed = judge('status', answer, !described && `${status} is not documented: ${body}`)
  if (!isServed || !described) return
  const headers = Object.entries(described.headers ?? {}).map(([name, { required, schema }]) => {
    const text = headerOf(answer, name)
    if (answer.headers[name.toLowerCase()] === undefined) return required && `${name} is absent`
    const [violation] = schema ? ofText(schema, text) : []
    return violation && `${name}: ${text}: ${violation}`
  })
  judge('headers', answer, first(...headers))
  if (call.method === 'HEAD') return
  const schema = described.content?.['application/json']?.schema
  if (!described.content) judge('body', answer, body !== '' && `${status} has a body`)
  if (!schema) return
  const type = headerOf(answer, 'content-type')
  judge('headers', answer, type !== jsonType && `Content-Type is ${type || 'absent'}`)
  judge('body', answer, ofAnswer(schema, json)[0])
}

/** Result and Data; a failure has its code and its message. */
function envelopeProblem({ status, json }: Answer) {
  const { Result, Data } = Object(json)
  const { status: marker, errorCode, errorMessage } = Object(Data)
  if (typeof Result !== 'boolean') return 'Result is no boolean'
  if (typeof Data !== 'object' || Data === null) return 'Data is no object'
  if (status < 400) return marker === 'failure' && 'a success says failure'
  return first(
    marker !== 'failure' && `Data.status is ${marker}`,
    !/^[A-Z][A-Z0-9-]+$/.test(String(errorCode)) && `Data.errorCode is ${errorCode}`,
    typeof errorMessage !== 'string' && 'Data.errorMessage is no text'
  )
}

function securityProblem(answer: Answer, isTls: boolean) {
  const policy = headerOf(answer, 'content-security-policy')
  const lacks = (name: string, pattern: RegExp) =>
    !pattern.test(headerOf(answer, name)) &&
    `${name} is ${headerOf(answer, name) || 'absent'}, not ${pattern.source}`
  const isFile = answer.call.operation?.operationId === 'downloadAttachment'
  return first(
    lacks('x-content-type-options', /^nosniff$/),
    lacks('cross-origin-resource-policy', isFile ? /./ : /^same-(origin|site)$/),
    !/frame-ancestors 'none'/.test(policy) && 'Content-Security-Policy allows framing',
    isJson(answer) && !/default-src 'none'/.test(policy) && 'Content-Security-Policy is open',
    isTls && lacks('strict-transport-security', /max-age=[1-9]\d{5,}/),
    isJson(answer) && lacks('cache-control', /no-store|no-cache|private/)
  )
}

/** A 401 says how to get in (RFC 9110 §15.5.2), a token without a scope which one (RFC 6750 §3.1). */
function challengeProblem(answer: Answer) {
  const { status, json, call } = answer
  const challenge = headerOf(answer, 'www-authenticate')
  const scope =
    json?.Data?.errorCode === 'SCOPE-INSUFFICIENT' ? call.operation?.['x-scope'] : undefined
  if (status !== 401 && scope === undefined) return undefined
  const isNamed = /^Bearer\b/.test(challenge) && challenge.includes(scope ?? '')
  return !isNamed && `the challenge is ${challenge || 'absent'}`
}

const limitNames = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

function limitProblem(answer: Answer) {
  const [limit, remaining, reset] = limitNames.map((name) => answer.headers[name])
  const isOver = answer.status === 429
  return first(
    [limit, remaining, reset].some((text) => !/^\d+$/.test(String(text))) &&
      `${limitNames.join(', ')} are not three numbers`,
    Number(remaining) > Number(limit) && 'more is left than is allowed',
    !headerOf(answer, 'ratelimit').endsWith(`;r=${remaining};t=${reset}`) &&
      `RateLimit is ${headerOf(answer, 'ratelimit') || 'absent'}, not r=${remaining};t=${reset}`,
    !headerOf(answer, 'ratelimit-policy').includes(`;q=${limit};w=`) &&
      `RateLimit-Policy is ${headerOf(answer, 'ratelimit-policy') || 'absent'}, not q=${limit}`,
    isOver &&
      headerOf(answer, 'retry-after') !== reset &&
      'Retry-After is not the time that is left'
  )
}

/** What is wrong with a cookie (RFC 6265bis). */
function cookieProblem(cookie: string, isTls: boolean) {
  const [pair = '', ...attributes] = cookie.split(/; */)
  const has = (pattern: RegExp) => attributes.some((text) => pattern.test(text))
  const isSecure = has(/^secure$/i)
  return first(
    !has(/^httponly$/i) && 'it is not HttpOnly',
    !has(/^samesite=(lax|strict)$/i) && 'it is not SameSite=Lax or Strict',
    isTls && !isSecure && 'it is not Secure',
    has(/^domain=/i) && 'it goes to other hosts of the domain',
    /^__(host|secure)-/i.test(pair) && !isSecure && 'its prefix asks for Secure',
    /^__host-/i.test(pair) && !has(/^path=\/$/i) && 'its prefix asks for Path=/'
  )
}

/** Checks whatever holds of every answer. It is called once for each, in order. */
export function answerChecks(
  judge: Judge,
  described: Described,
  valid: Validators,
  isTls: boolean
) {
  const counted = new Map<string, { remaining: number; reset: number; at: number }>()
  const known = new Set(described.operations.map(({ path }) => path))

  /** Fewer are left than before, unless a new window has begun. */
  function countsDown(answer: Answer) {
    const [remaining = 0, reset = 0] = limitNames
      .slice(1)
      .map((name) => Number(answer.headers[name]))
    const key = `${answer.call.as} ${headerOf(answer, 'ratelimit-policy')}`
    const before = counted.get(key)
    const at = Date.now()
    counted.set(key, { remaining, reset, at })
    if (!before || before.remaining === 0) return false
    const isNew = reset > before.reset || at - before.at >= before.reset * 1000
    return !isNew && remaining >= before.remaining && `${remaining} are left as before`
  }

  return (answer: Answer) => {
    const { status, headers, call, body } = answer
    judge('no 5xx', answer, (status === 0 || status >= 500) && `${status} ${body}`)
    if (status === 0) return
    compare(judge, valid, answer)
    if (
      isJson(answer) &&
      call.method !== 'HEAD' &&
      (call.operation || known.has(call.path) || status >= 400)
    ) {
      judge('envelope', answer, envelopeProblem(answer))
    }
    judge('security headers', answer, securityProblem(answer, isTls))
    const problem = challengeProblem(answer)
    if (problem !== undefined) judge('credentials', answer, problem)
    const isCounted = limitNames.some((name) => headers[name] !== undefined)
    if (isCounted || status === 429) {
      judge('limits', answer, first(limitProblem(answer), countsDown(answer)))
    }
    const cookies = [headers['set-cookie'] ?? []].flat()
    for (const cookie of cookies) judge('cookies', answer, cookieProblem(cookie, isTls))
    if (call.operation && call.method === 'GET') {
      judge('cookies', answer, cookies.length > 0 && 'a read sets a cookie')
    }
  }
}
