import { setTimeout } from 'node:timers/promises'
import { printable } from '../plugins/runtime/printable.ts'
import type { Commands } from './command.ts'
import { ask, credentialOf, serviceOf, withCredential } from './credentials.ts'

/** How long to wait between two questions (RFC 8628 §3.5). */
const intervalMs = 5000

export const loginCommands: Commands = {
  login: {
    operands: ['URL'],
    isRemote: true,
    about:
      'Sign in to a running service for `mcp` and `call`: prints an address and a code for your browser, and waits. The access is kept in ~/.config/gatehouse, for you alone.',
    async run({ operands: [text = ''] }, load) {
      const url = serviceOf(text, load().SVC_INSECURE_LINKS)
      const { status, answer: device } = await ask(url, '/oauth/device/authorize', {})
      if (status !== 200 || !device.verification_uri_complete) {
        throw new Error(`${url.origin} does not let programs in (${status})`)
      }
      const [address, code] = [device.verification_uri_complete, device.user_code].map((it) =>
        printable(`${it}`, 500)
      )
      process.stdout.write(`Open ${address}\nThe page must show this code: ${code}\n`)
      for (;;) {
        await setTimeout(intervalMs)
        const { answer } = await ask(url, '/oauth/token', {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: device.device_code
        })
        if (answer.access_token) {
          const keep = credentialOf(url, answer)
          return withCredential(url, async () => ({ keep, result: 'Signed in.\n' }))
        }
        if (
          !['authorization_pending', 'slow_down', 'temporarily_unavailable'].includes(answer.error)
        ) {
          throw new Error(`not signed in: ${answer.error ?? 'the service gave no answer'}`)
        }
      }
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
