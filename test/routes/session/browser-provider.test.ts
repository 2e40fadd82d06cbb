import type { Page } from 'playwright-core'
import t from 'tap'
import {
  findings,
  listen,
  looks,
  noBrowser,
  openWindow,
  signInWith
} from '../../support/browser.ts'
import { startOidcProvider } from '../../support/oidc-provider.ts'
import { codeAt, step, withSecondFactor } from '../../support/second-factor.ts'

const main = (page: Page) => page.getByRole('main')
const signOut = async (page: Page) => {
  await page.goto('/logout/index')
  await main(page).getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('/')
}

t.test('signing in at another service, in a real browser', { skip: noBrowser }, async (t) => {
  const provider = await startOidcProvider(t)
  const {
    address: baseURL,
    app,
    clock,
    log,
    sql
  } = await listen(t, {
    ...provider.env,
    SVC_SIGN_UP: 'open'
  })
  provider.serve(baseURL)

  async function look(page: Page, name: string) {
    for (const { width, colorScheme } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      t.same(await findings(page), [], `${name} ${colorScheme} ${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  const leave = async (page: Page) => {
    await page.goto('/login/index')
    await main(page).getByRole('link', { name: 'Sign in with Acme' }).click()
  }
  /** Goes on at the provider, which then knows this browser. */
  const goOn = async (page: Page, login: string) => {
    await page.getByLabel('Account').fill(login)
    await page.getByRole('button', { name: 'Go on' }).click()
  }
  const confirm = async (page: Page) => {
    await page.waitForURL('/login/confirm')
    await main(page).getByLabel('Password').fill('demo')
    await main(page).getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('/')
  }
  const removeAll = () => sql('DELETE FROM identities')

  for (const javaScriptEnabled of [true, false]) {
    const name = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'
    await t.test(`the password is asked for once, ${name}`, async (t) => {
      await removeAll()
      const { page, complaints } = await openWindow(t, { baseURL, javaScriptEnabled })
      await page.goto('/login/index')
      if (javaScriptEnabled) await look(page, 'login')
      await leave(page)
      await goOn(page, 'demo')
      await page.waitForURL('/login/confirm')
      if (javaScriptEnabled) await look(page, 'confirm')
      await confirm(page)
      await signOut(page)
      await leave(page)
      await page.waitForURL('/')
      t.same(complaints, [])
    })
  }

  await t.test('somebody who refuses there is told so here, and can begin again', async (t) => {
    const { page, complaints } = await openWindow(t, { baseURL })
    await leave(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await main(page).getByText('You did not go on at Acme').waitFor()
    await look(page, 'problem')
    // The answer of a while ago, from the history.
    await page.reload()
    await main(page).getByText('This sign-in did not begin in this browser').waitFor()
    await main(page).getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('/login/index')
    t.same(complaints, [])
  })

  await t.test('where the visitor wanted to go, a new user gets', async (t) => {
    const { page, complaints } = await openWindow(t, { baseURL })
    await page.goto('/memo/board')
    await page.waitForURL(/\/login\/index\?next=/)
    await main(page).getByRole('link', { name: 'Sign in with Acme' }).click()
    await goOn(page, 'newcomer')
    await page.waitForURL('/memo/board')
    await page.goto('/account/signin')
    await look(page, 'ways to sign in')
    await main(page).getByRole('button', { name: 'Remove: Acme' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await main(page).getByText('this is your last way in').waitFor()
    await page.goto('/account/profile')
    await main(page).getByText('You have none').waitFor()
    t.same(complaints, [])
  })

  for (const javaScriptEnabled of [true, false]) {
    const name = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'
    await t.test(`the page of the account links and removes it, ${name}`, async (t) => {
      await removeAll()
      const { page, complaints } = await openWindow(t, { baseURL, javaScriptEnabled })
      await signInWith(page)
      await page.waitForURL('/')
      await page.goto('/account/signin')
      await main(page).getByRole('button', { name: 'Link Acme' }).click()
      await main(page).getByRole('link', { name: 'Go on to Acme' }).click()
      await goOn(page, 'other')
      await main(page).getByText('It was linked.').waitFor()
      await main(page).getByRole('button', { name: 'Remove: Acme' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await main(page).getByText('It was removed.').waitFor()
      await main(page).getByRole('button', { name: 'Link Acme' }).waitFor()
      t.same(complaints, [])
    })
  }

  await t.test('a second factor is asked for after the provider', async (t) => {
    await removeAll()
    const { secret } = await withSecondFactor(app, clock.now)
    const enter = async (page: Page) => {
      await page.waitForURL('/login/code')
      clock.now += step
      await main(page).getByLabel('Code').fill(codeAt(secret, clock.now))
      await main(page).getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL('/')
    }
    const { page, complaints } = await openWindow(t, { baseURL })
    await leave(page)
    await goOn(page, 'demo')
    await page.waitForURL('/login/confirm')
    await main(page).getByLabel('Password').fill('demo')
    await main(page).getByRole('button', { name: 'Sign in' }).click()
    await enter(page)
    await signOut(page)
    await leave(page)
    await enter(page)
    t.same(complaints, [])
  })

  t.notOk(
    log.some((line) => line.includes('"level":50')),
    'no error in the log'
  )
})
