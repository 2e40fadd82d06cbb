import t, { type Test } from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import {
  findings,
  listen,
  looks,
  noBrowser,
  openWindow,
  signInWith
} from '../../support/browser.ts'

const [profile, sessions, tokens] = ['/account/profile', '/account/sessions', '/account/tokens']

t.test('the account page in a real browser, without scripts', { skip: noBrowser }, async (t) => {
  const { address } = await listen(t, { SVC_SESSION_IDLE_SECONDS: '7200' })
  const open = (t: Test) => openWindow(t, { baseURL: address, javaScriptEnabled: false })

  await t.test('from home to the page; another session is ended', async (t) => {
    const elsewhere = await open(t)
    await signInWith(elsewhere.page)
    const { page, complaints } = await open(t)
    await signInWith(page)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Account' })
      .click()
    await page.waitForURL(profile)
    await page.getByRole('link', { name: 'Sessions' }).click()
    const main = page.getByRole('main')
    t.equal(await main.getByRole('listitem').count(), 2)
    t.match(await main.getByRole('listitem').first().textContent(), 'this one')
    await main.getByRole('button', { name: /^End: / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
    await main.getByRole('status').getByText('That session was ended.').waitFor()
    t.equal(await main.getByRole('listitem').count(), 1)
    await elsewhere.page.goto(sessions)
    await elsewhere.page.waitForURL('/login/index?next=%2Faccount%2Fsessions')
    t.same(complaints, [])
  })

  await t.test('all other sessions are ended, then this one', async (t) => {
    const elsewhere = await open(t)
    await signInWith(elsewhere.page)
    const { page, complaints } = await open(t)
    await signInWith(page)
    await page.goto(sessions)
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('dialog').getByRole('button').click()
    await page.getByText('All other sessions were ended.').waitFor()
    await elsewhere.page.goto(sessions)
    await elsewhere.page.waitForURL('/login/index?next=%2Faccount%2Fsessions')
    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('/')
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
    t.same(complaints, [])
  })

  await t.test('a token is made, shown once and revoked', async (t) => {
    const { page, complaints } = await open(t)
    await signInWith(page)
    await page.goto(tokens)
    const main = page.getByRole('main')
    await main.getByLabel('Name').fill('nightly import')
    await main.getByLabel('todo:read').check()
    await main.getByLabel('memo:write').check()
    await main.getByRole('button', { name: 'Create a token' }).click()
    const text = (await main.getByRole('status').getByRole('code').textContent()) ?? ''
    t.match(text, /^gth_[\w-]{43}[0-9A-Za-z]{6}$/)
    t.notOk(page.url().includes('gth_'))
    const answer = await fetch(`${address}/todo/index`, {
      headers: { authorization: `Bearer ${text}` }
    })
    t.equal(answer.status, 200)
    await page.goto(tokens)
    t.notOk((await page.content()).includes(text), 'not shown again')
    await main.getByRole('button', { name: 'Revoke: nightly import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await main.getByText('The token was revoked.').waitFor()
    t.equal(await main.getByRole('listitem').count(), 0)
    t.same(complaints, [])
  })

  await t.test('the password, by keyboard alone: wrong, common, changed', async (t) => {
    const { page, complaints } = await open(t)
    await signInWith(page)
    await page.goto(profile)
    const { keyboard } = page
    const part = page.getByRole('main')
    const send = async (now: string, next: string) => {
      await part.getByLabel('Current password').focus()
      await keyboard.type(now)
      await keyboard.press('Tab')
      await keyboard.type(next)
      await keyboard.press('Tab')
      await keyboard.press('Enter')
    }
    await send('wrong', 'a new password')
    await part.getByText('This is not your current password.').waitFor()
    await send('demo', 'Password1')
    await part.getByText('must not be one of the most common passwords').waitFor()
    t.equal(await part.getByLabel('Current password').inputValue(), '')
    await send('demo', 'a new password')
    await part.getByRole('status').getByText('The password was changed').waitFor()
    t.equal(new URL(page.url()).pathname, profile, 'still signed in')
    t.same(complaints, [])
  })

  await t.test('axe finds nothing, on narrow and wide screens, light and dark', async (t) => {
    const { page, complaints } = await openWindow(t, { baseURL: address })
    await signInWith(page, 'admin')
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const name = `${width} px, ${colorScheme}`
      await page.goto(profile)
      t.same(await findings(page), [], name)
      await page.getByLabel('Current password').fill('wrong')
      await page.getByLabel('New password').fill('a new password')
      await page.getByRole('button', { name: 'Change the password' }).click()
      await page.getByText('This is not your current password.').waitFor()
      t.same(await findings(page), [], `${name}, a wrong password`)
      await page.goto(tokens)
      await page.getByLabel('Name').fill('x'.repeat(64))
      for (const box of await page.getByRole('checkbox').all()) await box.check()
      await page.getByRole('button', { name: 'Create a token' }).click()
      await page.getByText(/^gth_.{49}$/).waitFor()
      t.same(await findings(page), [], `${name}, a new token`)
      t.equal(await page.locator('h1').count(), 1)
      t.same(complaints, [])
    }
  })
})

t.test('a new token is in view, below however many others', { skip: noBrowser }, async (t) => {
  const { app, address } = await listen(t)
  for (let i = 0; i < 30; i++) await makeAccessToken(app)
  const { page } = await openWindow(t, { baseURL: address })
  await signInWith(page)
  await page.waitForURL('/')
  await page.goto(tokens)
  const form = page.locator('form').filter({ has: page.getByLabel('Name') })
  await form.getByLabel('Name').fill('the newest')
  await form.getByRole('checkbox').first().check()
  await form.getByRole('button').last().click()
  const secret = page.locator('.once')
  await secret.waitFor()
  const { y = -1 } = (await secret.boundingBox()) ?? {}
  t.ok(y >= 0 && y < 800, `at ${y}`)
})
