import t, { type Test } from 'tap'
import { findings, listen, looks, noBrowser, openWindow, signInWith } from '../support/browser.ts'
import { mailedLink } from '../support/visitor.ts'

t.test('an account, by hand', { skip: noBrowser }, async (t) => {
  const { address: baseURL, app, clock, folder } = await listen(t, { SVC_SIGN_UP: 'open' })

  async function signUp(t: Test, user_id: string, javaScriptEnabled: boolean) {
    const { page, complaints } = await openWindow(t, { baseURL, javaScriptEnabled })
    async function look(name: string) {
      if (!javaScriptEnabled) return
      for (const { width, colorScheme } of looks) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        t.same(await findings(page), [], `${name} ${colorScheme} ${width}`)
      }
    }
    const field = (name: string) => page.getByLabel(name, { exact: true })
    const focused = () => page.locator(':focus').getAttribute('name')
    const push = (name: string) => page.getByRole('button', { name }).click()

    await page.goto('/login/index')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL('/signup/index')
    await look('form')
    await field('Name').fill('Anna')
    await field('User ID').fill('Anna!')
    await field('Email address').fill(`${user_id}@example.com`)
    await push('Send the email')
    await page.getByText('Use 3 to 64 characters').waitFor()
    t.equal(await field('Name').inputValue(), 'Anna', 'what was typed stays')
    if (javaScriptEnabled) t.equal(await focused(), 'user_id')
    await look('refused')
    await field('User ID').fill(user_id)
    await push('Send the email')
    await page.waitForURL('/signup/sent')
    await look('sent')

    await app.background.idle()
    const link = mailedLink(folder, 'signup/confirm/token_') ?? ''
    await page.goto(link)
    await look('password')
    await field('Password').fill('password')
    await push('Create the account')
    await page.getByText('This must not be one of the most common passwords.').waitFor()
    t.equal(await field('User ID').inputValue(), user_id)
    await look('refused password')
    await field('Password').fill('correct horse battery')
    await push('Create the account')
    await page.waitForURL('/')
    await page.goto(link)
    await page.getByText('It has been used, or is more than 24 hours old.').waitFor()
    await look('used')
    await page.context().clearCookies()
    await signInWith(page, user_id, 'correct horse battery')
    await page.waitForURL('/')
    t.same(complaints, [])
    // The newest mail is the last one by its time.
    clock.now += 1000
  }

  await t.test('with JavaScript', (t) => signUp(t, 'anna', true))
  await t.test('without', (t) => signUp(t, 'berta', false))
})
