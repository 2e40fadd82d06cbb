const sessionId = /^PHPSESSID=([^;]*)/

/** The credentials of each request; browsers keep the cookie themselves. */
export class Session {
  csrfToken: string | undefined
  /** Whose session the token is of; undefined if the client has not seen it begin. */
  userId: number | undefined
  #cookie: string | undefined

  constructor(csrfToken: string | undefined) {
    this.csrfToken = csrfToken
  }

  /** Adds the credentials to a request. */
  sign({ headers, method }: Request) {
    if (this.#cookie !== undefined) headers.set('cookie', this.#cookie)
    if (this.csrfToken !== undefined && method !== 'GET') {
      headers.set('x-csrf-token', this.csrfToken)
    }
  }

  /**
   * Keeps the cookie of an answer (browsers do this themselves). A login sends two: the last one counts.
   * A logout sends an empty one.
   */
  keep({ headers }: Response) {
    const [, id] = sessionId.exec(headers.getSetCookie().at(-1) ?? '') ?? []
    if (id === undefined) return
    this.#cookie = id === '' ? undefined : `PHPSESSID=${id}`
  }
}
