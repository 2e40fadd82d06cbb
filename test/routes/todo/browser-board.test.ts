import t from 'tap'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { signIn } from '../../support/helper.ts'

t.test('an open board shows what the programs of its user do', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL } = await listen(t)
  const { page, complaints } = await openWindow(t, { baseURL })
  const program = await signIn(app)
  const create = (title: string) => program.send('POST', '/todo/index', { title })
  await create('first')
  await signInWith(page)
  await page.goto('/board/index')
  const add = page.getByLabel('Title')
  await add.fill('half a tit')

  await create('second')
  await page.getByText('second', { exact: true }).waitFor()
  t.equal(await add.inputValue(), 'half a tit', 'what is being typed stays')

  await page.getByRole('button', { name: 'Complete: first' }).focus()
  await program.send('PATCH', '/todo/item/id_1', { is_completed: true })
  const done = page.getByRole('button', { name: 'Reopen: first' })
  await done.waitFor()
  t.ok(await done.evaluate((it) => it === it.ownerDocument.activeElement), 'the focus stays')

  const items = Array.from({ length: 100 }, (_, n) => ({ title: `many ${n}` }))
  const before = await page.evaluate('performance.getEntriesByType("resource").length')
  await program.send('POST', '/todo/batch', { items })
  await page.getByText('many 99', { exact: true }).waitFor()
  const looks = Number(await page.evaluate('performance.getEntriesByType("resource").length'))
  t.ok(looks - Number(before) < 10, 'a hundred changes cost a few looks')

  // The service restarts behind its proxy, which answers for it.
  await page.route('**/activity/stream*', (route) => route.fulfill({ status: 502 }))
  const refused = page.waitForResponse((response) => response.status() === 502)
  await page.reload()
  await refused
  await create('meanwhile')
  await page.unroute('**/activity/stream*')
  await page.getByText('meanwhile', { exact: true }).waitFor()
  await create('after it')
  await page.getByText('after it', { exact: true }).waitFor()
  complaints.length = 0

  await page.getByRole('button', { name: 'Delete: many 99' }).click()
  await page.locator('.todos').getByText('many 99', { exact: true }).waitFor({ state: 'detached' })
  t.same(complaints, [])
})

t.test(
  'without JavaScript, or without a record, the board is as it is',
  { skip: noBrowser },
  async (t) => {
    const { address: baseURL } = await listen(t, { SVC_ACTIVITY_DAYS: '0' })
    const { page, complaints } = await openWindow(t, { baseURL, javaScriptEnabled: false })
    await signInWith(page)
    await page.goto('/board/index')
    await page.getByLabel('Title').fill('by a form')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('by a form', { exact: true }).waitFor()
    t.equal(await page.locator('[data-live]').count(), 0)
    t.same(complaints, [])
  }
)
