import { type Context, forEachRead } from '../context.ts'
import { type Call, headerOf } from '../exchange.ts'

/** What is read again with its `ETag` is 304 (RFC 9110 §13.1.2). @returns the tag; empty if it has none. */
export async function checkVersion({ send, judge }: Context, call: Call) {
  const etag = headerOf(await send(call), 'etag')
  if (!etag) return etag
  for (const [tag, status] of [
    [etag, 304],
    [`"verify", ${etag}`, 304],
    ['"verify"', 200]
  ] as const) {
    const again = await send({ ...call, headers: { ...call.headers, 'if-none-match': tag } })
    const found = `${again.status} ${headerOf(again, 'etag')}`
    judge('etag', again, found !== `${status} ${etag}` && `${found}, not ${status} ${etag}`)
  }
  return etag
}

/** Every read that succeeded and has an `ETag`, and the files. */
export async function checkVersions(context: Context) {
  await forEachRead(context, async (call) => {
    // A range of it is another answer.
    const { 'if-none-match': _, range: __, 'if-match': ___, ...headers } = call.headers ?? {}
    await checkVersion(context, { ...call, headers })
  })
  for (const path of ['/api-docs/json', '/llms.txt']) {
    await checkVersion(context, { method: 'GET', path })
  }
}
