import { generateSync } from 'otplib'
import type { App } from '../../app.ts'
import { signIn } from './helper.ts'

/** The code of a secret at a time, in milliseconds. */
export const codeAt = (secret: string, now: number) =>
  generateSync({ secret, epoch: Math.floor(now / 1000) })

/** Half a minute in milliseconds: the time of one code. */
export const step = 30_000

/** Signs in and switches a second factor on. This uses the code of `now`. */
export async function withSecondFactor(app: App, now: number, user_id = 'demo') {
  const browser = await signIn(app, user_id)
  const begun = await browser.send('POST', '/account/totp')
  const { secret } = begun.json().Data as { secret: string }
  const confirmed = await browser.send('PUT', '/account/totp', { code: codeAt(secret, now) })
  const { recovery_codes: codes } = confirmed.json().Data as { recovery_codes: string[] }
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  return {
    browser,
    secret,
    codes,
    logIn: (code?: string, user_pass = user_id) =>
      post('/session/login', { user_id, user_pass, ...(code !== undefined && { code }) }),
    issue: (code?: string) =>
      post('/token/issue', { user_id, user_pass: user_id, ...(code !== undefined && { code }) })
  }
}
