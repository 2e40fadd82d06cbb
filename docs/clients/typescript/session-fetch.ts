let cookie = ''
let csrfToken = ''

/** The CSRF token of the login, or of `GET /session/current`. */
export function useToken(token: string) {
  csrfToken = token
}

/** `fetch` with a session: keeps the cookie, as browsers do, and sends the token with changes. */
export async function sessionFetch(input: string | URL | Request, init?: RequestInit) {
  const request = new Request(input, init)
  if (cookie) request.headers.set('cookie', cookie)
  if (csrfToken && request.method !== 'GET') request.headers.set('x-csrf-token', csrfToken)
  const response = await fetch(request)
  const last = response.headers.getSetCookie().at(-1)
  if (last) cookie = last.split(';')[0] ?? ''
  return response
}
