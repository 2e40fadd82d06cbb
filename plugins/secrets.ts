import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../schemas/config.ts'

/** Bytes that a secret has at least. */
const minBytes = 32

/** Creates `file` with a new secret, unless it is there. Readers see all of it or nothing. */
function createOnce(file: string) {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, randomBytes(minBytes).toString('hex'), {
    mode: 0o600,
    flag: 'wx',
    flush: true
  })
  try {
    // Of several processes that start at once one wins; the others read what it made.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/**
 * A secret that the service needs: from the configuration, else one made once and kept in the data
 * folder (`secrets/`, mode 0600). Production makes none: a lost folder would change it unnoticed.
 * @throws Error of one line that names the variable, or the file that cannot be used.
 */
export function secretOf<Name extends 'SVC_URL_SECRET'>(
  config: Pick<Config, Name | 'SVC_ENV' | 'SVC_DATA_DIR'>,
  name: Name
): string {
  if (config[name]) return config[name]
  if (config.SVC_ENV === 'production') {
    throw new Error(`${name} must be set in production, to at least ${minBytes} bytes`)
  }
  const folder = join(config.SVC_DATA_DIR, 'secrets')
  const file = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  createOnce(file)
  const secret = readFileSync(file, 'utf8').trim()
  if (Buffer.byteLength(secret) < minBytes) {
    throw new Error(`${file} must hold at least ${minBytes} bytes; delete it to get a new secret`)
  }
  return secret
}
