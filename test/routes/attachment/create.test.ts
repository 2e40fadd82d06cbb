import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Content } from '../../../plugins/patterns/uploads/content.ts'
import {
  boundary,
  formBytes,
  type Part,
  partBytes,
  post,
  samples,
  upload
} from '../../support/form.ts'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'

const { png, jpeg, gif, webp, pdf, zip } = samples
const text = 'hello\n'

/** Names of all files in the folder of uploads. */
const filesIn = (folder: string) =>
  readdirSync(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

const shared = await startService(t)

t.test('an upload is kept with its type, size and hash (contract UPLOAD-1)', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  const response = await upload(app, demo, png, 'dot.png')
  t.equal(response.statusCode, 200)
  const { attachment } = response.json().Data
  t.same(attachment, {
    id: 1,
    name: 'dot.png',
    mime: 'image/png',
    size: png.length,
    sha256: createHash('sha256').update(png).digest('hex'),
    created_at: '2026-11-21T09:30:00.000Z'
  })
  const [file = '', ...others] = filesIn(folder)
  t.same(others, [])
  t.notMatch(file, /dot|png/, 'never under a name of the client')
  t.same(readFileSync(join(folder, 'uploads', file)), png)
  const { Data } = (await demo.send('GET', '/attachment/item/id_1')).json()
  t.same(Data, { status: 'success', attachment })
  t.same((await demo.send('GET', '/attachment/index')).json().Data, {
    status: 'success',
    attachments: [attachment],
    next_cursor: null
  })
})

t.test('session and CSRF are checked before the body is read (contract E7)', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  const form = formBytes([{ filename: 'a.txt', content: text }])
  const cases: [string, Record<string, string>, string][] = [
    ['no session', { cookie: '' }, '401 SESSION-CLOSED'],
    [
      'no session, a Bearer header',
      { cookie: '', authorization: 'Bearer x' },
      '401 SESSION-CLOSED'
    ],
    ['no session, no form', { cookie: '', 'content-type': 'a' }, '401 SESSION-CLOSED'],
    ['no CSRF token', { 'x-csrf-token': '' }, '403 CSRF-TOKEN-INVALID'],
    ['a Bearer header beside the session', { authorization: 'Bearer x' }, '200 success']
  ]
  for (const [name, headers, expected] of cases) {
    t.equal(outcome(await post(app, demo, form, headers)), expected, name)
  }
  t.equal(filesIn(folder).length, 1)
})

t.test("the type is found by content, never by the client's word", async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  const bom = '\uFEFF'
  const accepted: [string, Part, string][] = [
    ['PNG', { content: png }, 'image/png'],
    ['PNG called .txt', { content: png, filename: 'a.txt', type: 'text/plain' }, 'image/png'],
    ['JPEG', { content: jpeg }, 'image/jpeg'],
    ['GIF', { content: gif }, 'image/gif'],
    ['WebP', { content: webp }, 'image/webp'],
    ['PDF', { content: pdf }, 'application/pdf'],
    ['PDF of text alone', { content: '%PDF-1.4\n1 0 obj\n' }, 'application/pdf'],
    [
      'PDF after a newline',
      { content: Buffer.concat([Buffer.from('\n'), pdf]) },
      'application/pdf'
    ],
    [
      'PDF for a printer',
      { content: Buffer.concat([Buffer.from('\u001b%-12345X@PJL JOB\r\n'), pdf]) },
      'application/pdf'
    ],
    ['PDF called .png', { content: pdf, filename: 'a.png', type: 'image/png' }, 'application/pdf'],
    ['text', { content: text }, 'text/plain'],
    ['text called .html', { content: text, filename: 'a.html', type: 'text/html' }, 'text/plain'],
    ['text with a BOM', { content: `${bom}hello` }, 'text/plain'],
    ['text in other scripts', { content: '你好, 🙂\r\n\t\f' }, 'text/plain'],
    ['text that begins like a GIF', { content: 'GIF is a format.' }, 'text/plain'],
    ['text that begins like a bitmap', { content: 'BMW' }, 'text/plain'],
    ['text that has a word of MP4', { content: 'The free lunch is over.' }, 'text/plain'],
    ['one character', { content: 'a' }, 'text/plain'],
    ['a heart', { content: '<3 love' }, 'text/plain'],
    ['an arrow', { content: ' <- back' }, 'text/plain'],
    ['a comparison', { content: '< 5 is small' }, 'text/plain'],
    ['a bracket alone', { content: '<' }, 'text/plain'],
    ['white space', { content: ' \n' }, 'text/plain'],
    ['an address', { content: '<alice@example.com> wrote:' }, 'text/plain'],
    ['an address of many characters', { content: '\n<ä.b+c=d$1@mail.example>,' }, 'text/plain']
  ]
  for (const [name, part, mime] of accepted) {
    const response = await post(app, demo, formBytes([{ filename: 'x', ...part }]))
    t.equal(response.json().Data.attachment?.mime, mime, name)
  }
  const kept = filesIn(folder).length
  t.equal(kept, accepted.length)

  const pngHeader = png.subarray(0, 8)
  const rejected: [string, Part][] = [
    ['HTML', { content: '<!doctype html><p>' }],
    ['HTML called .png', { content: '<html>', filename: 'a.png', type: 'image/png' }],
    ['a closing tag', { content: '</p>' }],
    ['a comment', { content: '<!-- -->' }],
    ['an upper-case tag', { content: '<BODY>' }],
    ['SVG by another name', { content: '<_:svg xmlns:_="http://www.w3.org/2000/svg"/>' }],
    ['XML in Greek', { content: '<\u03b1/>' }],
    ['XML beyond 16 bits', { content: '<\u{10400}/>' }],
    ['HTML after white space', { content: ' \r\n\t\f<script>' }],
    ['HTML after much white space', { content: `${' '.repeat(200_000)}<script>` }],
    ['an address in a tag', { content: '<a href=alice@example.com>' }],
    ['an address with an attribute', { content: '<svg/onload=alert(1)@example.com>' }],
    ['a tag that is no address', { content: '<a>alice@example.com>' }],
    ['an address without an end', { content: '<alice@example.com' }],
    ['an instruction', { content: '<?x@y>' }],
    ['a declaration', { content: '<!doctype@html>' }],
    ['a closing address', { content: '</alice@example.com>' }],
    ['an address that does not end', { content: `<alice@${'a'.repeat(100_000)}` }],
    ['HTML after a BOM', { content: `${bom}<html>` }],
    ['HTML after two BOMs', { content: `${bom}${bom} <html>` }],
    ['SVG', { content: '<svg xmlns="http://www.w3.org/2000/svg"/>', type: 'image/svg+xml' }],
    ['XML', { content: '<?xml version="1.0"?><a/>', type: 'text/plain' }],
    ['PDF with a PNG header', { content: Buffer.concat([pngHeader, pdf]) }],
    ['PDF in HTML', { content: Buffer.concat([Buffer.from('<p>\u0001'), pdf]) }],
    ['PDF in a PNG', { content: Buffer.concat([png, pdf]) }],
    ['PDF in a GIF', { content: Buffer.concat([gif, pdf]), type: 'image/gif' }],
    ['ZIP called .txt', { content: zip, filename: 'a.txt', type: 'text/plain' }],
    ['RTF', { content: '{\\rtf1 x}' }],
    ['text with NUL', { content: 'a\0b' }],
    ['text with an escape', { content: 'a\u001b[31m' }],
    ['text with DEL', { content: 'a\u007f' }],
    ['text not in UTF-8', { content: Buffer.from('caf\xe9', 'latin1') }],
    ['text cut in a character', { content: Buffer.from('a你').subarray(0, -1) }],
    ['text in UTF-16', { content: Buffer.from('\uFEFFhello', 'utf16le') }],
    ['text that turns binary late', { content: `${'a'.repeat(300_000)}\0` }]
  ]
  for (const [name, part] of rejected) {
    const response = await post(app, demo, formBytes([{ filename: 'x', ...part }]))
    t.equal(outcome(response), '415 UPLOAD-MIME-REJECTED', name)
  }
  t.equal(filesIn(folder).length, kept, 'nothing rejected is left behind')
})

t.test('the type does not depend on how the content arrives', async (t) => {
  for (const [all, mime] of [
    ['  <alice@example.com>: hello', 'text/plain'],
    ['  <a href="x"> hello', undefined],
    ['  <alice@example.com hello', undefined],
    [' <3 alice@example.com', 'text/plain']
  ] as const) {
    const content = new Content()
    for (const byte of Buffer.from(all)) content.add(Buffer.of(byte))
    t.equal(await content.type(), mime, all)
  }
})

t.test('SVC_UPLOAD_TYPES says what may be uploaded', async (t) => {
  const { app } = await startService(t, { SVC_UPLOAD_TYPES: 'image/gif, application/zip' })
  const demo = await signIn(app)
  t.equal(outcome(await upload(app, demo, gif)), '200 success')
  t.equal(outcome(await upload(app, demo, zip)), '200 success')
  const refused = await upload(app, demo, text)
  t.equal(outcome(refused), '415 UPLOAD-MIME-REJECTED')
  t.same(refused.json().Data.allowed, ['image/gif', 'application/zip'])
})

t.test(
  'what is no genuine uploaded file is UPLOAD-FILE-REQUIRED (contract UPLOAD-1)',
  async (t) => {
    const { app, folder } = await restart(shared)
    const demo = await signIn(app)
    const file = { filename: 'a.txt', content: text }
    const whole = formBytes([file])
    const type = (value: string) => ({ 'content-type': value })
    const cases: [string, Buffer | string | undefined, Record<string, string>?][] = [
      ['no part', formBytes([])],
      ['a text part', formBytes([{ content: text }])],
      ['a text part with a type', formBytes([{ content: text, type: 'application/octet-stream' }])],
      ['an empty file', formBytes([{ filename: 'a.txt' }])],
      ['an empty file without a name', formBytes([{ filename: '' }])],
      ['a file in another field', formBytes([{ ...file, name: 'files' }])],
      ['a file in file[]', formBytes([{ ...file, name: 'file[]' }])],
      ['a file in File', formBytes([{ ...file, name: 'File' }])],
      ['a file in a field without a name', formBytes([{ ...file, name: '' }])],
      ['a file in __proto__', formBytes([{ ...file, name: '__proto__' }])],
      ['an empty body', ''],
      ['no body', undefined],
      ['a boundary that never closes', partBytes(file)],
      ['a part that never begins', `--${boundary}\r\n`],
      ['a body cut off in the part header', whole.subarray(0, 40)],
      ['a body cut off in the file', partBytes(file).subarray(0, -3)],
      ['a closing boundary cut off', whole.subarray(0, -4)],
      ['another boundary', whole, type('multipart/form-data; boundary=other')],
      ['no boundary', whole, type('multipart/form-data')],
      ['an empty boundary', whole, type('multipart/form-data; boundary=')],
      ['an unreadable type', whole, type('multipart/form-data; boundary=a b;;=')],
      ['a type that is none', whole, type('boundary')],
      ['an empty type', whole, type('')],
      ['another multipart', whole, type(`multipart/mixed; boundary=${boundary}`)],
      ['JSON', '{"file":"a"}', type('application/json')],
      ['JSON that is none', '{', type('application/json')],
      ['a form', 'file=a', type('application/x-www-form-urlencoded')],
      ['plain bytes', text, type('application/octet-stream')]
    ]
    for (const [name, body, headers] of cases) {
      t.equal(outcome(await post(app, demo, body, headers)), '400 UPLOAD-FILE-REQUIRED', name)
    }
    t.same(filesIn(folder), [])
    t.same((await demo.send('GET', '/attachment/index')).json().Data.attachments, [])
  }
)

t.test('other fields are ignored, a second file is refused', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  const file = { filename: 'a.txt', content: text }
  const ignored: [string, Part[]][] = [
    ['text before', [{ name: 'note', content: 'x' }, file]],
    ['text after', [file, { name: 'note', content: 'x' }]],
    ['text called file', [{ content: 'x' }, file]],
    ['JSON that is none', [file, { name: 'note', content: '{', type: 'text/plain' }]],
    ['a file in another field', [{ ...file, name: 'other', content: zip }, file]]
  ]
  for (const [name, parts] of ignored) {
    t.equal(outcome(await post(app, demo, formBytes(parts))), '200 success', name)
  }
  const kept = filesIn(folder).length
  t.equal(kept, ignored.length)
  const two = await post(app, demo, formBytes([file, file]))
  t.equal(outcome(two), '422 VALIDATION-FAILED')
  t.same(two.json().Data.details, [{ in: 'body', field: 'file', message: 'must be one file' }])
  t.equal(filesIn(folder).length, kept)
})

t.test('with handling=strict, other fields are refused by name (contract HTTP-8)', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  const strict = { prefer: 'handling=strict' }
  const file = { filename: 'a.txt', content: text }
  const note = { name: 'note', content: 'x' }
  const refused: [string, Part[], fields: string[]][] = [
    ['text before', [note, file], ['note']],
    ['text after', [file, note], ['note']],
    ['a file in another field', [{ ...file, name: 'fil' }, file], ['fil']],
    ['several', [note, file, note, { name: 'b', content: '' }], ['note', 'b']],
    ['no file', [note], ['note']]
  ]
  for (const [name, parts, fields] of refused) {
    const response = await post(app, demo, formBytes(parts), strict)
    t.equal(outcome(response), '422 VALIDATION-FAILED', name)
    t.equal(response.headers['preference-applied'], 'handling=strict')
    t.same(
      response.json().Data.details,
      fields.map((field) => ({ in: 'body', field, message: 'is not known here' })),
      name
    )
  }
  t.same(filesIn(folder), [])
  for (const parts of [[file], [{ content: 'x' }, file]]) {
    const response = await post(app, demo, formBytes(parts), strict)
    t.equal(outcome(response), '200 success', 'the field is known')
    t.equal(response.headers['preference-applied'], 'handling=strict')
  }
})

t.test("the limit is the file's size, to the byte (contract UPLOAD-1)", async (t) => {
  const limit = 100_000
  const { app, folder } = await startService(t, { SVC_UPLOAD_MAX_BYTES: String(limit) })
  const demo = await signIn(app)
  t.equal(outcome(await upload(app, demo, 'a'.repeat(limit))), '200 success')
  const tooLarge = await upload(app, demo, 'a'.repeat(limit + 1))
  t.equal(outcome(tooLarge), '413 UPLOAD-TOO-LARGE')
  t.equal(tooLarge.json().Data.maximum, limit)
  t.equal(
    outcome(await upload(app, demo, '\0'.repeat(limit + 1))),
    '413 UPLOAD-TOO-LARGE',
    'size comes before type'
  )
  const others = Array.from({ length: 21 }, () => ({ name: 'note', content: 'x' }))
  t.equal(outcome(await post(app, demo, formBytes(others))), '413 UPLOAD-TOO-LARGE', 'many parts')
  const long = { name: 'note', content: 'x'.repeat(2 * 1024 ** 2) }
  t.equal(outcome(await post(app, demo, formBytes([long]))), '413 UPLOAD-TOO-LARGE', 'long text')
  const other = { ...long, filename: 'x' }
  t.equal(outcome(await post(app, demo, formBytes([other]))), '413 UPLOAD-TOO-LARGE', 'other file')
  t.equal(filesIn(folder).length, 1)
})

t.test('a file name is kept without folders and without what could do harm', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app)
  const cases: [string, string, string][] = [
    ['plain', 'report 1.txt', 'report 1.txt'],
    ['folders', '../../etc/passwd', 'passwd'],
    ['Windows folders', 'C:\\\\temp\\\\x.txt', 'x.txt'],
    ['the folder itself', '..', 'file'],
    ['a folder alone', 'a/', 'file'],
    ['quotes', 'a \\"b\\".txt', 'a "b".txt'],
    ['quotes as browsers write them', 'a %22b%22.txt', 'a "b".txt'],
    ['line ends as browsers write them', 'a%0D%0Ab.txt', 'ab.txt'],
    ['single quotes and semicolons', "a';x=1.txt", "a';x=1.txt"],
    ['NUL', 'a\0.png\0.txt', 'a.png.txt'],
    ['control characters', 'a\u001b[31m\u0007.txt', 'a[31m.txt'],
    ['a direction override', 'a\u202etxt.exe', 'atxt.exe'],
    ['Chinese', '报告 终版.txt', '报告 终版.txt'],
    ['an emoji of several code points', '👨‍👩‍👧.txt', '👨‍👩‍👧.txt'],
    ['300 characters', `${'a'.repeat(296)}.txt`, `${'a'.repeat(251)}.txt`],
    ['300 characters of two units', `${'🙂'.repeat(296)}.txt`, `${'🙂'.repeat(251)}.txt`],
    ['an extension alone', '.profile', '.profile'],
    ['an extension of 300 characters', `.${'a'.repeat(299)}`, `.${'a'.repeat(254)}`],
    ['white space', '  ', 'file'],
    ['an HTML name', '<b>.txt', '<b>.txt']
  ]
  for (const [name, filename, expected] of cases) {
    const { Data } = (await upload(app, demo, text, filename)).json()
    t.equal(Data.attachment?.name, expected, name)
    const { url } = (await demo.send('GET', `/attachment/link/id_${Data.attachment.id}`)).json()
      .Data
    const { statusCode, headers } = await app.inject(new URL(url).pathname + new URL(url).search)
    t.equal(statusCode, 200, name)
    t.match(headers['content-disposition'], /^(inline|attachment); filename[ -~]+$/, name)
  }
  const broken = await upload(app, demo, text, 'a\r\nX-Evil: 1"')
  t.notMatch(broken.json().Data.attachment.name, /[\r\n]|evil/i, 'CR LF ends the header')
  t.equal(outcome(await upload(app, demo, text, 'a\nb')), '400 UPLOAD-FILE-REQUIRED', 'LF')
  t.equal(filesIn(folder).length, cases.length + 1)
})

t.test('an attachment of another user is not found', async (t) => {
  const { app, folder } = await restart(shared)
  const demo = await signIn(app, 'demo')
  const admin = await signIn(app, 'admin')
  await upload(app, demo, text)
  for (const [method, url] of [
    ['GET', '/attachment/item/id_1'],
    ['GET', '/attachment/link/id_1'],
    ['DELETE', '/attachment/item/id_1']
  ] as const) {
    t.equal(outcome(await admin.send(method, url)), '404 ATTACHMENT-NOT-FOUND', `${method} ${url}`)
  }
  t.same((await admin.send('GET', '/attachment/index')).json().Data.attachments, [])
  t.equal(filesIn(folder).length, 1)
})

t.test(
  'ids: missing or not a number is ATTACHMENT-ID-REQUIRED, unknown is not found',
  async (t) => {
    const { app } = await restart(shared)
    const demo = await signIn(app)
    const cases: [string, string][] = [
      ['', '400 ATTACHMENT-ID-REQUIRED'],
      ['/id_', '400 ATTACHMENT-ID-REQUIRED'],
      ['/id_abc', '400 ATTACHMENT-ID-REQUIRED'],
      ['/id_-1', '400 ATTACHMENT-ID-REQUIRED'],
      ['/id_1.0', '400 ATTACHMENT-ID-REQUIRED'],
      ['/id_7', '404 ATTACHMENT-NOT-FOUND'],
      ['/id_99999999999999999999', '404 ATTACHMENT-NOT-FOUND']
    ]
    for (const [path, expected] of cases) {
      t.equal(outcome(await demo.send('GET', `/attachment/item${path}`)), expected, `item${path}`)
      t.equal(outcome(await demo.send('GET', `/attachment/link${path}`)), expected, `link${path}`)
      t.equal(
        outcome(await demo.send('DELETE', `/attachment/item${path}`)),
        expected,
        `DELETE${path}`
      )
      t.equal(outcome(await app.inject(`/attachment/download${path}`)), '403 SIGNED-URL-INVALID')
    }
  }
)

t.test('the list is newest first, paged by key', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  for (const name of ['1', '2', '3']) await upload(app, demo, text, name)
  const ids = async (query: string) => {
    const { attachments, next_cursor } = (
      await demo.send('GET', `/attachment/index?${query}`)
    ).json().Data
    return [attachments.map(({ id }: { id: number }) => id), next_cursor]
  }
  t.same(await ids(''), [[3, 2, 1], null])
  t.same(await ids('limit=2'), [[3, 2], 2])
  t.same(await ids('limit=2&cursor=2'), [[1], null])
  t.equal(outcome(await demo.send('GET', '/attachment/index?limit=0')), '422 VALIDATION-FAILED')
})

t.test('deleting ends links; without a record of changes the file is removed too', async (t) => {
  const { app, folder } = await startService(t, { SVC_ACTIVITY_DAYS: '0' })
  const demo = await signIn(app)
  await upload(app, demo, text)
  const { url } = (await demo.send('GET', '/attachment/link/id_1')).json().Data
  const path = url.slice(url.indexOf('/attachment'))
  t.equal((await app.inject(path)).statusCode, 200)
  const response = await demo.send('DELETE', '/attachment/item/id_1')
  t.same(response.json().Data, { status: 'success', id: 1 })
  await app.background.idle()
  t.same(filesIn(folder), [])
  t.equal(outcome(await app.inject(path)), '404 ATTACHMENT-NOT-FOUND')
  t.equal(outcome(await demo.send('DELETE', '/attachment/item/id_1')), '404 ATTACHMENT-NOT-FOUND')
})
