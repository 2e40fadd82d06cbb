import type { App } from '../../app.ts'

/** What the helpers of OAuth need of an app, over sockets: a new one for each request. */
export function appAt(address: string, baseUrl = address) {
  interface Options {
    method?: string
    url: string
    headers?: Record<string, string>
    payload?: string | object
  }
  async function inject(options: string | Options) {
    const {
      method = 'GET',
      url,
      headers = {},
      payload
    } = Object(typeof options === 'string' ? { url: options } : options) as Options
    const isJson = typeof payload === 'object'
    const answer = await fetch(address + url, {
      method,
      redirect: 'manual',
      headers: {
        connection: 'close',
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers
      },
      ...(payload !== undefined && { body: isJson ? JSON.stringify(payload) : payload })
    })
    const body = await answer.text()
    const cookies = answer.headers.getSetCookie().map((line) => {
      const [, name, value, path = '/'] = /^(\w+)=([^;]*)(?:.*path=([^;]*))?/i.exec(line) ?? []
      return { name, value, path }
    })
    return {
      statusCode: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
      cookies,
      json: () => JSON.parse(body)
    }
  }
  const passkeys = { origin: () => baseUrl.replace('127.0.0.1', 'localhost') }
  return { baseUrl, inject, passkeys } as unknown as App
}
