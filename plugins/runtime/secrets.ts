import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/**
 * A secret that the service needs, from the configuration. If it is not set there, one is made once and
 * kept in the data folder (`secrets/`, mode 0600). In production it must be set (`requireSafeStart`),
 * because it would change unnoticed with a lost folder.
 * @throws Error with one line that names the file that cannot be used.
 */
export function secretOf<Name extends 'SVC_URL_SECRET'>(
  config: Pick<Config, Name | 'SVC_DATA_DIR'>,
  name: Name
): string {
  if (config[name]) return config[name]
  const folder = join(config.SVC_DATA_DIR, 'secrets')
  const file = join(folder, name)
  makeFolder(folder)
  createOnce(file)
  const secret = readFileSync(file, 'utf8').trim()
  if (Buffer.byteLength(secret) < minBytes) {
    throw new Error(`${file} must hold at least ${minBytes} bytes; delete it to get a new secret`)
  }
  return secret
}

/** Compares a secret in constant time; false if the lengths differ. */
export function sameSecret(given: string, secret: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
