import t from 'tap'
import { startService } from '../../support/helper.ts'
import { openBrowser } from '../../support/visitor.ts'

/** Pages to which no link leads, or only one of an email. */
const unlinked = [
  ...['/no/such', '/oauth/device', '/login/code', '/signup/sent', '/signup/confirm/token_x'],
  ...[`/password-reset/${'a'.repeat(64)}`, '/oauth/authorize']
]

t.test('no two pages have the same title or heading, and these agree', async (t) => {
  const { app } = await startService(t, { SVC_SIGN_UP: 'open', SVC_WEBHOOK_PRIVATE: '1' })
  const [visitor, admin] = [openBrowser(app), openBrowser(app)]
  await admin.signIn('admin')
  const seen = new Map<string, string>()
  const headings = new Map<string, string>()
  const left = [...unlinked, '/'].flatMap((path) => [
    { path, by: visitor },
    { path, by: admin }
  ])
  const asked = new Set<string>()
  for (const { path, by } of left) {
    const { statusCode, headers, body } = await by.get(path)
    const isPage = String(headers['content-type']).startsWith('text/html')
    // The reader of the API is a page of its own kind.
    if (!isPage || statusCode >= 500 || path.startsWith('/api-docs')) continue
    for (const [, found = ''] of body.matchAll(/<a [^>]*?href="(\/[^"?#]*)/g)) {
      if (asked.has(found)) continue
      asked.add(found)
      left.push({ path: found, by: visitor }, { path: found, by: admin })
    }
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(body) ?? []
    const [, html = ''] = /<h1>(.*?)<\/h1>/s.exec(body) ?? []
    const heading = html.replaceAll(/<span class="count">.*?<\/span>|<[^>]*>/gs, '').trim()
    t.ok(title && heading, path)
    const name = title.replace(/ · Gatehouse$/, '')
    // Home greets.
    if (path !== '/') t.equal(heading, name, `${path}: its heading is its title`)
    for (const [known, text] of [
      [seen, title],
      [headings, heading]
    ] as const) {
      const other = known.get(text)
      if (path !== '/') t.equal(other ?? path, path, `${text}: ${other} and ${path}`)
      known.set(text, path)
    }
  }
  for (const path of [
    '/account/programs',
    '/admin/programs',
    '/account/webhooks',
    '/admin/webhooks'
  ]) {
    t.ok([...seen.values()].includes(path), path)
  }
})
