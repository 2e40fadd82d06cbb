import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import t from 'tap'
import { listen, noBrowser, openWindow } from '../support/browser.ts'
import { signIn } from '../support/helper.ts'
import { until } from '../support/hostile.ts'

const script = `
  import { createClient } from './client/src/index.ts'
  const api = createClient({ baseUrl: location.origin })
  if (!await api.resume()) await api.POST('/session/login', { body: { user_id: 'demo', user_pass: 'demo' } })
  for await (const { rows } of api.live('/todo/index')) {
    document.title = rows.map(({ title }) => title).join(' ')
  }`

/** The script as one file without imports. */
async function bundle(contents: string) {
  const resolveDir = new URL('../../', import.meta.url).pathname
  const stdin = { contents, resolveDir, loader: 'ts' } as const
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false })
  return outputFiles[0]?.text ?? ''
}

const options = noBrowser ? { skip: noBrowser } : {}

t.test('seven tabs of a browser follow by one stream', options, async (t) => {
  const { app, address } = await listen(t)
  const { page: first, complaints } = await openWindow(t, { baseURL: address })
  const context = first.context()
  const body = `<!doctype html><link rel="icon" href="data:,"><script type="module">${await bundle(script)}</script>`
  await context.route('**/live.html', (route) => route.fulfill({ contentType: 'text/html', body }))
  const tabs: Page[] = []
  async function openTab(page: Page, title: string) {
    tabs.push(page)
    await page.goto(`${address}/live.html`)
    await shows(page, title)
  }
  const shows = (page: Page, title: string) =>
    page.waitForFunction(`document.title === ${JSON.stringify(title)}`)

  const demo = await signIn(app)
  const create = (title: string) => demo.send('POST', '/todo/index', { title })
  await create('a')
  await openTab(first, 'a')
  while (tabs.length < 7) await openTab(await context.newPage(), 'a')
  await until('they follow', () => app.changeStreams.size() === 1)

  await create('b')
  await Promise.all(tabs.map((tab) => shows(tab, 'b a')))
  t.equal(app.changeStreams.size(), 1)

  let expected = 'b a'
  // Tabs leave, and the one that leads is loaded again.
  for (const title of ['c', 'd', 'e']) {
    await tabs.splice(1, 1)[0]?.close()
    if (title === 'd') await tabs[0]?.reload()
    await create(title)
    expected = `${title} ${expected}`
    await Promise.all(tabs.map((tab) => shows(tab, expected)))
  }
  t.equal(app.changeStreams.size(), 1, 'the lock has passed to another tab')
  for (const tab of tabs.slice(1)) await tab.close()
  t.same(complaints, [])
})
