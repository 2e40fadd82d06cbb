const cookieSet = /^\s*([^=;\s]+)=([^;]*)/
const cookieSent = /([^=;\s]+)=([^;]*)/g
const maxAge = /;\s*max-age=(-?\d+)/i
const expires = /;\s*expires=([^;]*)/i

/** Whether a `Set-Cookie` removes its cookie: `Max-Age` wins over `Expires` (RFC 6265 §5.3). */
function isRemoved(line: string) {
  const age = maxAge.exec(line)?.[1]
  if (age !== undefined) return Number(age) <= 0
  return Date.parse(expires.exec(line)?.[1] ?? '') <= Date.now()
}

/** The credentials of each request; browsers keep the cookies themselves. */
export class Session {
  csrfToken: string | undefined
  /** Whose session the token is of; undefined if the client has not seen it begin. */
  userId: number | undefined
  /** By name: the session's, and what a load balancer sets to find the same process again. */
  readonly #cookies = new Map<string, string>()

  constructor(csrfToken: string | undefined) {
    this.csrfToken = csrfToken
  }

  /** Adds the credentials to a request. */
  sign({ headers, method }: Request) {
    if (this.#cookies.size > 0) {
      const own = [...(headers.get('cookie') ?? '').matchAll(cookieSent)]
      const all = new Map([
        ...own.map(([, name = '', value = '']) => [name, value] as const),
        ...this.#cookies
      ])
      headers.set('cookie', [...all].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    if (this.csrfToken !== undefined && method !== 'GET') {
      headers.set('x-csrf-token', this.csrfToken)
    }
  }

  /**
   * Keeps the cookies of an answer (browsers do this themselves). A login sends two of the session: the last one
   * counts. A logout sends an empty one.
   */
  keep({ headers }: Response) {
    for (const line of headers.getSetCookie()) {
      const [, name, value = ''] = cookieSet.exec(line) ?? []
      if (name === undefined) continue
      if (value === '' || isRemoved(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
  }
}
