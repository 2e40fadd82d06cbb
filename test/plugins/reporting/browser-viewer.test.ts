import t from 'tap'
import { findings, listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'

/** What axe finds in the viewer. It stays, because swagger-ui renders it so and has no option for it. */
const ofTheLibrary: Record<string, string> = {
  'heading-order': 'operations follow their tag two levels down',
  'nested-interactive': 'the line of an operation is a button with buttons in it',
  region: 'title and schemas are outside its only landmark',
  'select-name': 'the label of the list of servers is not tied to it'
}

t.test('the API viewer in a real browser', { skip: noBrowser }, async (t) => {
  const token = 'a-token-of-an-agent-that-is-long-enough'
  const { app, address } = await listen(t, {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: 'demo'
  })

  const { page, complaints } = await openWindow(t, { baseURL: address })

  /** Fills the dialog's field of a scheme and closes it. */
  async function authorize(scheme: string, value: string) {
    await page.getByRole('button', { name: 'Authorize', exact: true }).first().click()
    const dialog = page.locator('.auth-container', { hasText: scheme })
    await dialog.getByRole('textbox').fill(value)
    await dialog.getByRole('button', { name: /^Apply|^Authorize/ }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
  }

  /** Opens an operation, which is found by its name. */
  async function open(id: string, window = page) {
    const operation = window.locator(`[id$="-${id}"].opblock`)
    await window.getByLabel('Find an operation').fill(id)
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.responses-wrapper .response').first().waitFor()
    return operation
  }

  /** Runs an operation through its form. */
  async function call(
    id: string,
    body?: object,
    window = page,
    give: (id: string) => Promise<void> = async () => {}
  ) {
    const operation = await open(id, window)
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await give(id)
    if (body) await operation.locator('textarea').fill(JSON.stringify(body))
    await operation.getByRole('button', { name: 'Execute' }).click()
    const response = operation.locator('.live-responses-table .response')
    const status = await response.locator('.response-col_status').innerText()
    const text = await response.locator('.microlight').first().innerText()
    return { status: Number.parseInt(status, 10), body: JSON.parse(text) }
  }

  await page.goto('/api-docs/')

  await t.test('it shows the name of the service, and no logo but its own', async (t) => {
    t.match(await page.locator('.info .title').innerText(), 'Gatehouse')
    t.equal(await page.locator('.topbar, img[alt*="wagger"]').count(), 0)
    const icons = await page
      .locator('link[rel=icon]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    t.equal(icons.length, 1)
    const answer = await page.request.get(new URL(String(icons[0]), `${address}/api-docs/`).href)
    t.equal(answer.headers()['content-type'], 'image/svg+xml')
  })

  await t.test('axe finds nothing but what swagger-ui itself causes', async (t) => {
    await open('createTodo')
    await page.getByRole('button', { name: 'Details of 422' }).click()
    const own = (text: string) => !(text.slice(0, text.indexOf(':')) in ofTheLibrary)
    t.same((await findings(page)).filter(own), [])

    const { page: dark } = await openWindow(t, { baseURL: address })
    await dark.emulateMedia({ colorScheme: 'dark' })
    await dark.goto('/api-docs/')
    await open('createTodo', dark)
    t.same((await findings(dark)).filter(own), [], 'in the dark')
    const background = 'getComputedStyle(document.documentElement).backgroundColor'
    t.equal(await dark.evaluate(background), 'rgb(28, 32, 34)')
  })

  await t.test('it leads back, and takes at most 450 kB', async (t) => {
    const { page } = await openWindow(t, { baseURL: address })
    await page.goto('/api-docs/')
    await page.locator('.opblock-tag').first().waitFor()
    const loaded = "performance.getEntriesByType('resource').map(({ name }) => name)"
    let bytes = 0
    for (const url of (await page.evaluate(loaded)) as string[]) {
      const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
      bytes += Number(headers['content-length'])
    }
    t.ok(bytes < 450_000, `${bytes} bytes`)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.waitForURL('/')
  })

  const shown = async (selector: string) =>
    (await page.locator(selector).filter({ visible: true }).allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim()
    )

  await t.test('areas are closed at first; one opens, and its operations too', async (t) => {
    await page.goto('/api-docs/')
    await page.locator('.opblock-tag').first().waitFor()
    const { tags, paths } = (await app.inject('/api-docs/json')).json()
    t.same(
      await shown('.opblock-tag a'),
      tags.map(({ name }: { name: string }) => name)
    )
    t.same(await shown('.operation-tag-content *'), [])
    await page.locator('#operations-tag-memo').click()
    await page.locator('.operation-tag-content .opblock').first().waitFor()
    const operations: { tags: string[] }[] = Object.values<object>(paths).flatMap(Object.values)
    const wanted = operations.filter((it) => it.tags.includes('memo')).length
    t.equal((await shown('.operation-tag-content .opblock')).length, wanted)
    t.equal(await page.locator('.opblock-body').count(), 0)
  })

  await t.test('typed words leave the operations that have all of them', async (t) => {
    await page.goto('/api-docs/')
    const field = page.getByLabel('Find an operation')
    /** Types, and waits until as many operations are found. */
    async function find(text: string, count: string) {
      await field.fill('')
      await page.locator('output:empty').waitFor({ state: 'attached' })
      await field.fill(text)
      await page.locator('output', { hasText: count }).waitFor()
      return (await shown('.opblock-summary-path')).sort()
    }
    t.same(await find('POST memo', '3 operations'), ['/memo/batch', '/memo/index', '/memo/remove'])
    t.same(await shown('.opblock-tag a'), ['memo'], 'their area is open, and no other there')
    t.same(await find('replaceMemo', '1 operation'), ['/memo/item/id_{id}'], 'by operationId')
    t.same(await find('Delete many todos', '1 operation'), ['/todo/remove'], 'by summary')
    t.same(await find('/todo/remove', '1 operation'), ['/todo/remove'], 'by path')
    t.same(await find('no such thing', '0 operations'), [])
    t.same(await shown('main h3'), [])
    await field.fill('')
    await page.locator('#operations-tag-todo').waitFor()
    t.same(await shown('.opblock-summary-path'), ['change', 'ping'], 'only webhooks: closed again')
    t.same(complaints, [])
  })

  await t.test(
    'an operation has its parameters, body and answers, with what they refer to',
    async (t) => {
      await page.goto('/api-docs/')
      const operation = await open('replaceMemo')
      const text = (await operation.innerText()).replaceAll(/\s+/g, ' ')
      for (const part of ['if-match', '"body": "Call the plumber"', 'CSRF-TOKEN-INVALID', 'ETag'])
        t.match(text, part)
      t.notMatch(text, 'Could not resolve reference')
      const failures = operation.locator('.failure')
      t.equal(await failures.filter({ hasText: 'PRECONDITION-REQUIRED' }).count(), 1)
      t.notMatch(text, 'Conditional write without')
      await operation.getByRole('button', { name: 'Details of 428' }).click()
      await operation.getByText('Conditional write without').waitFor()
      await operation.getByRole('button', { name: 'Details of 428' }).click()
      t.equal(await operation.getByText('Conditional write without').count(), 0)
      t.same(complaints, [])
    }
  )

  await t.test('a deep link opens its operation', async (t) => {
    const { page, complaints } = await openWindow(t, { baseURL: address })
    await page.goto('/api-docs/#/memo/createMemo')
    await page.locator('[id$="-createMemo"].opblock .responses-wrapper').waitFor()
    t.equal(await page.locator('.opblock-body').count(), 1)
    t.same(complaints, [])
  })

  await t.test('a visitor who is not signed in sees SESSION-CLOSED', async (t) => {
    await page.goto('/api-docs/')
    const { status, body } = await call('listMemos')
    t.same([status, body.Data.errorCode], [401, 'SESSION-CLOSED'])
  })

  await t.test('a Bearer token lists todos', async (t) => {
    await page.goto('/api-docs/')
    await authorize('bearerAuth', token)
    const { status, body } = await call('listTodos')
    t.equal(status, 200)
    t.same(body, { Result: true, Data: { status: 'success', todos: [], next_cursor: null } })
    t.same(complaints, [])
  })

  await t.test('sign in, authorise the CSRF token, create a todo', async (t) => {
    await page.goto('/api-docs/')
    const login = await call('login', { user_id: 'demo', user_pass: 'demo' })
    t.equal(login.status, 200)
    t.match(login.body.Data.csrfToken, /^[0-9a-f]{64}$/)
    await authorize('csrfToken', login.body.Data.csrfToken)
    const created = await call('createTodo', { title: 'made in the viewer' })
    t.equal(created.status, 200)
    t.equal(created.body.Data.todo.title, 'made in the viewer')
    t.same(complaints, [])
  })

  await t.test('who is signed in on the pages can try every method', async (t) => {
    const { page, complaints } = await openWindow(t, { baseURL: address })
    await signInWith(page)
    await page.waitForURL('/')
    await page.goto('/api-docs/')
    const created = await call('createTodo', { title: 'of the page' }, page)
    t.equal(created.status, 200)
    const { id } = created.body.Data.todo
    const give = (operation: string) =>
      page.locator(`[id$="-${operation}"].opblock [data-param-name=id] input`).fill(String(id))
    for (const operation of ['getTodo', 'replaceTodo', 'changeTodo', 'deleteTodo']) {
      const body = /place|change/.test(operation) ? { title: operation } : undefined
      t.equal((await call(operation, body, page, give)).status, 200, operation)
    }
    t.same(complaints, [])
  })
})
