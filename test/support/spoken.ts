import { catalog, type ErrorCode } from '../../schemas/errors.ts'

const text = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()

/**
 * What a page says of a failure, each sentence that stands apart. Throws if the code or the message for programs stands
 * anywhere but at the end, under “For support”.
 */
export function spokenOf(body: string, code: ErrorCode): string[] {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(body) ?? []
  const [said = '', support = '', ...others] = main.split('<details class="support">')
  const { message } = catalog[code]
  const found = text(support)
  if (others.length > 0 || found !== `For support ${code} ${message}`)
    throw new Error(`at the end stands: ${found}`)
  const rest = text(said)
  for (const one of [code, message]) {
    if (rest.includes(one)) throw new Error(`${one} stands in: ${rest}`)
  }
  const problems = [...said.matchAll(/<(p|li)\b[^>]*class="problem"[^>]*>(.*?)<\/\1>/gs)]
  const told = [...said.matchAll(/<div class="told problem">(.*?)<\/div>/gs)]
  const headings = [...said.matchAll(/<h1>(.*?)<\/h1>/gs)]
  const all = [...told.map(([, one]) => one), ...problems.map(([, , one]) => one)]
    .map((one = '') => text(one))
    .filter((one) => one !== '')
  // A page of an error has a heading alone.
  return all.length > 0 ? all : headings.map(([, one = '']) => text(one))
}
