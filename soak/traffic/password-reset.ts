import type { AreaTraffic } from '../client.ts'

/** Callers request a reset for addresses that do not exist; `account.ts` has real resets. */
export default function passwordReset(): AreaTraffic {
  return {
    visit: ({ caller, random }) => [
      () => {
        const headers = { 'x-forwarded-for': `10.${random.bytes(3).join('.')}` }
        const body = { email: 'nobody@example.com' }
        return caller.send('requestPasswordReset', { body, headers })
      }
    ]
  }
}
