const sessionId = /^PHPSESSID=([^;]*)/

/** What a signed-in caller sends with each request; browsers keep the cookie by themselves. */
export class Session {
  csrfToken: string | undefined
  #cookie: string | undefined

  /** Adds the credentials to a request. */
  sign({ headers, method }: Request) {
    if (this.#cookie !== undefined) headers.set('cookie', this.#cookie)
    if (this.csrfToken !== undefined && method !== 'GET') {
      headers.set('x-csrf-token', this.csrfToken)
    }
  }

  /** Keeps the cookie of an answer. A login sends two: the last counts. A logout empties it. */
  keep({ headers }: Response) {
    const [, id] = sessionId.exec(headers.getSetCookie().at(-1) ?? '') ?? []
    if (id === undefined) return
    this.#cookie = id === '' ? undefined : `PHPSESSID=${id}`
    if (id === '') this.csrfToken = undefined
  }
}
