import t from 'tap'
import { samples, upload } from '../../support/form.ts'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

/** A service with one attachment, and the path of its link. */
async function start(content: string | Buffer, name = 'a.txt') {
  const service = await restart(shared)
  const demo = await signIn(service.app)
  const { sha256 } = (await upload(service.app, demo, content, name)).json().Data.attachment
  const { url } = (await demo.send('GET', '/attachment/link/id_1')).json().Data
  const { pathname, search } = new URL(url)
  return { ...service, demo, path: pathname + search, etag: `"${sha256}"` }
}

t.test('a link has SVC_BASE_URL and its expiry (contract LINK-1)', async (t) => {
  const { app, clock } = await startService(t, { SVC_BASE_URL: 'https://gatehouse.example' })
  const demo = await signIn(app)
  await upload(app, demo, 'hello')
  const response = await demo.send('GET', '/attachment/link/id_1')
  t.equal(response.headers['cache-control'], 'no-store')
  const { url, expires } = response.json().Data
  t.equal(expires, clock.now / 1000 + 3600)
  const { origin, pathname, searchParams } = new URL(url)
  t.equal(origin + pathname, 'https://gatehouse.example/attachment/download/id_1')
  t.equal(response.json().Data.expires_at, '2026-11-21T10:30:00.000Z')
  t.same([...searchParams.keys()], ['expires', 'signature'])
  t.equal(searchParams.get('expires'), String(expires))
  t.match(searchParams.get('signature'), /^[0-9a-f]{64}$/)
})

t.test('pictures, PDF and text are shown without scripts; nothing else is', async (t) => {
  const text = 'run <script>alert(1)</script>'
  const { app } = await startService(t, {
    SVC_UPLOAD_TYPES: 'image/png,image/gif,application/pdf,text/plain,application/zip'
  })
  const demo = await signIn(app)
  const zip = Buffer.from('504b0304'.padEnd(80, '0'), 'hex')
  const sandbox = /^default-src 'none';.*frame-ancestors 'none';sandbox$/
  const cases: [string | Buffer, string, RegExp][] = [
    [samples.png, 'inline', sandbox],
    [samples.gif, 'inline', sandbox],
    [text, 'inline', sandbox],
    // Safari shows no PDF in a sandbox.
    [samples.pdf, 'inline', /^default-src 'none';.*frame-ancestors 'none'$/],
    [zip, 'attachment', /^default-src 'none';frame-ancestors 'none'$/]
  ]
  for (const [content, disposition, policy] of cases) {
    const { attachment } = (await upload(app, demo, content, 'x')).json().Data
    const { url } = (await demo.send('GET', `/attachment/link/id_${attachment.id}`)).json().Data
    for (const method of ['GET', 'HEAD'] as const) {
      const { headers } = await app.inject({ method, url })
      t.match(headers, {
        'content-disposition': new RegExp(`^${disposition}; filename=`),
        'content-security-policy': policy,
        'content-type': /^(image\/(png|gif)|application\/(pdf|zip)|text\/plain; charset=utf-8)$/,
        'x-content-type-options': 'nosniff'
      })
      t.notMatch(headers['content-security-policy'], /script-src|allow-/)
    }
    const saved = await app.inject(`${url}&download=1`)
    t.equal(saved.statusCode, 200)
    t.match(saved.headers['content-disposition'], /^attachment; filename=/)
    const also = await app.inject(url.replace('?', '?download=1&'))
    t.equal(also.statusCode, 200, 'wherever it stands')
  }
})

t.test('a download is never sniffed', async (t) => {
  const { app, path, etag } = await start(samples.png, '报告 %221%22.png')
  const { statusCode, headers, rawPayload } = await app.inject(path)
  t.equal(statusCode, 200)
  t.same(rawPayload, samples.png)
  t.match(headers, {
    'content-type': 'image/png',
    'content-length': String(samples.png.length),
    'content-disposition':
      /^inline; filename="\?\? \\"1\\".png"; filename\*=UTF-8''%E6%8A%A5%E5%91%8A%20%221%22.png$/,
    'x-content-type-options': 'nosniff',
    'content-security-policy': /^default-src 'none'/,
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag
  })
})

t.test('a file is offered under an extension of its type (contract UPLOAD-3)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const cases: [content: string | Buffer, name: string, offered: string][] = [
    [samples.gif, 'x.html', 'x.html.gif'],
    [samples.gif, 'x.GIF', 'x.GIF'],
    [samples.gif, 'x.gif.', 'x.gif..gif'],
    [samples.jpeg, 'x.jpeg', 'x.jpeg'],
    [samples.jpeg, 'x.png', 'x.png.jpg'],
    [samples.pdf, 'x', 'x.pdf'],
    ['run <script>', 'x.html', 'x.html.txt'],
    ['[section]', 'desktop.ini', 'desktop.ini.txt'],
    ['# title', 'x.txt', 'x.txt'],
    ['a;b\n1;2', 'data.csv', 'data.csv'],
    ['# title', 'README.md', 'README.md'],
    ['{}', 'x.JSON', 'x.JSON'],
    ['a: b', 'x.yaml', 'x.yaml'],
    ['alert(1)', 'x.js', 'x.js.txt'],
    ['echo', 'x.csv.bat', 'x.csv.bat.txt'],
    ['text', 'csv', 'csv.txt'],
    [samples.gif, 'x.csv', 'x.csv.gif'],
    ['text', '../../x.html', 'x.html.txt'],
    ['text', 'a\\b\\x.txt', 'x.txt']
  ]
  for (const [content, name, offered] of cases) {
    const { id } = (await upload(app, demo, content, name)).json().Data.attachment
    const { url } = (await demo.send('GET', `/attachment/link/id_${id}`)).json().Data
    const { headers } = await app.inject(url)
    // Quotes are left out if nothing asks for them (RFC 6266 §4.1).
    const disposition = String(headers['content-disposition']).replaceAll('"', '')
    t.equal(disposition.replace(/^(inline|attachment); /, ''), `filename=${offered}`, name)
  }
})

t.test('a name that lies about its type is saved, not shown (contract UPLOAD-3)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const text = 'text'
  const lying: [content: string | Buffer, name: string][] = [
    [samples.gif, 'a.html.gif'],
    [samples.gif, 'a.html'],
    [samples.gif, 'A.HTML.v2.GIF'],
    [samples.gif, 'a.svg .gif'],
    [samples.gif, '.html'],
    [samples.gif, 'a.txt.gif'],
    [samples.jpeg, 'a.png'],
    [samples.png, 'a.exe.png'],
    [samples.pdf, 'a.docm.pdf'],
    [text, 'a.sh.txt'],
    [text, 'a.sh'],
    [text, 'a.ps1.md'],
    [text, 'a.pdf.txt'],
    [text, 'desktop.ini'],
    [text, 'x.csv.bat']
  ]
  const honest: [content: string | Buffer, name: string][] = [
    [samples.png, '2026.11.21.png'],
    [samples.png, 'a.b.c.png'],
    [samples.png, 'my.cat.png'],
    [samples.png, 'html.png'],
    [samples.gif, 'a'],
    [samples.gif, 'a.gif.'],
    [samples.jpeg, 'a.JPG.jpeg'],
    [samples.pdf, 'report.v2.pdf'],
    [samples.pdf, 'Invoice No. 5.pdf'],
    [text, 'notes.md.txt'],
    [text, 'data.json'],
    [text, 'README'],
    [text, 'J.R.R. Tolkien.txt']
  ]
  const shown = async ([content, name]: (typeof lying)[number]) => {
    const { id } = (await upload(app, demo, content, name)).json().Data.attachment
    const { url } = (await demo.send('GET', `/attachment/link/id_${id}`)).json().Data
    const { headers } = await app.inject(url)
    t.match(headers, { 'x-content-type-options': 'nosniff' })
    return [name, /^\w+/.exec(String(headers['content-disposition']))?.[0]]
  }
  for (const one of lying) t.same(await shown(one), [one[1], 'attachment'])
  for (const one of honest) t.same(await shown(one), [one[1], 'inline'])
})

t.test('text is served as the UTF-8 that it was checked to be', async (t) => {
  const { app, path } = await start('你好')
  t.equal((await app.inject(path)).headers['content-type'], 'text/plain; charset=utf-8')
})

t.test('pages of any origin may show it, also from their cache (contract LINK-1)', async (t) => {
  const { app, path, etag } = await start(samples.png, 'a.png')
  const of: [headers: Record<string, string>, status: number][] = [
    [{}, 200],
    [{ range: 'bytes=0-1' }, 206],
    [{ 'if-none-match': etag }, 304]
  ]
  for (const [headers, status] of of) {
    const answer = await app.inject({ url: path, headers })
    t.equal(answer.statusCode, status)
    t.match(answer.headers, { 'cross-origin-resource-policy': 'cross-origin' })
  }
})

t.test('HEAD answers the same header fields without content', async (t) => {
  const { app, path } = await start('0123456789')
  const get = await app.inject(path)
  const head = await app.inject({ method: 'HEAD', url: path })
  const changing = { date: '', 'x-request-id': '' }
  t.same({ ...head.headers, ...changing }, { ...get.headers, ...changing })
  t.equal(head.body, '')
})

t.test('one byte range is answered with 206 (RFC 9110 §14)', async (t) => {
  const { app, path, etag } = await start('0123456789')
  const cases: [Record<string, string>, number, string, string?][] = [
    [{ range: 'bytes=0-3' }, 206, '0123', 'bytes 0-3/10'],
    [{ range: 'bytes=8-' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
    [{ range: 'bytes=-100' }, 206, '0123456789', 'bytes 0-9/10'],
    [{ range: 'bytes=0-99' }, 206, '0123456789', 'bytes 0-9/10'],
    [{ range: 'bytes=9-9' }, 206, '9', 'bytes 9-9/10'],
    [{ range: 'bytes=0-1', 'if-range': etag }, 206, '01', 'bytes 0-1/10'],
    [{ range: 'bytes=0-1', 'if-range': '"other"' }, 200, '0123456789'],
    [{ range: 'bytes=0-1', 'if-range': `W/${etag}` }, 200, '0123456789'],
    [{ range: 'bytes=0-1', 'if-range': 'Sat, 21 Nov 2026 09:30:00 GMT' }, 200, '0123456789'],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789'],
    [{ range: 'lines=0-1' }, 200, '0123456789'],
    [{ range: '' }, 200, '0123456789'],
    [{ 'if-modified-since': 'Sat, 21 Nov 2099 09:30:00 GMT' }, 200, '0123456789'],
    [{ 'if-unmodified-since': 'Sat, 21 Nov 2009 09:30:00 GMT' }, 200, '0123456789']
  ]
  for (const [headers, status, body, contentRange] of cases) {
    const response = await app.inject({ url: path, headers })
    const name = JSON.stringify(headers)
    t.equal(response.statusCode, status, name)
    t.equal(response.body, body, name)
    t.equal(response.headers['content-range'], contentRange, name)
    t.equal(response.headers['content-length'], String(body.length), name)
    t.equal(response.headers.etag, etag, name)
  }
  for (const range of ['bytes=10-', 'bytes=a-b', 'bytes=5-2', 'bytes=-0']) {
    const outside = await app.inject({ url: path, headers: { range } })
    t.equal(outcome(outside), '416 RANGE-NOT-SATISFIABLE', range)
    t.equal(outside.headers['content-range'], 'bytes */10')
    t.equal(outside.headers['cache-control'], 'no-store')
  }
})

t.test('HEAD ignores Range (RFC 9110 §14.2)', async (t) => {
  const { app, path, etag } = await start('0123456789')
  for (const range of ['bytes=0-3', 'bytes=10-']) {
    for (const others of [{}, { 'if-range': etag }]) {
      const headers = { range, ...others }
      const response = await app.inject({ method: 'HEAD', url: path, headers })
      t.equal(response.statusCode, 200, range)
      t.equal(response.headers['content-length'], '10')
      t.equal(response.headers['content-range'], undefined)
    }
  }
})

t.test('a caller who wants other content gets 412 (RFC 9110 §13.1.1)', async (t) => {
  const { app, path, etag } = await start('hello')
  for (const wanted of [etag, '*', `"other", ${etag}`]) {
    const response = await app.inject({ url: path, headers: { 'if-match': wanted } })
    t.equal(response.statusCode, 200, wanted)
    t.equal(response.body, 'hello')
  }
  for (const wanted of ['"other"', `W/${etag}`, `x${etag}`, '']) {
    for (const others of [{}, { range: 'bytes=0-1' }, { 'if-none-match': etag }]) {
      const headers = { 'if-match': wanted, ...others }
      const name = JSON.stringify(headers)
      const isList = !wanted.startsWith('x')
      const expected = isList ? '412 PRECONDITION-FAILED' : '400 REQUEST-INVALID'
      t.equal(outcome(await app.inject({ url: path, headers })), expected, name)
      const head = await app.inject({ method: 'HEAD', url: path, headers })
      t.equal(head.statusCode, isList ? 412 : 400, name)
    }
  }
})

t.test('a caller who has the content gets 304 without it (RFC 9110 §13.1.2)', async (t) => {
  const { app, path, etag } = await start('hello')
  for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
    for (const range of [{}, { range: 'bytes=0-1' }]) {
      const response = await app.inject({
        url: path,
        headers: { 'if-none-match': known, ...range }
      })
      t.equal(response.statusCode, 304, known)
      t.equal(response.body, '')
      t.match(response.headers, { etag, 'cache-control': 'private, no-cache' })
      t.notOk(response.headers['content-type'])
    }
    const headers = { 'if-none-match': known }
    const head = await app.inject({ method: 'HEAD', url: path, headers })
    t.equal(head.statusCode, 304)
    t.equal(
      head.headers['content-length'],
      undefined,
      'not the length of the content (RFC 9110 §8.6)'
    )
  }
  for (const [unknown, status] of [
    ['"other"', 200],
    [etag.slice(1, -1), 400]
  ] as const) {
    const response = await app.inject({ url: path, headers: { 'if-none-match': unknown } })
    t.equal(response.statusCode, status, unknown)
  }
})

t.test('a link works for whoever has it, for its attachment and its time only', async (t) => {
  const { app, demo, path, clock } = await start('hello')
  await upload(app, demo, 'other')
  const admin = await signIn(app, 'admin')
  t.equal((await app.inject(path)).statusCode, 200, 'without a session')
  t.equal((await admin.send('GET', path)).statusCode, 200, 'with another one')
  const headers = { authorization: 'Bearer x' }
  t.equal((await app.inject({ url: path, headers })).statusCode, 200, 'with a Bearer header')
  const cases: [string, string][] = [
    ['another attachment', path.replace('id_1', 'id_2')],
    ['unsigned', '/attachment/download/id_1'],
    ['unsigned, by the owner', '/attachment/download/id_1'],
    ['another expiry', path.replace(/expires=\d+/, 'expires=9999999999')],
    ['altered signature', path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['a parameter added', `${path}&inline=1`],
    ['another value', `${path}&download=0`],
    ['a value encoded', `${path}&download=%31`],
    ['twice', `${path}&download=1&download=1`]
  ]
  for (const [name, url] of cases) {
    t.equal(outcome(await demo.send('GET', url)), '403 SIGNED-URL-INVALID', name)
  }
  const [pathname, query = ''] = path.split('?')
  const reordered = `${pathname}?${query.split('&').reverse().join('&')}`
  t.equal((await app.inject(reordered)).statusCode, 200, 're-ordered')
  clock.now += 3_601_000
  t.equal(outcome(await app.inject(path)), '410 SIGNED-URL-EXPIRED')
})
