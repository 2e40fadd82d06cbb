import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { mailedLink } from '../../support/visitor.ts'

/** Signs in, and goes on to the todos. */
async function openBoard(page: Page) {
  await signInWith(page)
  await page.waitForURL('/')
  await page.goto('/board/index')
}

t.test('the pages in a real browser', { skip: noBrowser }, async (t) => {
  const { app, address, folder } = await listen(t)
  const open = (t: Test, width?: number) => openWindow(t, { baseURL: address }, width)

  await t.test('sign in, add, complete, reopen and delete a todo, sign out', async (t) => {
    const { page, complaints } = await open(t)
    await page.goto('/')
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).click()
    await signInWith(page)
    await page.waitForURL('/')
    await page.getByRole('heading', { name: 'Hello, Demo' }).waitFor()
    await page.goto('/board/index')
    await page.getByLabel('Title').fill('Buy <b>milk</b>')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Buy <b>milk</b>', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Complete: Buy <b>milk</b>' }).click()
    await page.getByRole('button', { name: 'Reopen: Buy <b>milk</b>' }).click()
    await page.getByRole('button', { name: 'Complete: Buy <b>milk</b>' }).waitFor()
    await page.getByRole('button', { name: 'Delete: Buy <b>milk</b>' }).click()
    await page.getByText('Nothing to do.').waitFor()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('/')
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
    t.same(complaints, [])
  })

  await t.test('after a wrong password the form says so, and keeps the name', async (t) => {
    const { page, complaints } = await open(t)
    await signInWith(page, 'demo', 'wrong')
    t.equal(await page.getByRole('alert').textContent(), 'Wrong user ID or password.')
    t.equal(await page.getByLabel('User ID').inputValue(), 'demo')
    t.equal(await page.getByLabel('Password').inputValue(), '')
    await page.getByLabel('Password').fill('demo')
    await page.keyboard.press('Enter')
    await page.waitForURL('/')
    t.same(complaints, [])
  })

  await t.test('after signing out, the back button shows no todos', async (t) => {
    const { page } = await open(t)
    await openBoard(page)
    await page.getByLabel('Title').fill('a private matter')
    await page.keyboard.press('Enter')
    await page.getByText('a private matter').waitFor()
    await page.goto('/')
    await page.getByText('a private matter').waitFor()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('/')
    for (let i = 0; i < 6; i++) {
      // A page taken from memory is not loaded again.
      await page.goBack({ waitUntil: 'commit' })
      await page.locator('h1').waitFor()
      t.notMatch(await page.content(), 'a private matter', page.url())
      t.notMatch(new URL(page.url()).pathname, '/board', 'the visitor is sent to sign in')
    }
  })

  await t.test('a form from before a new login gets the CSRF page', async (t) => {
    const { page } = await open(t)
    await openBoard(page)
    await page.getByLabel('Title').fill('from an old page')
    const other = await page.context().newPage()
    t.teardown(() => other.close())
    await other.goto('/logout/index')
    await other.getByRole('button', { name: 'Sign out' }).click()
    await openBoard(other)
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('heading', { name: 'Form expired' }).waitFor()
    await other.reload()
    t.notMatch(await other.content(), 'from an old page')
  })

  await t.test('by keyboard alone: sign in and add', async (t) => {
    const { page, complaints } = await open(t)
    const { keyboard } = page
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    const focus = page.locator(':focus')
    await page.goto('/')
    await press('Tab')
    t.equal(await focus.textContent(), 'Skip to content', 'the first link of every page')
    t.ok(((await focus.boundingBox())?.width ?? 0) > 10, 'it is visible')
    t.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid')
    await press('Tab', 'Tab', 'Tab')
    t.equal(await focus.textContent(), 'Sign in')
    await press('Enter')
    await page.waitForURL('/login/index')
    t.equal(await focus.getAttribute('name'), 'user_id')
    await keyboard.type('demo')
    await press('Tab')
    await keyboard.type('demo')
    await press('Enter')
    await page.waitForURL('/')
    await press('g', 't')
    await page.waitForURL('/board/index')
    await press('Tab', 'Enter')
    await press('Tab')
    t.equal(
      await focus.getAttribute('name'),
      'title',
      'the skip link leads to the main content of the page'
    )
    await keyboard.type('typed, not clicked')
    await press('Enter')
    await page.getByText('typed, not clicked').waitFor()
    await page.getByLabel('Title').focus()
    await press('Tab', 'Tab', 'Space')
    await page.getByRole('button', { name: 'Reopen: typed, not clicked' }).waitFor()
    t.same(complaints, [])
  })

  /** The path of a new link, asked for on the page. The mail has SVC_BASE_URL, with another port than that of the test. */
  const resetPath = async (page: Page) => {
    await page.goto('/password-reset')
    await page.getByLabel('Email').fill('admin@example.com')
    await page.getByRole('button', { name: 'Send the email' }).click()
    await page.getByRole('status').getByText('If the address is registered, an email').waitFor()
    await app.background.idle()
    const link = mailedLink(folder)
    if (!link) throw new Error('there is no mail')
    return new URL(link).pathname
  }

  await t.test('reset a password through the link of the mail', async (t) => {
    const { page, complaints } = await open(t)
    await page.goto('/login/index')
    await page.getByRole('link', { name: 'Forgotten password?' }).click()
    await page.waitForURL('/password-reset')
    const path = await resetPath(page)
    const earlier = await page.context().newPage()
    t.teardown(() => earlier.close())
    for (const window of [page, earlier]) await window.goto(path)
    const fillIn = async (window: Page, password: string) => {
      await window.getByLabel('New password').fill(password)
      await window.getByRole('button', { name: 'Change the password' }).click()
    }
    const status = page.getByRole('status')
    await fillIn(page, 'é'.repeat(40))
    await status.getByText('The password must not have more than 72 bytes.').waitFor()
    await fillIn(page, 'a new password')
    await status.getByText('The password was changed. Please log in.').waitFor()
    t.equal(await page.getByLabel('New password').count(), 0, 'there is nothing more to send')
    await fillIn(earlier, 'another password')
    await earlier
      .getByRole('status')
      .getByText('This link has expired or was already used.')
      .waitFor()
    await page.reload()
    await page.getByText('This link has expired or was already used').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await signInWith(page, 'admin', 'a new password')
    await page.waitForURL('/')
    t.same(complaints, [])
  })

  await t.test('without their script, forms put nothing into the URL', async (t) => {
    const { page } = await open(t)
    const link = await resetPath(page)
    await page.route('**/assets/send-form.js', (route) => route.abort())
    for (const [path, label, value] of [
      ['/password-reset', 'Email', 'admin@example.com'],
      [link, 'New password', 'a new password']
    ] as const) {
      await page.goto(path)
      await page.getByLabel(label).fill(value)
      await page.keyboard.press('Enter')
      t.ok(await page.getByRole('main').getByRole('button').isDisabled(), path)
      t.equal(page.url(), new URL(path, address).href)
    }
  })

  await t.test('no page is wider than a phone, light or dark', async (t) => {
    const { page, complaints } = await open(t, 375)
    const paths = ['/', '/login/index', '/password-reset', '/password-reset/x', '/no/such']
    const check = async (path: string) => {
      await page.goto(path)
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      t.equal(excess, 0, path)
      t.ok(await page.title())
      t.equal(await page.locator('h1').count(), 1, `${path} has one heading of the first level`)
      t.equal(await page.locator('html[lang=en]').count(), 1)
    }
    for (const path of paths) await check(path)
    await openBoard(page)
    for (const title of ['x'.repeat(255), 'words '.repeat(40)]) {
      await page.getByLabel('Title').fill(title)
      await page.keyboard.press('Enter')
      await page.getByText(title.trim(), { exact: true }).waitFor()
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const path of ['/', '/board/index', '/logout/index']) await check(path)
    t.same(complaints, [])
  })

  await t.test('every control has an accessible name', async (t) => {
    const { page } = await open(t)
    const tree = (path: string) => page.goto(path).then(() => page.locator('body').ariaSnapshot())
    const login = await tree('/login/index')
    for (const part of [
      '- navigation "Main":',
      '- heading "Sign in" [level=1]',
      '- textbox "User ID or email address"',
      '- textbox "Password"',
      '- button "Sign in"'
    ]) {
      t.ok(login.includes(part), part)
    }
    t.ok((await tree('/password-reset')).includes('- textbox "Email"'))
    t.ok((await tree(await resetPath(page))).includes('- textbox "New password"'))
    await openBoard(page)
    await page.getByLabel('Title').fill('name me')
    await page.keyboard.press('Enter')
    await page.getByText('name me').waitFor()
    const board = await tree('/board/index')
    for (const part of [
      '- textbox "Title"',
      '- button "Add"',
      'button "Complete: name me"',
      'button "Delete: name me"'
    ]) {
      t.ok(board.includes(part), part)
    }
    for (const snapshot of [login, board]) {
      t.notMatch(snapshot, /- (button|link|textbox)(:| \[|$)/m, 'none is without a name')
    }
  })
})

t.test(
  'a form of a visitor who is signed out leads to SVC_LOGOUT_URI elsewhere (contract CSRF-4)',
  { skip: noBrowser },
  async (t) => {
    const elsewhere = createServer((_request, response) => response.end('signed out'))
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => elsewhere.close())
    // Another origin: for browsers, localhost is another host than 127.0.0.1.
    const target = `http://localhost:${(elsewhere.address() as AddressInfo).port}/out`
    const { address } = await listen(t, { SVC_LOGOUT_URI: target })
    const { page, complaints } = await openWindow(t, { baseURL: address })
    await openBoard(page)
    await page.getByLabel('Title').fill('too late')
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    await page.waitForURL(target)
    t.match(await page.content(), 'signed out')
    t.same(complaints, [])
  }
)
