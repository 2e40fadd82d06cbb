const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a file that people write, without the byte order mark that editors on Windows begin it with.
 * @throws Error if it is not UTF-8, as PowerShell 5 writes
 */
export function writtenText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Error('it is not UTF-8: save it in this encoding')
  }
}
