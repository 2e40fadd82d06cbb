import t from 'tap'
import { boundary, formBytes, type Part, samples } from '../../support/form.ts'
import { signIn, startService } from '../../support/helper.ts'
import { html, openBrowser } from '../../support/visitor.ts'

const url = '/attachment/board'
const service = await startService(t, { SVC_UPLOAD_MAX_BYTES: '1000' })
const { app, sql } = service
const browser = openBrowser(app)
await browser.signIn()
const { csrf_token = '' } = await browser.hiddenFields(url)

/** Sends the form of the page, as a browser without JavaScript does. */
const send = (parts: Part[]) =>
  app.inject({
    method: 'POST',
    url: '/attachment/upload',
    headers: {
      cookie: browser.cookie(),
      'content-type': `multipart/form-data; boundary=${boundary}`
    },
    payload: formBytes(parts)
  })
const token = { name: 'csrf_token', content: csrf_token }

t.test('a file is uploaded by the form, shown, shared, deleted and restored', async (t) => {
  const sent = await send([token, { filename: 'a <b>.png', content: samples.png }])
  t.same([sent.statusCode, sent.headers.location], [303, url])
  const { body } = await browser.get(url)
  t.match(body, 'a &lt;b&gt;.png')
  t.match(body, /image\/png, \d+ bytes/)
  const [, picture = ''] = /<img src="([^"]*)"/.exec(body) ?? []
  const { statusCode, headers } = await app.inject(picture.replaceAll('&amp;', '&'))
  t.same([statusCode, headers['content-type']], [200, 'image/png'])

  const shared = await browser.submit(url, { csrf_token, action: 'share', id: '1' })
  const [, link = ''] = /<code id="link">([^<]*)</.exec(shared.body) ?? []
  t.equal((await app.inject(new URL(link.replaceAll('&amp;', '&')).href)).statusCode, 200)

  const deleted = await browser.submit(url, { csrf_token, action: 'delete', id: '1' })
  t.match(deleted.headers.location, /\?done=delete&undo=\d+$/)
  const told = await browser.get(String(deleted.headers.location))
  t.match(told.body, /Deleted <strong dir="auto">/)
  const [, ids = ''] = /name="ids" value="(\d+)"/.exec(told.body) ?? []
  t.equal((await browser.submit(url, { csrf_token, action: 'undo', ids })).statusCode, 303)
  t.match((await browser.get(url)).body, 'a &lt;b&gt;.png')
})

t.test('what is refused is a page with its status, and keeps nothing', async (t) => {
  const before = (await sql('SELECT id FROM attachments')).length
  const file = { filename: 'a.txt', content: 'text' }
  const other = await signIn(app)
  for (const [parts, status] of [
    [[file], 403],
    [[file, token], 403],
    [[{ ...token, content: other.csrfToken }, file], 403],
    [[{ ...token, content: '' }, file], 403],
    [[{ ...token, filename: 'x' }, file], 403],
    [[token], 400],
    [[token, { ...file, content: '' }], 400],
    [[token, { ...file, content: 'x'.repeat(1001) }], 413],
    [[token, { ...file, content: '<html></html>' }], 415]
  ] as [Part[], number][]) {
    const { statusCode, headers } = await send(parts)
    t.same([statusCode, headers['content-type']], [status, html])
  }
  t.equal((await sql('SELECT id FROM attachments')).length, before)
})

t.test('the token is checked before the file (contract CSRF-3)', async (t) => {
  const bad = { ...token, content: 'bad' }
  const other = { name: 'other', filename: 'a.txt', content: 'text' }
  for (const parts of [[], [bad], [bad, other], [bad, { filename: '', content: '' }]]) {
    const { statusCode, body } = await send(parts)
    t.equal(statusCode, 403)
    t.match(body, 'CSRF-TOKEN-INVALID')
  }
  const noForm = await browser.submit('/attachment/upload', { csrf_token })
  t.equal(noForm.statusCode, 403, 'only a multipart form has a token')
  t.equal((await send([token, other])).statusCode, 400)
})

t.test('every other method leads to the page of the form (contract SERVICE-3)', async (t) => {
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'] as const) {
    const { statusCode, headers } = await browser.send(method, '/attachment/upload')
    t.same([statusCode, headers.location], [303, url], method)
  }
})

t.test('files of others cannot be shared or deleted', async (t) => {
  const admin = openBrowser(app)
  await admin.signIn('admin')
  const { csrf_token = '' } = await admin.hiddenFields(url)
  for (const action of ['share', 'delete']) {
    const { statusCode } = await admin.submit(url, { csrf_token, action, id: '1' })
    t.equal(statusCode, 404, action)
  }
  t.match((await admin.get(url)).body, 'No files yet.')
})
