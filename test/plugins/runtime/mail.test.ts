import t from 'tap'
import { startService } from '../../support/helper.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { mailIn } from '../../support/outbox.ts'

const mail = await startMailServer(t)
const { app, sql } = await startService(t, { SVC_SMTP_URL: mail.url })

/** What a quoted-printable or plain part says (RFC 2045 §6.7). */
function decoded(part: string) {
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (!/^Content-Transfer-Encoding: quoted-printable$/im.test(head)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** The types of the newest mail's parts, in their order, and what these say. */
function newest() {
  const source = mail.mails.at(-1)?.source ?? ''
  const boundary = /^Content-Type: multipart\/alternative;\s+boundary="(.*?)"/m.exec(source)?.[1]
  const parts = source.split(`--${boundary}`).slice(1, -1)
  const [text = '', html = ''] = parts.map(decoded)
  return {
    types: parts.map((part) => /^Content-Type: (.*?);/m.exec(part)?.[1]),
    text: text.replaceAll('\r\n', '\n').trimEnd(),
    html: html.replaceAll('\r\n', '\n')
  }
}

const send = async (text: string, subject = 'x') => {
  await app.mail.send({ to: 'demo@example.com', subject, text })
  return newest()
}

const linksIn = (html: string) => [...html.matchAll(/ href="(.*?)"/g)].map(([, href]) => href)

t.test('a mail has its text, then the same as HTML for light and dark clients', async (t) => {
  const text =
    'Do it here:\n\nhttps://a.example/x?a=1&b=2\n\nOr\nhere:\n\nhttps://b.example/\n\nThe end.'
  const { types, text: sent, html } = await send(text)
  t.same(types, ['text/plain', 'text/html'])
  t.equal(sent, text)
  for (const name of ['color-scheme', 'supported-color-schemes'])
    t.match(html, `<meta name="${name}" content="light dark">`)
  t.same(linksIn(html), ['https://a.example/x?a=1&amp;b=2', 'https://b.example/'])
  t.match(
    html,
    '<a class="open" href="https://a.example/x?a=1&amp;b=2">Open a.example</a><br>\nhttps://a.example/x?a=1&amp;b=2</p>'
  )
  t.equal(html.match(/class="open"/g)?.length, 1, 'one button')
  t.match(html, '<p dir="auto">Or<br>\nhere:</p>')
  t.notMatch(html, /<img|<link|<script|src=|url\(|@import/, 'nothing from elsewhere')
})

t.test('what people have typed is text in the HTML, and no link of theirs is one', async (t) => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><a href="https://evil.example">',
    '</style></title>',
    "' onclick='x",
    '&lt;b&gt;'
  ]
  for (const it of hostile) {
    const { html } = await send(`Hello ${it}\n\nhttps://a.example/${it}\n\n${it}`, it)
    t.notMatch(html.replace(/<(\/?)(style|title|head|body|html)>/g, ''), it)
    t.notMatch(html, it, 'nowhere as it was typed')
    t.ok(
      linksIn(html).every((href) => href?.startsWith('https://a.example/')),
      it
    )
  }
  for (const it of ['javascript:alert(1)', 'data:text/html,x', 'see https://evil.example', '//x'])
    t.same(linksIn((await send(it)).html), [], it)
  const odd = await send('https://[')
  t.match(odd.html, '<a class="open" href="https://[">Open the link</a>')
})

t.test('a reset for a user with a hostile name has one link: its own', async (t) => {
  const name = '<img src=x> https://evil.example'
  await sql(`UPDATE users SET user_name = '${name}' WHERE user_id = 'demo'`)
  await app.inject({
    method: 'POST',
    url: '/password-reset',
    payload: { email: 'demo@example.com' }
  })
  await app.background.idle()
  const { text, html } = newest()
  t.match(text, `This email is for ${name}: `)
  const [link] = /^http.*$/m.exec(text) ?? []
  t.match(link, /\/password-reset\/[0-9a-f]{64}$/)
  t.same(linksIn(html), [link])
  t.notMatch(html, '<img')
})

t.test('what to do stands in the first line', async (t) => {
  t.match(newest().text, /^Set a new password here, within 60 minutes:\n\nhttp/)
})

t.test(
  'a mail in the outbox is there to be read: nothing of it is encoded or broken',
  async (t) => {
    const { app, clock, folder } = await startService(t)
    const link = `https://a.example/${'0123456789'.repeat(30)}?a=1&b=%C3%A4`
    const text = `Grüße an Jürgen, 世界. ${'x'.repeat(500)}\n\n${link}\n\na = b`
    await app.mail.send({ to: 'demo@example.com', subject: 'Für Jürgen: 1 + 1 = 2', text })
    const { text: source } = await mailIn(folder)
    const lines = source.split('\r\n')
    t.notOk(lines.some((line) => /[\r\n]/.test(line)))
    t.match(lines, [
      'From: Gatehouse <no-reply@localhost>',
      'To: demo@example.com',
      'Subject: Für Jürgen: 1 + 1 = 2',
      /^Message-ID: <\S+@localhost>$/,
      `Date: ${new Date(clock.now).toUTCString()}`,
      'MIME-Version: 1.0'
    ])
    t.ok(source.includes(`\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`), 'the text')
    t.ok(source.includes(`<br>\r\n${link.replace('&', '&amp;')}</p>\r\n`), 'its HTML')
    const encodings = source.match(/(?<=^Content-Transfer-Encoding: ).*(?=\r$)/gm)
    t.same(encodings, ['8bit', '8bit'])
  }
)
