import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startService } from './helper.ts'
import { slow } from './selection.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Where Debian installs Chromium without a window, which takes two thirds of the time. */
const executablePath = '/usr/bin/chromium-headless-shell'

/** The reason why the browser tests do not run; false if they do. */
export const noBrowser = existsSync(executablePath)
  ? (slow.skip ?? false)
  : `no browser: ${executablePath} is missing (apt-get install chromium-headless-shell)`

/** Windows in which pages are judged: each width and each colour scheme, each with each. */
export const looks = [
  { width: 320, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
  { width: 1600, colorScheme: 'light' },
  { width: 1600, colorScheme: 'dark' }
] as const

let launched: Promise<Browser> | undefined

/** The browser of this process: windows share nothing. */
function launch() {
  const browser = chromium.launch({
    executablePath,
    // As in ordinary browsers, the back button may show pages from memory.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync'
    ]
  })
  t.teardown(async () => (await browser).close())
  return browser
}

/** A service on its own port. */
export async function listen(t: Test, env: Record<string, string> = {}) {
  const service = await startService(t, env)
  return { ...service, address: await service.app.listen({ port: 0, host: '127.0.0.1' }) }
}

/** A page with its own cookies, and the errors of its console. */
interface Window {
  page: Page
  complaints: string[]
}

/** The windows that no test uses now, by their options: a new one costs a second of processor time. */
const unused = new Map<string, Window[]>()

async function newWindow(options: BrowserContextOptions): Promise<Window> {
  launched ??= launch()
  const context = await (await launched).newContext(options)
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // For a form that was refused, the browser logs the status. That is not an error of the page.
    if (message.type() === 'error' && !/^Failed to load resource: .* 4\d\d /.test(message.text())) {
      complaints.push(message.text())
    }
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

/** A window on the service at `baseURL` until the test ends: signed out, as a new one is. */
export async function openWindow(
  t: Test,
  options: { baseURL: string; javaScriptEnabled?: boolean },
  width = 1280
): Promise<Window> {
  const key = JSON.stringify(options)
  const others = unused.get(key) ?? []
  unused.set(key, others)
  const window = others.pop() ?? (await newWindow(options))
  const { page, complaints } = window
  complaints.length = 0
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  t.teardown(async () => {
    await page.unrouteAll()
    await page.context().clearCookies()
    // So that no script of the last page goes on.
    await page.goto('/')
    others.push(window)
  })
  return window
}

/** Signs in through the form. */
export async function signInWith(page: Page, user_id = 'demo', user_pass = user_id) {
  await page.goto('/login/index')
  await page.getByLabel('User ID').fill(user_id)
  await page.getByLabel('Password').fill(user_pass)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** What axe finds on the page as it is, and by how much that is wider than the window. */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  // What is right is not described: that takes longer than to look.
  const { violations }: { violations: { id: string; nodes: { html: string }[] }[] } =
    await page.evaluate("axe.run({ resultTypes: ['violations'] })")
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`),
    ...(excess === 0 ? [] : [`wider than the window by ${excess}`])
  ]
}
