import timers from 'node:timers/promises'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { printable } from '../plugins/runtime/printable.ts'
import type { Commands } from './command.ts'
import { ask, credentialOf, serviceOf, withCredential } from './credentials.ts'

/** Seconds between two questions if the service does not say, and how many more after `slow_down` (RFC 8628 §3.5). */
const usualSeconds = 5
/** While there is no answer, each wait is twice the one before, up to this. */
const longestSeconds = 60
/** Not an answer of OAuth, as any 5xx: the same question can get one later. */
const early = [408, 425, 429]

const Device = Type.Object({
  device_code: Type.String(),
  user_code: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: Type.Number(),
  interval: Type.Optional(Type.Number())
})

/** Asks whether a person has let the program in. Returns the answer, or why there is none now. */
async function question(url: URL, device_code: string) {
  try {
    const { status, answer } = await ask(url, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code
    })
    if (status < 500 && !early.includes(status)) return { answer }
    return { problem: `${url.origin} answered ${status}` }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Waits until a person has let the program in. @throws Error if they refuse, or the code has expired */
async function accessOf(url: URL, { device_code, expires_in, interval }: Static<typeof Device>) {
  const end = Date.now() + expires_in * 1000
  let usual = interval ?? usualSeconds
  let wait = usual
  let last = ''
  for (let left = end - Date.now(); left > 0; left = end - Date.now()) {
    await timers.setTimeout(Math.min(wait * 1000, left))
    const { answer, problem } = await question(url, device_code)
    last = problem ? `; ${problem}` : ''
    if (problem) {
      wait = Math.min(wait * 2, Math.max(usual, longestSeconds))
      continue
    }
    if (answer.access_token) return answer
    if (!['authorization_pending', 'slow_down', 'temporarily_unavailable'].includes(answer.error)) {
      throw new Error(`not signed in: ${answer.error ?? 'the service gave no answer'}`)
    }
    if (answer.error === 'slow_down') usual += usualSeconds
    wait = usual
  }
  throw new Error(`not signed in: the code has expired${last}`)
}

export const loginCommands: Commands = {
  login: {
    operands: ['URL'],
    isRemote: true,
    about:
      'Sign in to a running service for `mcp` and `call`: prints an address and a code for your browser, and waits. The access is kept in ~/.config/gatehouse, for you alone.',
    async run({ operands: [text = ''] }, load) {
      const url = serviceOf(text, load().SVC_INSECURE_LINKS)
      const { status, answer: device } = await ask(url, '/oauth/device/authorize', {})
      if (status !== 200 || !Value.Check(Device, device)) {
        throw new Error(`${url.origin} does not let programs in (${status})`)
      }
      const [address, code] = [device.verification_uri_complete, device.user_code].map((it) =>
        printable(it, 500)
      )
      process.stdout.write(`Open ${address}\nThe page must show this code: ${code}\n`)
      const keep = credentialOf(url, await accessOf(url, device))
      return withCredential(url, async () => ({ keep, result: 'Signed in.\n' }))
    }
  },
  logout: {
    operands: ['URL'],
    isRemote: true,
    about: 'Give up the access of `login`: the service no longer lets `mcp` and `call` in.',
    async run({ operands: [text = ''] }, load) {
      const url = serviceOf(text, load().SVC_INSECURE_LINKS)
      return withCredential(url, async (known) => {
        if (!known) throw new Error(`not signed in to ${url.origin}`)
        const { status } = await ask(url, '/oauth/revoke', { token: known.refresh_token })
        if (status !== 200) throw new Error(`${url.origin} answered ${status}`)
        return { keep: undefined, result: 'Signed out.\n' }
      })
    }
  }
}
