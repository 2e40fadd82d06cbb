import { createHash, randomBytes } from 'node:crypto'
import type { App } from '../../app.ts'
import { openBrowser } from './visitor.ts'

export const redirectUri = 'http://127.0.0.1:7777/callback'

/** A verifier and its challenge (RFC 7636). */
export function makePkce() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

type Fields = Record<string, string>

let callers = 0
/** An address that has not called yet, so that no limit is met. */
const newAddress = () => {
  callers += 1
  return `10.1.${callers >> 8}.${callers & 255}`
}

/** A program without the official client's help: it can do everything wrong. */
export function oauthProgram(app: App) {
  const post = (url: string, fields: Fields, headers: Fields = {}) =>
    app.inject({
      method: 'POST',
      url,
      remoteAddress: newAddress(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString()
    })

  const register = (metadata: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/oauth/register',
      remoteAddress: newAddress(),
      payload: {
        client_name: 'An assistant',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        ...metadata
      }
    })

  const authorizeUrl = (client_id: string, challenge: string, more: Fields = {}) =>
    `/oauth/authorize?${new URLSearchParams({
      ...{ client_id, response_type: 'code', redirect_uri: redirectUri, state: 'a state' },
      ...{
        code_challenge: challenge,
        code_challenge_method: 'S256',
        scope: 'todo:read todo:write'
      },
      ...{ resource: `${app.baseUrl}/mcp` },
      ...more
    })}`

  return {
    post,
    register,
    authorizeUrl,
    registered: async (metadata?: object): Promise<string> =>
      (await register(metadata)).json().client_id,
    token: (fields: Fields, headers?: Fields) => post('/oauth/token', fields, headers),
    exchange: (client_id: string, code: string, verifier: string, more: Fields = {}) =>
      post('/oauth/token', {
        ...{ grant_type: 'authorization_code', client_id, code, code_verifier: verifier },
        ...{ redirect_uri: redirectUri, ...more }
      }),
    refresh: (client_id: string, refresh_token: string, more: Fields = {}) =>
      post('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token, ...more }),
    revoke: (client_id: string, token: string) => post('/oauth/revoke', { client_id, token })
  }
}

/** A person with a browser that keeps the cookies of each path. */
export function oauthVisitor(app: App) {
  const person = openBrowser(app, newAddress())
  const kept = new Map<string, string>()

  async function visit(url: string, form?: string | Fields) {
    const path = url.replace(/^https?:\/\/[^/]*/, '')
    const headers: Fields =
      form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const own = [...kept].filter(([place]) => path.startsWith(place.split('|')[0] ?? '/'))
    const cookie = [person.cookie(), ...own.map(([, text]) => text)].filter(Boolean).join('; ')
    const response = await person.send(
      form === undefined ? 'GET' : 'POST',
      path,
      { ...headers, cookie },
      form === undefined ? undefined : new URLSearchParams(form).toString()
    )
    for (const { name, value, path: place = '/' } of response.cookies) {
      if (name === 'PHPSESSID') continue
      if (value) kept.set(`${place}|${name}`, `${name}=${value}`)
      else kept.delete(`${place}|${name}`)
    }
    return response
  }

  /** Follows redirects until a page, or until they lead out of the service. */
  async function follow(url: string, form?: Fields) {
    let response = await visit(url, form)
    for (;;) {
      const { location } = response.headers
      if (location === undefined) return { response, to: null }
      if (!/^\//.test(location) && !location.startsWith(app.baseUrl)) {
        return { response, to: new URL(location) }
      }
      response = await visit(location)
    }
  }

  return { ...person, visit, follow }
}

/** Goes through the whole sign-in of a program as `user_id`; `allow` says what is ticked. */
export async function letIn(
  app: App,
  client_id: string,
  {
    scopes,
    asks = false,
    user_id = 'demo',
    more = {}
  }: { scopes?: string[]; asks?: boolean; user_id?: string; more?: Fields } = {}
) {
  const program = oauthProgram(app)
  const { verifier, challenge } = makePkce()
  const person = oauthVisitor(app)
  await person.signIn(user_id)
  const { response: page } = await person.follow(program.authorizeUrl(client_id, challenge, more))
  const form = formOf(page.body)
  const ticked = scopes ?? form.ticked
  const body = new URLSearchParams({ ...form.hidden, action: 'allow' })
  for (const scope of ticked) body.append('scopes', scope)
  if (asks) body.append('asks', 'true')
  const done = await person.visit(form.action, body.toString())
  const { to } = await person.follow(String(done.headers.location))
  const code = to?.searchParams.get('code') ?? ''
  return { program, person, page, verifier, to, code, form }
}

/** The code of the error that our own page shows; undefined if it is none of these pages, or leads out of the service. */
export const problemOf = ({ response, to }: Awaited<ReturnType<OAuthVisitor['follow']>>) =>
  to === null && response.statusCode === 400
    ? /<p class="code">(.*?)<\/p>/.exec(response.body)?.[1]
    : undefined

type OAuthVisitor = ReturnType<typeof oauthVisitor>

/** What the first form of a page has. */
export function formOf(html: string) {
  const [form = ''] = /<form.*?<\/form>/s.exec(html) ?? []
  const hidden = Object.fromEntries(
    [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, n, v]) => [n, v])
  ) as Fields
  const boxes = [...form.matchAll(/<input type="checkbox" name="scopes" value="([^"]*)"([^>]*)>/g)]
  return {
    action: /action="([^"]*)"/.exec(form)?.[1] ?? '',
    hidden,
    offered: boxes.map(([, scope]) => scope ?? ''),
    ticked: boxes.filter(([, , rest]) => rest?.includes('checked')).map(([, scope]) => scope ?? '')
  }
}
