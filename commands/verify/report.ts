import type { Answer, Exchange } from './exchange.ts'

/** What is checked, by name. */
export const rules = {
  'no 5xx': 'every request has an answer, and none is a 5xx',
  status: 'every status is one that the document has for the operation',
  headers: 'the headers that the document requires are there, as their schemas say',
  body: 'bodies are as their schemas say, with no other members',
  envelope: 'JSON has Result and Data; a failure names its code',
  allowed: 'a request that the document allows is not refused as invalid',
  forbidden: 'a request that the document forbids is refused',
  'not found': 'an unknown path is 404, as JSON or as a page',
  methods: 'another method is 405, with the right Allow',
  head: 'HEAD answers as GET does, without a body',
  'media types': 'no Accept is 406, and a body is JSON whatever its type says',
  credentials: '401 comes before 403 and before the body is read, with a challenge',
  csrf: 'a session needs its CSRF token to change something, and a foreign page cannot sign in',
  etag: 'a known version is 304',
  'if-match': 'a change needs the current version: 428, 412',
  idempotency: 'the same key gives the first answer again, and is refused for another body',
  stored: 'a written row is read, a deleted row is gone',
  limits: 'the headers of limits agree with each other and count down',
  'security headers': 'answers cannot be framed, guessed or kept',
  cors: 'a foreign origin gets no CORS headers',
  cookies: 'cookies are HttpOnly, SameSite and, over TLS, Secure; reads set none',
  host: 'no name in a request gets into an answer, and the document names this address',
  tls: 'old TLS and plain HTTP are refused'
} as const

export type Rule = keyof typeof rules

export interface Failure {
  rule: Rule
  /** The operation, or the path, that breaks it. */
  where: string
  message: string
  /** The shortest request found that shows it. */
  curl: string
  /** How many answers broke the rule here. */
  count: number
}

export interface Report {
  url: string
  seed: number
  requests: number
  seconds: number
  /** Why it ended early; null if it did not. */
  stopped: string | null
  /** What was left out, or left behind. */
  notes: string[]
  rules: { rule: Rule; about: string; checked: number; broken: number }[]
  failures: Failure[]
}

/** The path without its values, so that one fault is reported once. */
const placeOf = ({ call: { operation, method, path } }: Answer) =>
  operation?.name ?? `${method} ${path.replace(/\?.*/s, '')}`

/** Collects what was checked, and what was found. */
export function createJudge(curlOf: Exchange['curlOf']) {
  const checked = new Map<Rule, number>()
  const found = new Map<string, Failure>()
  let breaches = 0

  return {
    /** Counts one check of a rule. Anything but a text stands for kept. @returns whether it is. */
    judge(rule: Rule, answer: Answer, message: string | false | undefined): boolean {
      checked.set(rule, (checked.get(rule) ?? 0) + 1)
      if (!message) return true
      breaches += 1
      const where = placeOf(answer)
      const curl = curlOf(answer.call)
      const known = found.get(`${rule} ${where}`)
      const count = (known?.count ?? 0) + 1
      const isShorter = !known || curl.length < known.curl.length
      const failure = isShorter ? { rule, where, message: message.slice(0, 300), curl } : known
      found.set(`${rule} ${where}`, { ...failure, count })
      return false
    },
    breaches: () => breaches,
    results() {
      const failures = [...found.values()]
      return {
        failures,
        rules: Object.entries(rules).map(([name, about]) => {
          const rule = name as Rule
          const broken = failures.filter((it) => it.rule === rule).length
          return { rule, about, checked: checked.get(rule) ?? 0, broken }
        })
      }
    }
  }
}

export type Judge = ReturnType<typeof createJudge>['judge']
