import type { Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import t, { type Test } from 'tap'
import {
  findings,
  listen,
  looks,
  noBrowser,
  openWindow,
  signInWith
} from '../../support/browser.ts'
import { codeAt, step } from '../../support/second-factor.ts'

t.test('a second factor in a real browser', { skip: noBrowser }, async (t) => {
  const { address, clock } = await listen(t)
  const open = (t: Test, options: { javaScriptEnabled?: boolean } = {}) =>
    openWindow(t, { baseURL: address, ...options })

  /** Checks that nothing is too wide and axe finds nothing, in each colour scheme and width. */
  async function look(page: Page, name: string) {
    for (const { width, colorScheme } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      t.same(await findings(page), [], `${name} ${colorScheme} ${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  let secret = ''
  let codes: string[] = []
  const code = () => {
    clock.now += step
    return codeAt(secret, clock.now)
  }
  const section = (page: Page) => page.getByRole('main')

  await t.test(
    'begin, scan, confirm, and keep the recovery codes, without JavaScript',
    async (t) => {
      const { page, complaints } = await open(t, { javaScriptEnabled: false })
      await signInWith(page)
      await page.goto('/account/signin')
      await section(page).getByRole('button', { name: 'Set up' }).click()
      const written = (await section(page).locator('.secret').textContent()) ?? ''
      secret = written.replaceAll(' ', '')
      const picture = await section(page).locator('svg').screenshot()
      t.match(await scanned(t, picture), `secret=${secret}`, 'the QR code agrees')
      const field = section(page).getByRole('textbox', { name: 'Code' })
      await field.fill('12345')
      await page.keyboard.press('Enter')
      await section(page).getByText('This must be six digits.').first().waitFor()
      await field.fill(codeAt(secret, clock.now - 20 * step))
      await page.keyboard.press('Enter')
      await section(page).getByText('check the clock of the device').first().waitFor()
      await field.fill(code())
      await section(page).getByRole('button', { name: 'Turn it on' }).click()
      codes = await section(page).locator('.codes code').allTextContents()
      t.equal(codes.length, 10)
      await page.goto('/account/signin')
      t.equal(await section(page).locator('.codes').count(), 0, 'shown once')
      t.match(await section(page).textContent(), /Recovery codes left: 10/)
      t.same(complaints, [])
    }
  )

  await t.test('the login asks for the code, by keyboard alone', async (t) => {
    const { page, complaints } = await open(t)
    await signInWith(page)
    await page.waitForURL('/login/code')
    const focus = page.locator(':focus')
    t.equal(await focus.getAttribute('name'), 'code')
    await look(page, 'login-code')
    await page.getByLabel('Code', { exact: true }).focus()
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    t.equal(await page.getByRole('alert').textContent(), 'This code is wrong or was already used.')
    await look(page, 'login-code-wrong')
    t.notMatch(await page.content(), 'value="demo"')
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL('/')
    t.same(complaints, [])
  })

  await t.test('it is switched off with password and code', async (t) => {
    const { page, complaints } = await open(t)
    await signInWith(page)
    await page.getByLabel('Code', { exact: true }).fill(code())
    await page.keyboard.press('Enter')
    await page.waitForURL('/')
    await page.goto('/account/signin')
    await look(page, 'account-on')
    await section(page).getByLabel('Password').fill('wrong')
    await section(page).getByLabel('Code, or recovery code').fill(code())
    await page.keyboard.press('Enter')
    await section(page).getByText('This is not your password.').waitFor()
    await section(page).getByLabel('Password').fill('demo')
    await section(page)
      .getByLabel('Code, or recovery code')
      .fill(codes[1] ?? '')
    await page.keyboard.press('Enter')
    await section(page).getByText('was switched off').waitFor()
    await look(page, 'account-off')
    await section(page).getByRole('button', { name: 'Set up' }).click()
    await look(page, 'account-begun')
    const again = ((await section(page).locator('.secret').textContent()) ?? '').replaceAll(' ', '')
    t.not(again, secret)
    clock.now += step
    await section(page).getByLabel('Code', { exact: true }).fill(codeAt(again, clock.now))
    await page.keyboard.press('Enter')
    await section(page).locator('.codes').waitFor()
    await look(page, 'account-codes')
    t.same(complaints, [])
  })

  /** What a camera would read from a picture of a QR code. */
  async function scanned(t: Test, png: Buffer) {
    const { page } = await open(t)
    const image = (await page.evaluate(`(async () => {
      const bitmap = await createImageBitmap(
        new Blob([Uint8Array.fromBase64('${png.toString('base64')}')], { type: 'image/png' }))
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      canvas.getContext('2d').drawImage(bitmap, 0, 0)
      const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, bitmap.width, bitmap.height)
      return { data: [...data], width, height }
    })()`)) as { data: number[]; width: number; height: number }
    return decodeQR({ ...image, data: Uint8ClampedArray.from(image.data) })
  }
})
