import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import type { App } from '../../app.ts'

/** The `Accept` header of Chrome for a page. */
export const chrome =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

export const html = 'text/html; charset=utf-8'
export const json = 'application/json; charset=utf-8'

type Fields = Record<string, string>

/** A browser without JavaScript: keeps cookies and sends forms as browsers do. */
export function openBrowser(app: App, remoteAddress = '127.0.0.1') {
  let cookie = ''

  async function send(method: string, url: string, headers: Fields = {}, payload?: string) {
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      remoteAddress,
      headers: { accept: chrome, ...(cookie && { cookie }), ...headers },
      ...(payload !== undefined && { payload })
    })
    const set = response.cookies.findLast(({ name }) => name === 'PHPSESSID')
    if (set) cookie = set.value && `PHPSESSID=${set.value}`
    return response
  }

  const get = (url: string, headers?: Fields) => send('GET', url, headers)

  const submit = (url: string, fields: Fields, headers: Fields = {}, method = 'POST') =>
    send(
      method,
      url,
      { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      new URLSearchParams(fields).toString()
    )

  return {
    send,
    get,
    submit,
    cookie: () => cookie,
    signIn: (user_id = 'demo', user_pass = user_id) =>
      submit('/login/index', { user_id, user_pass }),
    /** The hidden fields of the first form of a page, by their names. */
    hiddenFields: async (url = '/board/index') => {
      const [form = ''] = /<form.*?<\/form>/s.exec((await get(url)).body) ?? []
      const fields = form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)
      return Object.fromEntries([...fields].map(([, name, value]) => [name, value])) as Fields
    },
    /** The titles on the board, in the order of the page: newest first. */
    titles: async () =>
      [...(await get('/board/index')).body.matchAll(/<span dir="auto">(.*?)<\/span>/gs)].map(
        ([, title]) => title
      )
  }
}

/** The link in the newest mail of a service's outbox; undefined if there is none yet. */
export function mailedLink(folder: string, path = 'password-reset/'): string | undefined {
  const outbox = join(folder, 'outbox')
  if (!existsSync(outbox)) return undefined
  // Their names have seconds only.
  const files = readdirSync(outbox).map((name) => join(outbox, name))
  const [newest] = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (newest === undefined) return undefined
  const mail = readFileSync(newest, 'utf8')
  return new RegExp(`https?:\\S+/${path}[0-9a-f]{64}`).exec(mail)?.[0]
}
