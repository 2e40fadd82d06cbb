import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mail in the data folder of a service without a mail server. Fails unless there is exactly one. */
export async function mailIn(folder: string) {
  const outbox = join(folder, 'outbox')
  const files = readdirSync(outbox)
  const [file, ...others] = files
  if (file === undefined || others.length > 0) throw new Error(`there are ${files.length} mails`)
  const text = readFileSync(join(outbox, file), 'utf8')
  return {
    text,
    to: /^To: (.*?)\r?$/m.exec(text)?.[1],
    token: /^[0-9a-f]{64}(?=\r?$)/m.exec(text)?.[0] ?? ''
  }
}
