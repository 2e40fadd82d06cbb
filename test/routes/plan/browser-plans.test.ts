import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'

t.test('approvals in a real browser', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL } = await listen(t)
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:read', 'todo:write'] })
  const propose = async (purpose: string, ...titles: string[]) => {
    const steps = titles.map((title) => ({ operation: 'createTodo', arguments: { title } }))
    const url = '/plan/index'
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: bearer,
      payload: { purpose, steps }
    })
    return answer.json().Data.plan.id as number
  }
  const stateOf = async (id: number) =>
    (await app.inject({ url: `/plan/item/id_${id}`, headers: bearer })).json().Data.plan

  await t.test('they come, are applied, undone and refused without a reload', async (t) => {
    const { page, complaints } = await openWindow(t, { baseURL })
    await signInWith(page)
    await page.waitForURL('/')
    await page.goto('/account/profile')
    await page.evaluate('window.isSame = true')
    const link = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Approvals' })
    t.equal(await link.textContent(), 'Approvals')
    const first = await propose('Shopping for Sunday', 'Milk', 'Bread')
    await link.getByText('1 wait').waitFor()
    t.equal(await page.evaluate('window.isSame'), true, 'the navigation is live on every page')

    await page.goto('/plan/board')
    await page.getByRole('heading', { name: 'a program proposes:' }).waitFor()
    t.equal(await page.locator('blockquote').textContent(), 'Shopping for Sunday')
    const second = await propose('<h2>Approved</h2>\nPress Apply', 'Tea')
    await page.locator('blockquote').nth(1).waitFor()
    t.equal(
      await page.locator('blockquote').first().textContent(),
      '<h2>Approved</h2>↵\nPress Apply'
    )

    await page.getByRole('button', { name: 'Apply: Shopping for Sunday' }).click()
    await page.getByText('Done, as proposed.').waitFor()
    t.equal((await stateOf(first)).state, 'applied')
    await link.getByText('1 wait').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.locator('.told').getByText('2 changes undone').waitFor()
    t.equal((await app.inject({ url: '/todo/index', headers: bearer })).json().Data.todos.length, 0)

    await page.goto('/activity/board')
    t.equal(
      await page.locator('blockquote').textContent(),
      'Shopping for Sunday',
      'why it was done'
    )
    await page.goto('/plan/board')
    const card = page.locator(`#plan-${second}`)
    await card.getByLabel('Reason, if you refuse (optional)').fill('We have tea')
    await card.getByRole('button', { name: /^Refuse/ }).click()
    await page.getByText('Refused. Nothing was changed.').waitFor()
    t.match(await stateOf(second), { state: 'refused', reason: 'We have tea' })
    await page.getByText('Nothing is waiting for you.').waitFor()
    t.same(complaints, [])
  })

  await t.test('what was shown is applied, and nothing else; without JavaScript', async (t) => {
    const { page } = await openWindow(t, { baseURL, javaScriptEnabled: false })
    await signInWith(page)
    await page.waitForURL('/')
    const made = await app.inject({
      method: 'POST',
      url: '/todo/index',
      headers: bearer,
      payload: { title: 'Buy bread' }
    })
    const { id } = made.json().Data.todo
    const change = (title: string) =>
      app.inject({
        method: 'PATCH',
        url: `/todo/item/id_${id}`,
        headers: bearer,
        payload: { title }
      })
    const steps = [{ operation: 'changeTodo', arguments: { id, is_completed: true } }]
    await app.inject({
      method: 'POST',
      url: '/plan/index',
      headers: bearer,
      payload: { purpose: 'Close it', steps }
    })
    await page.goto('/plan/board')
    await change('Buy rolls')
    await page.getByRole('button', { name: 'Apply: Close it' }).click()
    await page.getByText('the rows have changed since this was shown').waitFor()
    await page.getByRole('button', { name: 'Apply: Close it' }).click()
    await page.getByText('Done, as proposed.').waitFor()
    t.match(page.url(), /undo_plan=\d+$/)
    await page
      .getByRole('link', { name: /^See the run of/ })
      .first()
      .click()
    await page.waitForURL(/\/activity\/board\?run=plan-/)
    await page.getByText('Buy rolls').or(page.getByText('is completed')).first().waitFor()
  })
})
