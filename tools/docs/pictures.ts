/**
 * `npm run docs:pictures`: takes the pictures of README.md from the page itself, light and dark. Needs Chromium
 * (`apt-get install chromium-headless-shell`). Run it when the page has changed.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const root = new URL('../../', import.meta.url).pathname
const SVC_DATA_DIR = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'))
const service = spawn(process.execPath, ['server.ts'], {
  cwd: root,
  env: { SVC_DATA_DIR, SVC_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit']
})

async function address() {
  let said = ''
  for await (const text of service.stdout.setEncoding('utf8')) {
    said += text
    const [, found] = /Gatehouse is at (\S+)/.exec(said) ?? []
    if (found) return found
  }
  throw new Error('the service did not start')
}

/** Sends JSON, and returns `Data` of the answer. */
async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const { Data } = (await answer.json()) as { Data: Record<string, string> }
  if (!answer.ok) throw new Error(`${url}: ${JSON.stringify(Data)}`)
  return { Data, cookie: answer.headers.getSetCookie().at(-1)?.split(';')[0] ?? '' }
}

try {
  const base = await address()
  const { Data, cookie } = await post(`${base}/session/login`, {
    user_id: 'demo',
    user_pass: 'demo'
  })
  const own = { cookie, 'x-csrf-token': Data.csrfToken ?? '' }
  for (const title of ['Buy milk', 'Call the plumber', 'Renew passport', 'Book the old hotel']) {
    await post(`${base}/todo/index`, { title }, own)
  }
  const scopes = ['todo:read', 'todo:write', 'memo:read', 'memo:write']
  const asking = await post(
    `${base}/accesstoken/index`,
    { name: 'Travel assistant', scopes, asks: true },
    own
  )
  const create = (title: string) => ({ operation: 'createTodo', arguments: { title } })
  await post(
    `${base}/plan/index`,
    {
      purpose: 'Prepare the trip to Zürich',
      steps: [
        { operation: 'deleteTodos', arguments: { ids: [4] } },
        { operation: 'changeTodo', arguments: { id: 1, is_completed: true } },
        {
          operation: 'changeTodo',
          arguments: { id: 2, title: 'Call the plumber before Monday' }
        },
        ...['Book the night train', 'Reserve a table', 'Pack the tickets'].map(create)
      ]
    },
    { authorization: `Bearer ${asking.Data.token}` }
  )

  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox']
  })
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 860, height: 700 }, colorScheme })
    await page.goto(`${base}/login/index?next=/plan/board`)
    await page.getByLabel('User ID').fill('demo')
    await page.getByLabel('Password').fill('demo')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const plan = page.locator('article.plan')
    await plan.waitFor()
    await plan.screenshot({ path: join(root, `docs/approvals-${colorScheme}.png`) })
  }
  await browser.close()
} finally {
  service.kill()
  rmSync(SVC_DATA_DIR, { recursive: true, force: true })
}
