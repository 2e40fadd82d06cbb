import { work, workAgain } from './program.ts'

const [, , baseUrl = ''] = process.argv

/** A browser's cookie jar, for one address. */
let cookie = ''
async function fetchWithCookies(request: Request) {
  if (cookie) request.headers.set('cookie', cookie)
  const response = await fetch(request)
  const [last] = response.headers.getSetCookie().slice(-1)
  if (last) cookie = last.split(';')[0] ?? ''
  return response
}

const said = [
  ...(await work({ baseUrl, fetch: fetchWithCookies })),
  ...(await workAgain({ baseUrl, fetch: fetchWithCookies }))
]
console.log(said.join('\n'))
