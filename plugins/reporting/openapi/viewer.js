// Before the page is drawn: the library has its dark colours under a class.
const dark = matchMedia('(prefers-color-scheme: dark)')
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', colour)
colour()

/** The token that a change needs with the cookie of who is signed in; undefined for others. */
async function csrfToken() {
  const answer = await fetch('/session/current')
  return answer.ok ? (await answer.json()).Data.csrfToken : undefined
}

addEventListener('DOMContentLoaded', () => {
  // Without a layout of its own: the usual one has a bar with the logo of the library.
  globalThis.SwaggerUIBundle({
    url: '/api-docs/json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    // `x-scope`, `x-plan` and `x-error-codes` of an operation.
    showExtensions: true,
    withCredentials: true,
    validatorUrl: null,
    async requestInterceptor(request) {
      // To the origin that the viewer was loaded from: the document may name another address of the service,
      // which the policy of the page would refuse.
      const { pathname, search } = new URL(request.url, location.origin)
      request.url = location.origin + pathname + search
      const isRead = /^(get|head)$/i.test(request.method ?? 'get')
      if (!isRead && !request.headers.Authorization) {
        request.headers['X-CSRF-Token'] ??= await csrfToken()
      }
      return request
    }
  })
})
