import { createHmac, randomBytes } from 'node:crypto'
import { challengeMs } from '../../../schemas/passkey.ts'
import { sameSecret } from '../../runtime/secrets.ts'

const nonceBytes = 16
const timeBytes = 8

/**
 * Challenges that are not stored: each carries when it expires, and a seal that binds both to its holder. So sign-ins that
 * begin and never end cost nothing, and every process can check what another one has made. What is stored is which
 * ones were answered (`used_passkey_challenges`).
 */
export function challenges(key: Buffer) {
  const seal = (holder: string, signed: Buffer) =>
    createHmac('sha256', key).update(signed).update(holder).digest()

  return {
    make(holder: string, now: number) {
      const time = Buffer.alloc(timeBytes)
      time.writeBigInt64BE(BigInt(now + challengeMs))
      const signed = Buffer.concat([randomBytes(nonceBytes), time])
      return Buffer.concat([signed, seal(holder, signed)]).toString('base64url')
    },

    /** When a challenge expires; null if it is not one of this holder, or has expired. */
    expiryOf(challenge: string, holder: string, now: number) {
      const bytes = Buffer.from(challenge, 'base64url')
      const signed = bytes.subarray(0, nonceBytes + timeBytes)
      const own = Buffer.concat([signed, seal(holder, signed)]).toString('base64url')
      // Compared as text: two texts of the same bytes would be two challenges.
      if (signed.length < nonceBytes + timeBytes || !sameSecret(challenge, own)) return null
      const expires_at = Number(signed.readBigInt64BE(nonceBytes))
      return expires_at > now ? expires_at : null
    }
  }
}
