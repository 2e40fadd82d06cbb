import {
  createCipheriv,
  createDecipheriv,
  hash,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual
} from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../db/folder.ts'
import type { Config } from '../../schemas/config.ts'

/** How many bytes a secret must have. */
const minBytes = 32

/** Creates `file` with a new secret, unless it exists. Readers never see a part of it. */
function createOnce(file: string) {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, randomBytes(minBytes).toString('hex'), {
    mode: 0o600,
    flag: 'wx',
    flush: true
  })
  try {
    // A link fails if the file exists: if several processes start at once, all use the first one's secret.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/** Where a generated secret is kept. */
export const secretFile = ({ SVC_DATA_DIR }: Pick<Config, 'SVC_DATA_DIR'>) =>
  join(SVC_DATA_DIR, 'secrets', 'SVC_URL_SECRET')

/**
 * The secret that signs links and encrypts other secrets. If it is not configured, one is made once and
 * kept in the data folder (`secrets/`, mode 0600). In production it must be set (`requireSafeStart`),
 * because it would change unnoticed with a lost folder.
 * @throws Error with one line that names the file that cannot be used.
 */
export function urlSecretOf(config: Pick<Config, 'SVC_URL_SECRET' | 'SVC_DATA_DIR'>): string {
  if (config.SVC_URL_SECRET) return config.SVC_URL_SECRET
  const file = secretFile(config)
  makeFolder(dirname(file))
  createOnce(file)
  const secret = readFileSync(file, 'utf8').trim()
  if (Buffer.byteLength(secret) < minBytes) {
    throw new Error(`${file} must hold at least ${minBytes} bytes; delete it to get a new secret`)
  }
  return secret
}

/** The stored form of a secret that only has to be recognised: session ids, tokens, recovery codes. */
export const hashSecret = (secret: string) => hash('sha256', secret)

/** Compares a secret in constant time; false if the lengths differ. */
export function sameSecret(given: string, secret: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Encrypts texts for the database (AES-256-GCM), with a key of its own for each purpose. Each text is bound
 * to the row that it belongs to: copied into another, it cannot be decrypted.
 */
export function sealer(secret: string, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    key,

    seal(row: string, text: string) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(row))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },

    /** Null if it was encrypted with another key, or for another row, or not at all. */
    open(row: string, kept: string) {
      const bytes = Buffer.from(kept, 'base64url')
      const iv = bytes.subarray(0, 12)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
          .setAAD(Buffer.from(row))
          .setAuthTag(bytes.subarray(12, 28))
        return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    }
  }
}
