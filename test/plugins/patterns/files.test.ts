import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { ServedFile, serveFiles } from '../../../plugins/patterns/files.ts'
import { startService } from '../../support/helper.ts'

const long = 'a text that is long enough to be worth it; '.repeat(100)

t.test(
  'a file is made once, compressed once, and known by its ETag (contract SAFE-3)',
  async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    let made = 0
    const file = new ServedFile('text/plain; charset=utf-8', () => {
      made++
      return long
    })
    const short = new ServedFile('text/plain; charset=utf-8', () => 'short')
    serveFiles(
      app,
      new Map([
        ['/long', file],
        ['/short', short]
      ]),
      { 'x-more': 'yes' }
    )
    const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

    const first = await Promise.all(
      Array.from({ length: 5 }, () => get('/long', { 'accept-encoding': 'br' }))
    )
    t.ok(first.every(({ headers }) => headers['content-encoding'] === 'br'))
    t.equal(made, 1)

    const cases: [accepted: string | undefined, coding: string | undefined][] = [
      [undefined, undefined],
      ['gzip, deflate, br, zstd', 'br'],
      ['GZIP', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['br; q=0.0, gzip;q=0', undefined],
      ['br;q=0.1, gzip', 'gzip'],
      ['gzip;q=0.5, br; Q=0.5', 'br'],
      ['br;q=0.5, identity', undefined],
      ['br;q=0, *', 'gzip'],
      ['*', 'br'],
      ['*;q=0', undefined],
      ['br;q=x, gzip;q=0.001', 'gzip'],
      ['brotli, gzipped', undefined],
      ['identity', undefined]
    ]
    const tags = new Map<string | undefined, unknown>()
    for (const [accepted, coding] of cases) {
      const headers: Record<string, string> = accepted ? { 'accept-encoding': accepted } : {}
      const { rawPayload, headers: got } = await get('/long', headers)
      t.equal(got['content-encoding'], coding, accepted ?? 'nothing')
      const text =
        coding === 'br'
          ? brotliDecompressSync(rawPayload)
          : coding === 'gzip'
            ? gunzipSync(rawPayload)
            : rawPayload
      t.equal(String(text), long)
      t.hasStrict(got, {
        vary: 'Accept-Encoding',
        'cache-control': 'no-cache',
        'content-type': 'text/plain; charset=utf-8',
        'x-more': 'yes'
      })
      tags.set(coding, got.etag)
      const again = await get('/long', { ...headers, 'if-none-match': `W/"other", W/${got.etag}` })
      t.same([again.statusCode, again.body, again.headers.etag], [304, '', got.etag])
      t.equal(again.headers.vary, 'Accept-Encoding')
      const head = await app.inject({ method: 'HEAD', url: '/long', headers })
      t.equal(head.headers['content-length'], got['content-length'])
      t.equal(head.body, '')
    }
    t.equal(new Set(tags.values()).size, 3, 'each encoding has its own ETag')
    t.equal(
      (await get('/short', { 'accept-encoding': 'br' })).headers['content-encoding'],
      undefined
    )
  }
)

t.test('served files are compressed from the first request on', async (t) => {
  const { app } = await startService(t)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const url of ['/api-docs/json', '/api-docs/yaml', '/api-docs/static/swagger-ui.css']) {
    const response = await fetch(address + url, { headers: { 'accept-encoding': 'br' } })
    await response.arrayBuffer()
    t.equal(response.headers.get('content-encoding'), 'br', url)
  }
  const asset = await fetch(`${address}/assets/style.css`)
  const tag = asset.headers.get('etag') ?? ''
  const again = await fetch(`${address}/assets/style.css`, { headers: { 'if-none-match': tag } })
  t.equal(again.status, 304)
})
