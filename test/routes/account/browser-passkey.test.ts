import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  findings,
  listen,
  looks,
  noBrowser,
  openWindow,
  signInWith
} from '../../support/browser.ts'
import { codeAt, step, withSecondFactor } from '../../support/second-factor.ts'

/** Gives the page an authenticator, such as a phone has: it keeps passkeys and knows its user. */
async function addAuthenticator(t: Test, page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      // It answers at once what it is asked for.
      automaticPresenceSimulation: true
    }
  })
  t.teardown(async () => {
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await devtools.detach()
  })
  return {
    /** Whether its user touches it when it is asked. */
    touch: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    verify: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  }
}

const main = (page: Page) => page.getByRole('main')
const signOut = async (page: Page) => {
  await page.goto('/logout/index')
  await main(page).getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('/')
}

t.test('passkeys in a real browser', { skip: noBrowser }, async (t) => {
  const { address, app, clock, log } = await listen(t)
  const baseURL = address.replace('127.0.0.1', 'localhost')
  const open = (t: Test, options: { javaScriptEnabled?: boolean } = {}) =>
    openWindow(t, { baseURL, ...options })

  /** Checks that nothing is too wide and axe finds nothing, in each colour scheme and width. */
  async function look(page: Page, name: string) {
    for (const { width, colorScheme } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      t.same(await findings(page), [], `${name} ${colorScheme} ${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  const make = async (page: Page, name: string) => {
    await page.goto('/account/signin')
    await main(page).getByLabel('Name').fill(name)
    await main(page).getByRole('button', { name: 'Create a passkey' }).click()
    await main(page).getByText('The passkey was created.').waitFor()
  }
  const remove = async (page: Page, name: string) => {
    await page.goto('/account/signin')
    await main(page)
      .getByRole('button', { name: `Remove: ${name}` })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await main(page).getByText('The passkey was removed.').waitFor()
  }

  await t.test('made, used, removed; the login page offers it before the password', async (t) => {
    const { page, complaints } = await open(t)
    const device = await addAuthenticator(t, page)
    await page.goto('/login/index')
    t.equal(await page.locator('[data-passkey-login]').count(), 0, 'nobody has one')
    t.notMatch(await page.content(), 'passkey.js')
    await signInWith(page)
    await page.goto('/account/signin')
    t.match(await main(page).getByLabel('Name').inputValue(), 'Chrome on Linux')
    t.match(await main(page).textContent(), 'If you lose a device')
    await look(page, 'none')
    await make(page, 'my phone')
    t.equal((await device.credentials()).length, 1)
    await look(page, 'one')

    await main(page).getByRole('button', { name: 'Create a passkey' }).click()
    await main(page).getByText('This device has a passkey for your account already.').waitFor()

    await signOut(page)
    await device.touch(false)
    await page.goto('/login/index?next=%2Fmemo%2Fboard')
    const button = main(page).getByRole('button', { name: 'Sign in with a passkey' })
    await button.waitFor()
    await look(page, 'login')
    await device.touch(true)
    await button.click()
    await page.waitForURL('/memo/board')
    await page.goto('/account/sessions')
    t.match(await main(page).textContent(), /by passkey/)

    await remove(page, 'my phone')
    await page.goto('/login/index')
    t.equal(await page.locator('[data-passkey-login]').count(), 0, 'again nobody has one')
    t.same(complaints, [])
  })

  await t.test('while the name is typed (conditional mediation)', async (t) => {
    const { page, complaints } = await open(t)
    const device = await addAuthenticator(t, page)
    await signInWith(page)
    await make(page, 'my phone')
    await signOut(page)
    await device.touch(false)
    await page.goto('/login/index')
    await main(page).getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    t.equal(await page.getByLabel('User ID').getAttribute('autocomplete'), 'username webauthn')
    // Stands for choosing it in the list that the browser shows for the field.
    await device.touch(true)
    await page.goto('/login/index')
    await page.waitForURL('/')
    await remove(page, 'my phone')
    t.same(complaints, [])
  })

  await t.test('the second factor is not asked for', async (t) => {
    const { page, complaints } = await open(t)
    await addAuthenticator(t, page)
    const { secret } = await withSecondFactor(app, clock.now, 'admin')
    await signInWith(page, 'admin')
    clock.now += step
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, clock.now))
    await page.keyboard.press('Enter')
    await page.waitForURL('/')
    await make(page, 'the key of admin')
    await signOut(page)
    await page.goto('/login/index')
    await page.waitForURL('/')
    await page.goto('/account/sessions')
    t.match(await main(page).textContent(), /by passkey/)
    await remove(page, 'the key of admin')
    t.same(complaints, [])
  })

  await t.test('an older session asks for the password', async (t) => {
    const { page, complaints } = await open(t)
    await addAuthenticator(t, page)
    await signInWith(page)
    clock.now += 16 * 60_000
    await page.goto('/account/signin')
    const form = page.locator('form[data-passkey]')
    await form.getByLabel('Password').fill('wrong')
    await form.getByRole('button', { name: 'Create a passkey' }).click()
    await form.getByText('This is not your password.').waitFor()
    await look(page, 'wrong password')
    await form.getByLabel('Password').fill('demo')
    await form.getByRole('button', { name: 'Create a passkey' }).click()
    await main(page).getByText('The passkey was created.').waitFor()
    t.equal(await form.getByLabel('Password').inputValue(), '')
    t.same(complaints, [])
  })

  await t.test('what goes wrong is said, and the password still works', async (t) => {
    const { page, complaints } = await open(t)
    const device = await addAuthenticator(t, page)
    await signInWith(page)
    await device.verify(false)
    await page.goto('/account/signin')
    await main(page).getByRole('button', { name: 'Create a passkey' }).click()
    await main(page).getByText('No passkey was made.').waitFor()
    await device.verify(true)
    await make(page, 'soon removed')
    await app.db.repos.passkeys.removeOfUser({ user_id: 2 })
    // Somebody else's, so that the page offers it.
    await app.db.repos.passkeys.insert({
      ...{ user_id: 1, name: 'x', credential_id: 'x', public_key: 'x', counter: 0 },
      now: app.timestamp()
    })
    await signOut(page)
    await page.goto('/login/index')
    await main(page).getByText('This passkey was not accepted').waitFor()
    await device.touch(false)
    await look(page, 'login refused')
    await page.getByLabel('User ID').fill('demo')
    await page.getByLabel('Password').fill('demo')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('/')
    t.same(complaints, [])
  })

  await t.test('without JavaScript, or at another address, it says what is missing', async (t) => {
    const { page } = await open(t, { javaScriptEnabled: false })
    await signInWith(page)
    await page.goto('/account/signin')
    await main(page).getByRole('button', { name: 'Create a passkey' }).click()
    await main(page).getByText('this needs JavaScript.').waitFor()
    const other = await openWindow(t, { baseURL: address })
    await signInWith(other.page)
    await other.page.goto('/account/signin')
    await main(other.page).getByRole('button', { name: 'Create a passkey' }).click()
    await main(other.page).getByText(`Passkeys work only at ${baseURL}.`).waitFor()
  })

  t.notOk(
    log.some((line) => line.includes('"level":50')),
    'no error in the log'
  )
})

t.test('behind a proxy with another host', { skip: noBrowser }, async (t) => {
  let target = ''
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const to = new URL(target)
    const forwarded = ask(
      {
        host: to.hostname,
        port: to.port,
        method,
        path: url,
        headers: { ...headers, host: to.host }
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      }
    )
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  const baseURL = `http://gate.localhost:${(proxy.address() as AddressInfo).port}`
  const { address } = await listen(t, { SVC_BASE_URL: baseURL })
  target = address
  const { page, complaints } = await openWindow(t, { baseURL })
  const device = await addAuthenticator(t, page)
  await signInWith(page)
  await page.waitForURL('/')
  await page.goto('/account/signin')
  await main(page).getByRole('button', { name: 'Create a passkey' }).click()
  await main(page).getByText('The passkey was created.').waitFor()
  t.match(await device.credentials(), [{ rpId: 'gate.localhost' }])
  await signOut(page)
  await page.goto('/login/index')
  await page.waitForURL('/')
  t.same(complaints, [])
})
