import t from 'tap'
import { findings, listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { startReceiver } from '../../support/receiver.ts'

t.test('webhooks in a real browser', { skip: noBrowser }, async (t) => {
  const receiver = await startReceiver(t)
  const { address, app } = await listen(t, { SVC_WEBHOOK_PRIVATE: '1' })
  const { page, complaints } = await openWindow(t, { baseURL: address })
  await signInWith(page)
  await page.goto('/account/webhooks')
  const webhooks = page.getByRole('main')
  await webhooks.getByLabel('Address').fill(receiver.url)
  await webhooks.getByLabel('memo', { exact: true }).uncheck()
  await webhooks.getByLabel('Description').fill('nightly sync')
  await webhooks.getByRole('button', { name: 'Create a webhook' }).click()
  t.match(await webhooks.getByRole('status').getByRole('code').textContent(), /^whsec_/)
  await webhooks.getByRole('button', { name: 'Ping: webhook 1' }).click()
  await webhooks.getByText('A ping is on its way').waitFor()
  await app.deliveries.look()
  await page.reload()
  await webhooks.getByText('Last deliveries').click()
  await webhooks.getByText(/Ping:\s+204/).waitFor()
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    t.same(await findings(page), [])
  }
  t.same(complaints, [])
})
